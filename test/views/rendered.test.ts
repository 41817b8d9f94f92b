import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readViews } from '../../src/publish/views.ts';
import { SQL_FOLDER } from '../../src/warehouse/sql.ts';

const namesIn = (dialect: 'duckdb' | 'postgres'): string[] =>
  readViews(dialect).flatMap(({ sql }) =>
    [...sql.matchAll(/^create (?:or replace )?view (main\.\w+)/gm)].map(([, name = '']) => name),
  );

it('PostgreSQL has the views of DuckDB in the same order', () => {
  expect(namesIn('postgres')).toEqual(namesIn('duckdb'));
  expect(namesIn('duckdb').length).toBeGreaterThanOrEqual(45);
});

/** What DuckDB understands and PostgreSQL does not. */
const FOREIGN = [
  /\bqualify\b/,
  /\bgroup by all\b/,
  /\border by all\b/,
  /\* (replace|exclude) /,
  /\binterval \d/,
  /\btry_cast\(/,
  /\b(arg_|max_by|min_by|any_value|quantile|list_|struct_)\w*\(/,
  /\['/,
  /\bas double\b(?! precision)/,
  /\bdesc\b(?! nulls)/,
  /\bregexp_matches\(|\bdatediff\(|\bdate_diff\(|\bepoch/,
];

it('no view says in PostgreSQL what only DuckDB understands', () => {
  const said = readViews('postgres').flatMap(({ name, sql }) => {
    const code = sql.replaceAll(/--.*|'(?:[^']|'')*'/g, "''");
    return FOREIGN.filter((sign) => sign.test(code)).map((sign) => `${name}: ${String(sign)}`);
  });
  expect(said).toEqual([]);
});

it('the dialect of PostgreSQL changes neither texts nor comments', () => {
  const texts = (dialect: 'duckdb' | 'postgres'): string[][] =>
    readViews(dialect).map(({ sql }) => sql.match(/^comment on .*;$/gm) ?? []);
  expect(texts('postgres')).toEqual(texts('duckdb'));
});

const templates = new Map(
  ['views', 'macros'].flatMap((folder) =>
    readdirSync(join(SQL_FOLDER, folder)).map((file): [string, string] => [
      file,
      readFileSync(join(SQL_FOLDER, folder, file), 'utf8'),
    ]),
  ),
);

/** The templates that a view is made from: its own, those of the views that it reads, and the macros of all of them. */
function templatesBehind(view: string, found = new Set<string>()): Set<string> {
  const [file, text = ''] =
    [...templates].find(([name, sql]) => name === view || sql.includes(`create view main.${view} as`)) ?? [];
  if (file === undefined) throw new Error(`no template makes ${view}`);
  if (found.has(file)) return found;
  found.add(file);
  const read = [...text.matchAll(/(?:from|join) main\.(\w+)|from "(\w+\.sql)"/g)];
  for (const [, other, macros] of read) templatesBehind(other ?? macros ?? '', found);
  return found;
}

it('a wrong row of daily_kpis leads through seven templates', () => {
  expect([...templatesBehind('daily_kpis')].toSorted()).toEqual([
    '01_sync_days.sql',
    '03_project_days.sql',
    '05_event_annotations.sql',
    '08_daily_kpis.sql',
    'changes.sql',
    'days.sql',
    'figures.sql',
  ]);
});

it('which statuses count as answered is written in the macros alone', () => {
  const others = [...templates].filter(
    ([, sql]) => sql.includes("'not_enabled',") && sql.includes("'truncated'"),
  );
  expect(others.map(([file]) => file)).toEqual([]);
});
