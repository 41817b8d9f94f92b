import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { isDeepStrictEqual, promisify } from 'node:util';
import { format } from 'prettier';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { coreKeys } from '../../src/endpoints/catalogue.ts';
import { openRig } from '../flow/rig.ts';
import { json, openScriptedServer } from '../support/scripted-server.ts';
import { openWorld } from '../views/world.ts';
import { columnFacts, readCatalogue, type Relation } from '../../scripts/integrations/catalogue.ts';
import { dataDictionary } from '../../scripts/integrations/data-dictionary.ts';
import { dbtSources } from '../../scripts/integrations/dbt-sources.ts';
import { readExamples } from '../../src/guide/examples.ts';
import { grafanaDashboard, grafanaStatements } from '../../scripts/integrations/grafana.ts';
import { metabaseCards } from '../../scripts/integrations/metabase.ts';
import { supersetBundle } from '../../scripts/integrations/superset.ts';
import {
  alertRules,
  metricsOf,
  operationsDashboard,
  type Metric,
} from '../../scripts/integrations/operations.ts';
import { queueMetrics } from '../../src/daemon/serve/metrics.ts';
import { measured, queueState } from '../daemon/serve/measured.ts';
import { warehouseScripts } from '../../scripts/integrations/warehouses.ts';
import { DETAIL_KEYS, VIEW_KEYS } from '../../src/guide/view-keys.ts';

const FOLDER = '../../integrations';
const STYLE = { singleQuote: true, printWidth: 110, trailingComma: 'all' } as const;

const catalogue = await readOwnCatalogue();
const small = await openRig({ world: 'small', today: '2026-07-14', startDate: '2026-06-20' });
await small.sync();
afterAll(() => small[Symbol.asyncDispose]());

async function readOwnCatalogue(): Promise<Relation[]> {
  await using world = await openWorld();
  return await readCatalogue(world.connection);
}

/** Formatting takes seconds, so it is left to files that say something else. */
async function expectFile(path: string, text: string): Promise<void> {
  const url = new URL(`${FOLDER}/${path}`, import.meta.url);
  if (existsSync(url) && isDeepStrictEqual(parse(readFileSync(url, 'utf8')), parse(text))) return;
  const parser = path.endsWith('.json') ? 'json' : 'yaml';
  await expect(await format(text, { ...STYLE, parser })).toMatchFileSnapshot(`${FOLDER}/${path}`);
}

it('dbt has a source for every view and core table, with the comments of the catalogue', async () => {
  const text = dbtSources(catalogue);
  await expectFile('dbt/models/sources.yml', text);
  const { sources } = parse(text) as {
    sources: { schema: string; tables: { name: string; config?: object }[] }[];
  };
  const fresh = sources.flatMap(({ tables }) => tables.flatMap(({ name, config }) => (config ? name : [])));
  expect(fresh).toEqual(['sync_freshness']);
  expect(sources.map(({ schema, tables }) => [schema, tables.length])).toEqual([
    ['main', Object.keys(VIEW_KEYS).length],
    ['detail', Object.keys(DETAIL_KEYS).length],
    ['core', coreKeys.size],
  ]);
});

it('Superset has a dataset for every view, with the columns of the catalogue', async () => {
  const files = supersetBundle(catalogue);
  const folder = new URL(`${FOLDER}/superset/`, import.meta.url);
  mkdirSync(new URL('datasets/answerlake/', folder), { recursive: true });
  for (const [path, text] of files) await expectFile(`superset/${path}`, text);
  const written = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  expect(written.filter((path) => path.endsWith('.yaml') && !files.has(path))).toEqual([]);
});

