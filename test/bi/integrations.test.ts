import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterAll, expect, it } from 'vitest';
import { parse } from 'yaml';
import { coreKeys } from '../support/catalogue.ts';
import { openRig } from '../flow/rig.ts';
import { json, openScriptedServer } from '../support/scripted-server.ts';
import { openWorld } from '../views/world.ts';
import { addingSentence } from '../../src/warehouse/meaning.ts';
import { readCatalogue, type Relation } from '../../scripts/integrations/catalogue.ts';
import { dataDictionary } from '../../scripts/integrations/data-dictionary.ts';
import { dbtSources } from '../../scripts/integrations/dbt-sources.ts';
import { readExamples } from '../../src/guide/examples.ts';
import { grafanaDashboard, grafanaStatements } from '../../scripts/integrations/grafana.ts';
import { metabaseCards } from '../../scripts/integrations/metabase.ts';
import { supersetBundle } from '../../scripts/integrations/superset.ts';
import { operationsDashboard } from '../../scripts/integrations/operations.ts';
import { readTexts } from '../../src/config/yaml.ts';
import { queueMetrics } from '../../src/daemon/serve/metrics.ts';
import { measured, queueState } from '../daemon/serve/measured.ts';
import { warehouseScripts } from '../../scripts/integrations/warehouses.ts';
import { DETAIL_KEYS, VIEW_KEYS } from '../../src/guide/view-keys.ts';

const catalogue = await readOwnCatalogue();
const small = await openRig({ world: 'small', today: '2026-07-14', startDate: '2026-06-20' });
await small.sync();
afterAll(() => small[Symbol.asyncDispose]());

async function readOwnCatalogue(): Promise<Relation[]> {
  await using world = await openWorld();
  return await readCatalogue(world.connection);
}

