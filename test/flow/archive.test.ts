import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { silentLog } from '../../src/log.ts';
import { openRig } from './rig.ts';

it('an old file of the archive that cannot be removed is a warning of a run that went well', async () => {
  const told: string[] = [];
  const log = { ...silentLog, info: (event: string) => void told.push(event) };
  await using rig = await openRig({ world: 'small', today: '2026-07-14', startDate: '2026-07-10', log });
  const name = '20250101T030000Z-aaaaaaaa.ndjson.gz';
  mkdirSync(join(rig.config.raw.dir, '2025-01-01', name), { recursive: true });
  // Age counts from the run before.
  mkdirSync(join(rig.config.raw.dir, '2026-07-13', '20260713T030000Z-aaaaaaaa.ndjson.gz'), {
    recursive: true,
  });
  const report = await rig.sync({ endpoints: ['models'] });
  expect(report).toMatchObject({ status: 'ok', exit_code: 0, failures: [], duration_ms: 0 });
  expect(report.published).not.toBeNull();
  expect(told).not.toContain('archive.pruned');
  expect(report.warnings).toEqual([
    expect.stringMatching(new RegExp(`raw\\.keep_days .* \\(1 in all\\): .*${name}`)),
  ]);
  expect(await rig.workingRows('select status, exit_code from meta.runs')).toEqual([
    { status: 'ok', exit_code: 0 },
  ]);
});
