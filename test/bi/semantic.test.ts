import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { readCatalogue } from '../../scripts/integrations/catalogue.ts';
import { dbtModels, FIGURES, metricFlow, ossieDocument } from '../../scripts/integrations/semantic.ts';
import { GOVERNED } from '../../src/guide/governed.ts';
import { answerMetric } from '../../src/guide/metric.ts';
import { openDatabase } from '../../src/warehouse/database.ts';
import { openDemoWorld } from './demo-world.ts';

const { path, file, rows, id } = await openDemoWorld();
await using database = await openDatabase({ path, readOnly: true });
const catalogue = await readCatalogue(await database.connect());
const ossie = ossieDocument(catalogue, 'answers');

it('the models of dbt run over the views and have the columns that MetricFlow names', async () => {
  const { semantic_models: models } = parse(metricFlow(catalogue)) as {
    semantic_models: { name: string; measures: { expr: string }[]; dimensions: { name: string }[] }[];
  };
  const columns: Record<string, string[]> = {};
  for (const [view, sql] of dbtModels(catalogue)) {
    const plain = sql.replaceAll(/\{\{ source\('answerlake', '(\w+)'\) \}\}/g, 'main.$1');
    const found = await rows(`select column_name as name from (describe ${plain})`);
    columns[view] = found.map(({ name }) => String(name));
  }
  expect(models.map(({ name }) => name).toSorted()).toEqual(Object.keys(columns).toSorted());
  const missing = models.flatMap(({ name, measures, dimensions }) =>
    [...measures.map(({ expr }) => expr), ...dimensions.map((one) => one.name)].filter(
      (column) => !columns[name]?.includes(column),
    ),
  );
  expect(missing).toEqual([]);
});

const expression = z.object({ dialects: z.tuple([z.object({ expression: z.string() })]) });
const document = z
  .object({
    version: z.literal('0.1.1'),
    semantic_model: z.tuple([
      z.object({
        datasets: z.array(
          z.object({ name: z.string(), fields: z.array(z.object({ name: z.string(), expression })) }),
        ),
        metrics: z.array(z.object({ name: z.string(), expression })),
      }),
    ]),
  })
  .parse(ossie).semantic_model[0];

it.each(document.metrics.map(({ name, expression }) => [name, expression.dialects[0].expression] as const))(
  'the expression of %s in the semantic file gives what the tool metric gives',
  async (name, text) => {
    const view = /\((\w+)\./.exec(text)?.[1] ?? '';
    const fields = document.datasets.find((one) => one.name === view)?.fields ?? [];
    const columns = fields.map((one) => `${one.expression.dialects[0].expression} as "${one.name}"`);
    const [own] = await rows(
      `select ${text} as value from (select ${columns.join(', ')} from main.${view}) ${view}
       where date between '2026-06-01' and '2026-06-30' and project_id = '${id}'`,
    );
    const { result } = await answerMetric(file, {
      name: name.replace('_by_model', ''),
      project: id,
      from: '2026-06-01',
      to: '2026-06-30',
    });
    const index = result.columns.findIndex((column) => column.name === 'value');
    expect(Number(own?.['value'])).toBeCloseTo(Number(result.rows[0]?.[index]?.text), 3);
  },
);

it('MetricFlow and Ossie have the same figures, each with a unit, a grain and what adds up', () => {
  const { metrics } = parse(metricFlow(catalogue)) as {
    metrics: { name: string; config?: { meta: Record<string, string> } }[];
  };
  const governed = metrics.filter(({ config }) => config !== undefined);
  expect(governed.map(({ name }) => name)).toEqual(document.metrics.map(({ name }) => name));
  expect(governed.map(({ name }) => name)).toEqual(FIGURES.map(({ name }) => name));
  for (const { config } of governed)
    expect(Object.keys(config?.meta ?? {}).toSorted()).toEqual(['additivity', 'grain', 'unit']);
});

it('the pages of dbt and of the semantic files count the figures, metrics and models that the build writes', () => {
  const { metrics, semantic_models: models } = parse(metricFlow(catalogue)) as Record<string, unknown[]>;
  const figures = document.metrics.length;
  const page = readFileSync('docs/bi/dbt.md', 'utf8');
  expect(page).toContain(`${String(metrics?.length)} metrics (${String(figures)} figures,`);
  const words = ['five', 'six', 'seven', 'eight', 'nine'];
  expect(page).toContain(`MetricFlow metrics over ${words[(models?.length ?? 0) - 5] ?? ''} models`);
  expect(readFileSync('docs/semantic.md', 'utf8')).toContain(
    `The ${String(GOVERNED.length)} governed figures`,
  );
});
