import { expect, it } from 'vitest';
import { AnswerlakeError } from '../../src/errors.ts';
import { silentLog } from '../../src/log.ts';
import type { Step } from '../../src/run/outcome.ts';
import { runToEnd, withOpenRun } from '../../src/run/sync.ts';
import { syncRequest } from '../../src/run/sync-request.ts';
import { openRig, SMALL } from './rig.ts';

it('a signal during the publish of a finished run stops nothing: report, ledger and published file agree', async () => {
  const stop = new AbortController();
  const debug = (event: string): void => {
    if (event === 'publish.step') stop.abort(new AnswerlakeError('stopped', { class: 'stopped' }));
  };
  await using rig = await openRig({ ...SMALL, log: { ...silentLog, debug } });
  const report = await rig.sync({ endpoints: ['visibility'] }, stop.signal);
  expect(stop.signal.aborted).toBe(true);
  expect(report).toMatchObject({ status: 'ok', exit_code: 0 });
  expect(await rig.rows('select status, exit_code from meta.runs')).toEqual([{ status: 'ok', exit_code: 0 }]);
});

it('an error between steps is a failure of the run; storage errors and bugs end it, on record', async () => {
  await using rig = await openRig(SMALL);
  async function* failing(error: Error): AsyncGenerator<Step> {
    yield { results: [], problems: [] };
    throw error;
  }
  const request = syncRequest({ today: rig.simulator.today });
  const end = (error: Error) => withOpenRun(request, rig.context, (run) => runToEnd(run, failing(error)));
  const told = new AnswerlakeError('told', { class: 'transient' });
  expect(await end(told)).toMatchObject({ exit_code: 5, failures: [{ message: 'told' }] });
  await expect(end(new TypeError('a bug'))).rejects.toThrow('a bug');
  await expect(end(new AnswerlakeError('full', { class: 'storage' }))).rejects.toThrow('full');
  const ends = 'select status, exit_code, error_message from meta.runs order by sequence';
  expect(await rig.workingRows(ends)).toEqual([
    { status: 'failed', exit_code: 5, error_message: 'told' },
    { status: 'failed', exit_code: 1, error_message: 'a bug' },
    { status: 'failed', exit_code: 7, error_message: 'full' },
  ]);
});
