import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { toDay } from '../../src/day.ts';
import { newRunId } from '../../src/load/load-run.ts';
import { archivePath } from '../../src/load/raw-archive.ts';
import { silentLog } from '../../src/log.ts';
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

it('a run removes from the archive what is old by its own clock', async () => {
  await using rig = await openRig(SMALL);
  const { dir } = rig.config.raw;
  // Runs of the future, so that age does not count from the run before.
  for (const day of ['2025-06-01', '2025-07-01', '2100-01-01', '2100-01-02']) {
    const path = archivePath(dir, toDay(day), newRunId(Date.parse(day)));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, '');
  }
  expect(await rig.sync({ endpoints: ['models'] })).toMatchObject({ exit_code: 0, warnings: [] });
  expect(readdirSync(dir)).toEqual(['2025-07-01', '2026-07-14', '2100-01-01', '2100-01-02']);
});