it('Superset has metrics that run, and sums nothing that must not be summed', async () => {
  const metrics = [...supersetBundle(catalogue)].flatMap(([path, text]) => {
    const { table_name: view, metrics = [] } = parse(text) as {
      table_name?: string;
      metrics?: { expression: string }[];
    };
    return path.startsWith('datasets/') ? metrics.map(({ expression }) => ({ view, expression })) : [];
  });
  expect(metrics.length).toBeGreaterThan(20);
  for (const { view, expression } of metrics) await small.rows(`select ${expression} from main.${view}`);
  const summed = metrics.map(({ view, expression }) => `${view}: ${expression}`);
  expect(summed).toContain('ai_traffic: sum(crawler_requests_count)');
  expect(
    summed.filter((each) => /(?<!100\.0 \* )sum\([a-z_]*(pct|visibility|sentiment|rank)\)/.test(each)),
  ).toEqual([]);
});

it('Grafana has the dashboard that is written down', async () => {
  const text = JSON.stringify(grafanaDashboard());
  await expectFile('grafana/answerlake.json', text);
  for (const sql of grafanaStatements().values()) expect(text).toContain(JSON.stringify(sql));
});

/** A statement of the dashboard for all projects and some days. */
function plainOf(sql: string, days: string): string {
  const ofAll = sql.replaceAll('project_id in ($project)', 'true');
  return ofAll.replaceAll(/\$__timeFilter\(([^)]+)\)/g, days);
}

it('Grafana ends no line with the part of a day that the sync saw', async () => {
  const lines = [...grafanaStatements()].filter(([, sql]) => sql.includes('as value'));
  expect(lines.length).toBeGreaterThan(3);
  for (const [name, sql] of lines) {
    const [newest] = await small.rows(
      `select cast(max("time") as date) as day from (${plainOf(sql, 'true')})`,
    );
    expect(newest, name).toEqual({ day: '2026-07-13' });
  }
});

// The world of the rig is months old, so its endpoints are stale.
it('Grafana draws every panel with data but that of months not over, stale endpoints among them', async () => {
  const empty: string[] = [];
  for (const [name, sql] of grafanaStatements()) {
    const rows = await small.rows(plainOf(sql, `$1 between '2026-06-20' and '2026-07-14'`));
    if (rows.length === 0) empty.push(name);
  }
  expect(empty).toEqual(['panel Gap to competitors by model, newest whole month']);
});

it('Warehouses have a script each, which loads every view', async () => {
  for (const [engine, sql] of warehouseScripts(catalogue)) {
    await expect(sql).toMatchFileSnapshot(`${FOLDER}/warehouses/${engine}.sql`);
  }
});

it('Metabase has a saved question for every question of the examples', async () => {
  const cards = metabaseCards(readExamples());
  await expectFile('metabase/questions.json', JSON.stringify(cards));
  expect(cards).toHaveLength(readExamples().length);
});

it('Metabase draws charts of columns that the question returns', () => {
  const examples = readExamples();
  const drawn = metabaseCards(examples).flatMap(({ visualization_settings: settings }, index) =>
    Object.values(settings)
      .flat()
      .filter((column) => !examples[index]?.columns.includes(String(column))),
  );
  expect(drawn).toEqual([]);
});

it('the Metabase import posts one collection and every question, with the key only in the header', async () => {
  await using server = await openScriptedServer(() => json({ id: 7 }));
  const env = { ...process.env, MB_URL: server.origin, MB_API_KEY: 'mb_1', MB_DATABASE_ID: '3' };
  const { stdout } = await promisify(execFile)(process.execPath, ['integrations/metabase/import.mjs'], {
    env,
  });
  const cards = metabaseCards(readExamples());
  expect(stdout).toBe(`${cards.length} questions in collection 7\n`);
  expect(server.seen.map(({ url, headers }) => [url, headers['x-api-key']])).toEqual([
    ['/api/collection', 'mb_1'],
    ...cards.map(() => ['/api/card', 'mb_1']),
  ]);
  expect(server.seen.slice(1).map(({ body }): unknown => JSON.parse(body))).toEqual(
    cards.map((card) => ({
      ...card,
      collection_id: 7,
      dataset_query: { ...card.dataset_query, database: 3 },
    })),
  );
});

