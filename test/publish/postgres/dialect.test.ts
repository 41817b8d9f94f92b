import { expect, it } from 'vitest';
import { inPostgres } from '../../../src/publish/postgres/dialect.ts';
import { viewQueries } from '../../../src/publish/postgres/views.ts';
import { readViewFiles } from '../../../src/publish/views.ts';

it('every view of sql/views has a query for PostgreSQL', () => {
  const created = readViewFiles().flatMap(({ sql }) => sql.match(/^create view main\.\w+/gm) ?? []);
  expect([...viewQueries().keys()].map((name) => `create view ${name}`)).toEqual(created);
  expect(created.length).toBeGreaterThanOrEqual(45);
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
  /\bto_json\(|\bregexp_matches\(|\bdatediff\(|\bdate_diff\(|\bepoch/,
];

it('no view says in PostgreSQL what only DuckDB understands', () => {
  const said = [...viewQueries()].flatMap(([name, query]) => {
    const sql = inPostgres(query).replaceAll(/--.*|'(?:[^']|'')*'/g, "''");
    return FOREIGN.filter((sign) => sign.test(sql)).map((sign) => `${name}: ${String(sign)}`);
  });
  expect(said).toEqual([]);
});

it.each([
  ['try_cast(value as date)', 'meta.try_date(value)'],
  [
    "try_cast(\n  coalesce(f(a, 'as double'), b) as double\n)",
    "meta.try_double(coalesce(f(a, 'as double'), b))",
  ],
  ['cast(x as double)', 'cast(x as double precision)'],
  ['100.0 * hits / nullif(total, 0)', "double precision '100.0' * hits / nullif(total, 0)"],
  ['order by a desc, b desc nulls last', 'order by a desc nulls last, b desc nulls last'],
  ['select \'desc\', "desc" -- desc\n', 'select \'desc\', "desc" -- desc\n'],
  [
    'max_by(a, coalesce(b, 0)) as c',
    '(array_agg(a order by coalesce(b, 0) desc nulls last) filter (where a is not null and coalesce(b, 0) is not null))[1] as c',
  ],
  [
    "max_by(a, b) filter (where c = ')') as d",
    "(array_agg(a order by b desc nulls last) filter (where a is not null and b is not null and c = ')'))[1] as d",
  ],
])('%j is %j in PostgreSQL', (query, expected) => {
  expect(inPostgres(query)).toBe(expected);
});
