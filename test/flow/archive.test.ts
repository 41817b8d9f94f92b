import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
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