describe('operations', () => {
  const page = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8');
  let metrics: Metric[];
  beforeAll(async () => {
    const { metrics: schedule, page: measuredPage } = measured();
    metrics = metricsOf((await schedule.text(measuredPage)) + (await queueMetrics(queueState())));
  });

  it('Prometheus has a rule for each alert of the page for operators', async () => {
    const rules = alertRules(page);
    await expectFile('prometheus/alerts.yaml', stringify(rules));
    expect(page.match(/^\| `Answerlake/gm)).toHaveLength(rules.groups[0]?.rules.length ?? 0);
  });

  it('alert rules and the dashboard of operations name only metrics that are there', async () => {
    await expectFile('grafana/operations.json', JSON.stringify(operationsDashboard(metrics)));
    const text = JSON.stringify([alertRules(page), operationsDashboard(metrics)]);
    const expressions = [...text.matchAll(/"expr":"((?:[^"\\]|\\.)*)"/g)].map(([, one]) => one).join('\n');
    const named = expressions.match(/answerlake_\w+/g) ?? [];
    const names = new Set(named.map((name) => name.replace(/_bucket$/, '')));
    expect(names.size).toBeGreaterThan(30);
    expect([...names].filter((name) => !metrics.some((one) => one.name === name))).toEqual([]);
  });
});

it('the data dictionary is what the catalogue says', async () => {
  await expect(dataDictionary(catalogue)).toMatchFileSnapshot('../../docs/data-dictionary.md');
});

it('the data dictionary gives every view a key of columns that it has', () => {
  const views = catalogue.filter(({ schema }) => schema === 'main');
  expect(views.map(({ name }) => name).toSorted()).toEqual(Object.keys(VIEW_KEYS).toSorted());
  const unknown = views.flatMap(({ name, key, columns }) =>
    key.filter((part) => columns.every((column) => column.name !== part)).map((part) => `${name}.${part}`),
  );
  expect(unknown).toEqual([]);
});

it('the data dictionary says of every measure of a view whether it adds up', () => {
  const silent = catalogue
    .filter(({ schema, name }) => schema === 'main' && !name.startsWith('sync_'))
    .flatMap(({ name, columns }) =>
      columns
        .filter((column) => /_(pct|points|visits|requests|mentions|citations_count)$/.test(column.name))
        .filter((column) => columnFacts(column).additivity === '')
        .map((column) => `${name}.${column.name}`),
    );
  expect(silent).toEqual([]);
});

const PAGES = readdirSync('docs/bi').map((name) => ({
  name,
  text: readFileSync(`docs/bi/${name}`, 'utf8'),
}));
const RECIPES = PAGES.filter(({ name }) => name !== 'README.md');

it('the recipes are all in the table of contents', () => {
  const contents = PAGES.find(({ name }) => name === 'README.md')?.text ?? '';
  expect(RECIPES.filter(({ name }) => !contents.includes(`(${name})`))).toEqual([]);
});

it.each(RECIPES)(
  '$name says what it needs, how to open read-only, how new data appears, what goes wrong',
  ({ text }) => {
    for (const part of [/\*\*Needs\*\*/, /^## .*read-only$/m, /^## New data$/m, /^## What goes wrong$/m])
      expect(text).toMatch(part);
  },
);

it.each(PAGES)('$name shows SQL that runs, on views that exist', async ({ text }) => {
  for (const [, sql = ''] of text.matchAll(/```sql\n([^`]*)```/g)) {
    for (const statement of sql.split(';').filter((part) => part.trim() !== '')) await small.rows(statement);
  }
  const named = [...text.matchAll(/\bmain\.([a-z_]+)/g)].map(([, view = '']) => view);
  expect(named.filter((view) => !(view in VIEW_KEYS))).toEqual([]);
});
