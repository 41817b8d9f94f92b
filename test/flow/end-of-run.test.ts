import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { toDay } from '../../src/day.ts';
import { AnswerlakeError } from '../../src/errors.ts';
import { newRunId } from '../../src/load/load-run.ts';
import { archivePath } from '../../src/load/raw-archive.ts';
import { silentLog } from '../../src/log.ts';
import type { Step } from '../../src/run/outcome.ts';
import { runToEnd } from '../../src/run/run-to-end.ts';
import { withOpenRun } from '../../src/run/sync.ts';
import { syncRequest } from '../../src/run/sync-request.ts';
import { workingPath } from '../../src/warehouse/working-file.ts';
import { changeFile } from '../support/file-reader.ts';
import { openRig, SMALL } from './rig.ts';

it('a file of the archive that cannot be removed is a warning; a clock far ahead without an API removes none', async () => {
  const told: string[] = [];
  const log = { ...silentLog, info: (event: string) => void told.push(event) };
  await using rig = await openRig({ ...SMALL, log });
  const { dir } = rig.config.raw;
  const name = '20250101T030000Z-aaaaaaaa.ndjson.gz';
  // Age counts from the run before.
  for (const path of [`2025-01-01/${name}`, '2026-07-13/20260713T030000Z-aaaaaaaa.ndjson.gz'])
    mkdirSync(join(dir, path), { recursive: true });
  const report = await rig.sync({ endpoints: ['models'] });
  expect(report).toMatchObject({ status: 'ok', exit_code: 0, failures: [], duration_ms: 0 });
  expect(report.published).not.toBeNull();
  expect(told).not.toContain('archive.pruned');
  const warning = new RegExp(`raw\\.keep_days .* \\(1 in all\\): .*${name}`);
  expect(report.warnings).toEqual([expect.stringMatching(warning)]);
  expect(await rig.workingRows('select exit_code from meta.runs')).toEqual([{ exit_code: 0 }]);
  await rig.simulator.close();
  await rig.effects.sleep(500 * 86_400_000);
  expect(await rig.sync({ today: null })).toMatchObject({ exit_code: 5, warnings: [] });
  expect(readdirSync(join(dir, '2026-07-14'))).toHaveLength(1);
});

it('a run removes from the archive and from the logs what is old by its own clock', async () => {
  await using rig = await openRig(SMALL);
  const { dir } = rig.config.raw;
  // Runs of the future, so that age does not count from the run before.
  for (const day of ['2025-06-01', '2025-07-01', '2100-01-01', '2100-01-02']) {
    const path = archivePath(dir, toDay(day), newRunId(Date.parse(day)));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, '');
  }
  const old =
    "insert into meta.rejects (endpoint, reason, run_id, rejected_at) values ('models', '', 'old', '2025-06-01')";
  await changeFile(workingPath(rig.config.warehouse.path), old);
  expect(await rig.sync({ endpoints: ['models'] })).toMatchObject({ exit_code: 0, warnings: [] });
  expect(readdirSync(dir)).toEqual(['2025-07-01', '2026-07-14', '2100-01-01', '2100-01-02']);
  expect(await rig.workingRows('from meta.rejects')).toEqual([]);
});

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
  const end = (error: Error) => withOpenRun(request, rig.context, ({ run }) => runToEnd(run, failing(error)));
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