it('dbt has a source for every view and core table, with the comments of the catalogue', async () => {
  const { sources } = parse(dbtSources(catalogue)) as {
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

const superset = [...supersetBundle(catalogue)].map(([path, text]) => ({
  path,
  ...(parse(text) as {
    uuid?: string;
    table_name?: string;
    sql?: string | null;
    columns?: { column_name: string }[];
    metrics?: { expression: string }[];
    dataset_uuid?: string;
    database_uuid?: string;
    position?: Record<string, { meta?: { uuid?: string } }>;
  }),
}));

it('Superset has a dataset for every view, with the columns of the catalogue', () => {
  const datasets = superset.flatMap(({ table_name: name, columns = [] }) =>
    name === undefined ? [] : [[name, columns.map((column) => column.column_name)]],
  );
  const views = catalogue.filter(({ schema }) => schema === 'main');
  const labelled = (names: string[]): string[] =>
    names.includes('project_id') ? [...new Set([...names, 'project_label'])] : names;
  expect(datasets).toEqual(
    views.map(({ name, columns }) => [name, labelled(columns.map((column) => column.name))]),
  );
});

it('Superset and Grafana draw two projects of one name apart', async () => {
  const selects = superset.flatMap(({ sql, columns = [] }) => (sql ? [{ sql, columns }] : []));
  for (const { sql, columns } of selects)
    await small.rows(
      `select ${columns.map((column) => column.column_name).join(', ')} from (${sql}) limit 0`,
    );
  const charts = superset.filter(({ path }) => /^(charts|dashboards)/.test(path));
  for (const text of [...charts.map((chart) => JSON.stringify(chart)), ...grafanaStatements().values()])
    expect(text).not.toContain('project_name');
});

it('every id that a file of the Superset bundle names is that of another file', () => {
  const ids = superset.flatMap(({ uuid }) => uuid ?? []);
  expect(new Set(ids).size).toBe(superset.length - 1);
  const named = superset.flatMap(({ dataset_uuid: dataset, database_uuid: database, position = {} }) => [
    ...Object.values(position).flatMap(({ meta }) => meta?.uuid ?? []),
    ...[dataset, database].flatMap((id) => id ?? []),
  ]);
  expect(named.length).toBeGreaterThan(superset.length);
  expect(named.filter((id) => !ids.includes(id))).toEqual([]);
});

it('Superset has metrics that run, and sums nothing that must not be summed', async () => {
  const metrics = superset.flatMap(({ table_name: view, metrics = [] }) =>
    metrics.map(({ expression }) => ({ view, expression })),
  );
  expect(metrics.length).toBeGreaterThan(20);
  for (const { table_name: view, metrics: own = [] } of superset)
    if (own.length > 0)
      await small.rows(`select ${own.map(({ expression }) => expression).join(', ')} from main.${view}`);
  const summed = metrics.map(({ view, expression }) => `${view}: ${expression}`);
  expect(summed).toContain('ai_traffic: sum(crawler_requests_count)');
  expect(
    summed.filter((each) => /(?<!100\.0 \* )sum\([a-z_]*(pct|visibility|sentiment|rank)\)/.test(each)),
  ).toEqual([]);
});

it('Grafana has every statement in its dashboard', () => {
  const text = JSON.stringify(grafanaDashboard());
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

it('each of six warehouses has a script that creates, loads and counts every view', () => {
  const scripts = warehouseScripts(catalogue);
  expect([...scripts.keys()].toSorted()).toEqual([
    'bigquery',
    'clickhouse',
    'databricks',
    'postgres',
    'redshift',
    'snowflake',
  ]);
  for (const [engine, sql] of scripts) {
    for (const statement of ['create table if not exists', 'delete from', 'insert into', "select '"]) {
      const found = sql.match(new RegExp(`^${statement}(?! ?answerlake.manifest)`, 'gm'));
      expect([engine, statement, found?.length]).toEqual([engine, statement, Object.keys(VIEW_KEYS).length]);
    }
  }
});

it('Metabase has a saved question for every question of the examples', () => {
  const queries = metabaseCards(readExamples()).map(({ dataset_query: query }) => query.native.query);
  for (const [index, { name, sql }] of readExamples().entries()) expect(queries[index], name).toContain(sql);
});

it('Metabase draws charts of columns that the question returns, and two projects of one name apart', async () => {
  const drawn = metabaseCards(readExamples()).filter(({ display }) => display !== 'table');
  expect(drawn.length).toBeGreaterThan(3);
  for (const { dataset_query: query, visualization_settings: settings } of drawn) {
    const columns = Object.values(settings).flat();
    expect(columns).toContain('project_label');
    await small.rows(`select ${columns.join(', ')} from (${query.native.query}) limit 0`);
  }
});

it('the Metabase import posts one collection and every question, with the key only in the header', async () => {
  await using server = await openScriptedServer(() => json({ id: 7 }));
  const env = { ...process.env, MB_URL: server.origin, MB_API_KEY: 'mb_1', MB_DATABASE_ID: '3' };
  const { stdout } = await promisify(execFile)(process.execPath, ['dist/starters/metabase/import.mjs'], {
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

const ALERT = /^\| `(Answerlake\w+)` +\| `([^`]+)` +\| (.+?) +\| (.+?) +\|$/gm;
const RULES = readFileSync('integrations/prometheus/alerts.yaml', 'utf8');

it('Prometheus has a rule for each alert of the page for operators, with its words', () => {
  const plain = (text: string): string => text.replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1');
  const rules = [...readFileSync('docs/operations.md', 'utf8').matchAll(ALERT)].map(
    ([, alert, expr, summary = '', description = '']) => ({
      alert,
      expr,
      for: '5m',
      labels: { severity: 'warning' },
      annotations: { summary: plain(summary), description: plain(description) },
    }),
  );
  expect(rules.length).toBeGreaterThan(15);
  expect(parse(RULES)).toEqual({ groups: [{ name: 'answerlake', rules }] });
});

it('the dashboard of operations has a panel for each metric, and alerts name no other', async () => {
  const { metrics: schedule, page } = measured();
  const text = (await schedule.text(page)) + (await queueMetrics(queueState()));
  const metrics = [...text.matchAll(/^# HELP (\w+) (.*)\n# TYPE \w+ (\w+)$/gm)].map(
    ([, name = '', help = '', type = '']) => ({ name, help, type }),
  );
  const { panels } = operationsDashboard(readTexts('metrics.yaml')) as {
    panels: { description: string; targets: [{ expr: string }] }[];
  };
  const shown = panels.map(({ description, targets: [{ expr }] }) => {
    const name = /answerlake_\w+/.exec(expr)?.[0].replace(/_bucket$/, '') ?? '';
    const type = expr.startsWith('histogram')
      ? 'histogram'
      : /^(?:rate|increase)/.test(expr)
        ? 'counter'
        : 'gauge';
    return { name, help: description, type };
  });
  const ofProcess = /_(process|nodejs)_/;
  expect(shown.filter(({ name }) => ofProcess.test(name))).toHaveLength(3);
  expect(metrics).toEqual(expect.arrayContaining(shown));
  expect(shown).toEqual(expect.arrayContaining(metrics.filter(({ name }) => !ofProcess.test(name))));
  const named = RULES.match(/answerlake_\w+/g) ?? [];
  expect(named.filter((name) => !metrics.some((one) => one.name === name))).toEqual([]);
});

it('the data dictionary begins with the page on the views and has a part for every view and table, with all columns', () => {
  const page = readFileSync('docs/views.md', 'utf8');
  const text = dataDictionary(page, catalogue);
  expect(text).toContain(page.slice(page.indexOf('\n')));
  const parts = [...text.matchAll(/^### (\S+)\n([^]*?)(?=^###? |(?![^]))/gm)];
  const listed = parts.map(([, name, part = '']) => {
    return [name, [...part.matchAll(/^\| `(\w+)`/gm)].map(([, one]) => one)] as const;
  });
  // Of a view that `main` has too, "detail" lists what differs.
  const namesOf = (wanted: string): string[] =>
    catalogue.flatMap(({ schema, name, columns }) =>
      `${schema}.${name}` === wanted ? columns.map((column) => column.name) : [],
    );
  const missing = catalogue.flatMap(({ schema, name }) => {
    const own = listed.find(([one]) => one === `${schema}.${name}`)?.[1] ?? [];
    const twin = schema === 'detail' ? namesOf(`main.${name}`) : [];
    return namesOf(`${schema}.${name}`).filter((column) => ![...own, ...twin].includes(column));
  });
  expect([listed.map(([name]) => name), missing]).toEqual([
    catalogue.map(({ schema, name }) => `${schema}.${name}`),
    [],
  ]);
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
        .filter((column) => addingSentence(column) === '')
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
