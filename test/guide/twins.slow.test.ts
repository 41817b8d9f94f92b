import { copyFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { compareMetric } from '../../src/guide/compare.ts';
import { explainResult, tellMetric } from '../../src/guide/tools.ts';
import { openPublishedFile } from '../../src/publish/published-file.ts';
import { readAge } from '../../src/warehouse/freshness.ts';
import { openDemoWorld } from '../bi/demo-world.ts';
import { changeFile } from '../support/file-reader.ts';
import { Scratch } from '../support/folder.ts';

const demo = await openDemoWorld();

it('two projects of one name are told apart in figures, warnings, lists and ages', async () => {
  using scratch = new Scratch();
  const path = scratch.path('twins.duckdb');
  copyFileSync(demo.path, path);
  await changeFile(
    path,
    `update core.projects set name = '${demo.name}';
     delete from meta.asked_days where endpoint = 'citation_ranks' and date = date '2026-06-10'`,
  );
  await using file = await openPublishedFile(path);
  const named = `select project_label as label from main.projects where project_id = '${demo.id}'`;
  const [{ label } = { label: '' }] = await file.rowsAs(z.object({ label: z.string() }), named);
  expect(label).toMatch(new RegExp(`^${demo.name} \\(.+\\)$`));
  const past = { name: 'visibility', from: '2020-01-01', to: '2020-01-31' };
  await expect(tellMetric(file, past)).rejects.toThrow(`${label} (2026-05-01 to`);
  const { result } = await compareMetric(file, { name: 'visibility' });
  expect(result.rows[0]?.[0]?.text).toBe(label);
  const sql = "select sum(citations_count) from daily_kpis where date >= date '2026-05-01'";
  const { warnings } = await explainResult(file, sql, false);
  expect(warnings.join('\n')).toContain(`citation_ranks of ${label} 2026-06-10`);
  expect((await readAge(file, { now: Date.now() }))?.stale[0]?.project).toBe(label);
});
