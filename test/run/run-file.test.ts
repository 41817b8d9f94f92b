import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { workingPath } from '../../src/warehouse/working-file.ts';
import { openRig, SMALL } from '../flow/rig.ts';

test('the report of a run warns of a damaged working file that it has set aside', async () => {
  await using rig = await openRig(SMALL);
  writeFileSync(workingPath(rig.config.warehouse.path), 'rubbish'.repeat(9999));
  const { exit_code: code, warnings } = await rig.pull({ endpoints: ['models'] });
  expect([code, warnings]).toEqual([0, [expect.stringContaining('.work.duckdb.corrupt-20260714T030000Z')]]);
});
