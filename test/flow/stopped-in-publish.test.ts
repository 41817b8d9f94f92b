import { expect, it } from 'vitest';
import { AnswerlakeError } from '../../src/errors.ts';
import { silentLog } from '../../src/log.ts';
import { openRig } from './rig.ts';

it('a signal during the publish of a finished run stops nothing: report, ledger and published file agree', async () => {
  const stop = new AbortController();
  const log = {
    ...silentLog,
    debug: (event: string) => {
      if (event === 'publish.step') stop.abort(new AnswerlakeError('stopped', { class: 'stopped' }));
    },
  };
  await using rig = await openRig({ world: 'small', today: '2025-02-10', startDate: '2025-02-01', log });
  const report = await rig.sync({ endpoints: ['visibility'] }, stop.signal);
  expect(stop.signal.aborted).toBe(true);
  expect(report).toMatchObject({ status: 'ok', exit_code: 0 });
  expect(await rig.rows('select status, exit_code from meta.runs')).toEqual([{ status: 'ok', exit_code: 0 }]);
});
