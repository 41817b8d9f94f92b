// Renders the views of `sql/views` (Jinja) into plain SQL: `dist/sql/duckdb` and `dist/sql/postgres`. Then writes the starters, which describe them.

import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import nunjucks from 'nunjucks';
import { parse } from 'yaml';
import { writeStarters } from '../dist/scripts/integrations/write.js';
import { openCatalogue } from '../dist/src/endpoints/catalogue.js';
import { RENDERED_FOLDER } from '../dist/src/publish/published-file.js';
import { ANSWERED_STATUSES, periodEndSql } from '../dist/src/believe/terms.js';
import { postgresType } from '../dist/src/targets/postgres/rows.js';
import { openMemoryDatabase } from '../dist/src/warehouse/database.js';
import { upgrade } from '../dist/src/warehouse/migrate.js';
import { quoteIdentifier, quoteLiteral, SQL_FOLDER } from '../dist/src/warehouse/sql.js';

/** Everything in which the two databases differ; functions that DuckDB has and PostgreSQL lacks are in `sql/postgres`. */
const DIALECTS = {
  duckdb: {
    try_cast: (value, type) => `try_cast(${value} as ${type})`,
    max_by(value, by, condition = '') {
      return `max_by(${value}, ${by})${condition === '' ? '' : ` filter (where ${condition})`}`;
    },
    // Of two instants in UTC: `now()::timestamp` is local time.
    age_hours: (instant) => `(epoch(now()) - epoch(${instant})) / 3600.0`,
    create_schema: (name) => `create schema if not exists ${name};`,
    text_function: (name, body) => `create or replace macro main.${name}(input) as\n${body};`,
    words: [],
  },
  postgres: {
    // The target has created its schemas before, because `if not exists` needs the right to create one.
    age_hours: (instant) =>
      `cast((extract(epoch from now()) - extract(epoch from ${instant})) / 3600.0 as double)`,
    create_schema: () => '',
    try_cast: (value, type) => `meta.try_${type}(${value})`,
    max_by(value, by, condition = '') {
      const found = [`${value} is not null`, `${by} is not null`, ...(condition === '' ? [] : [condition])];
      return `(array_agg(${value} order by ${by} desc) filter (where ${found.join(' and ')}))[1]`;
    },
    text_function: (name, body) =>
      `create or replace function main.${name}(input text) returns text\nlanguage sql stable strict parallel safe\nas $$ select ${body} $$;`,
    words: [
      [/\bas double\b/g, 'as double precision'],
      // A whole number times such a literal is a double in DuckDB, and an exact number, which is slow, in PostgreSQL.
      [/\b(\d+\.\d+) \*/g, "double precision '$1' *"],
      // PostgreSQL puts NULL first where the largest comes first.
      [/\bdesc\b(?! nulls)/g, 'desc nulls last'],
      // The views use any_value only where all values are the same; PostgreSQL before 16 lacks it.
      [/\bany_value\(/g, 'min('],
      [/\blower\(/g, 'meta.lower_case('],
    ],
  },
};

const daily = openCatalogue().asked.filter(({ isDaily }) => isDaily);
const columnComments = parse(readFileSync(join(SQL_FOLDER, 'column-comments.yaml'), 'utf8'));

/** What templates can use beside the macros in `sql/macros`. */
const context = {
  answered_statuses: ANSWERED_STATUSES,
  period_end_of: periodEndSql,
  daily_kpi_endpoints: daily.filter(({ hasDailyKpis }) => hasDailyKpis).map(({ name }) => name),
  daily_tables: daily.flatMap(({ outputs }) =>
    outputs.filter(({ key }) => key.includes('date')).map(({ table }) => table),
  ),
  /** `columns` are names of `sql/column-comments.yaml`; `start = date` puts the comment of `date` on `start`. */
  comments(view, columns) {
    const lines = columns.split(', ').map((entry) => {
      const [column, shared = column] = entry.split(' = ');
      const text = columnComments[shared];
      if (text === undefined) throw new Error(`sql/column-comments.yaml has no ${shared}`);
      return `comment on column ${SCHEMA_OF_VIEW}.${view}.${column} is ${quoteLiteral(text)};`;
    });
    return lines.join('\n');
  },
};

/** Stands for the schema of the view until the file is rendered. */
const SCHEMA_OF_VIEW = '@schema';

/** Comments of \`detail\` that say something else where only whole days of the project remain. */
const IN_MAIN = [
  [/^First day of the period \(UTC\)\.$/, 'Day (UTC).'],
  [/ over periods of one grain/g, ' over days'],
  [/, not over scopes/g, ''],
  [/\bperiods\b/g, 'days'],
  [/\bperiod\b/g, 'day'],
];

/** Writes \`main.<name>\` from \`detail.<name>\`: \`where\` picks its rows; \`figures\` names, by a column that says what is whole, the figures that are NULL elsewhere. */
function safeView(
  columns,
  name,
  { comment, where = 'true', without = [], figures = {}, from = name, isWindow = false },
) {
  const guard = new Map(
    Object.entries(figures).flatMap(([whole, list]) => list.map((figure) => [figure, whole])),
  );
  const left = new Set([...without, ...Object.keys(figures)]);
  const own = columns.filter((column) => column.view === `detail.${from}` && !left.has(column.name));
  if (own.length === 0) throw new Error(`detail.${from} has no columns`);
  const list = own.map((column) => {
    const whole = guard.get(column.name);
    const quoted = quoteIdentifier(column.name);
    return whole === undefined ? `  d.${quoted}` : `  case when d.${whole} then d.${quoted} end as ${quoted}`;
  });
  const comments = own.map((column) => {
    const text = isWindow
      ? column.comment.replace('Do not add windows.', 'Adds up over months.')
      : IN_MAIN.reduce((said, [words, other]) => said.replace(words, other), column.comment);
    return `comment on column main.${name}.${quoteIdentifier(column.name)} is ${quoteLiteral(text)};`;
  });
  return [
    `create view main.${name} as`,
    'select',
    list.join(',\n'),
    `from detail.${from} d`,
    `where ${where};`,
    `comment on view main.${name} is ${quoteLiteral(comment)};`,
    ...comments,
  ].join('\n');
}

/** Renders every view of one database; \`onFile\` gets each file, and gives the columns of the views so far. */
async function render(dialect, onFile) {
  const { words, ...functions } = DIALECTS[dialect];
  const loader = new nunjucks.FileSystemLoader(['views', 'macros'].map((folder) => join(SQL_FOLDER, folder)));
  const templates = new nunjucks.Environment(loader, {
    autoescape: false,
    throwOnUndefined: true,
    trimBlocks: true,
    lstripBlocks: true,
  });
  let columns = [];
  templates.addFilter('quoted', (values) => values.map(quoteLiteral).join(', '));
  for (const [name, value] of Object.entries({ ...context, ...functions })) templates.addGlobal(name, value);
  templates.addGlobal('safe_view', (name, options) => safeView(columns, name, options));
  const files = [];
  for (const file of readdirSync(join(SQL_FOLDER, 'views')).toSorted()) {
    const sql = words.reduce(
      (text, [word, other]) => outsideTexts(text, (part) => part.replaceAll(word, other)),
      withSchemas(templates.render(file)),
    );
    files.push({ file, sql });
    columns = await onFile(sql);
  }
  return files;
}

function withSchemas(sql) {
  const schemas = new Map(
    [...sql.matchAll(/^create view (\w+)\.(\w+) as/gm)].map(([, schema, view]) => [view, schema]),
  );
  return sql.replaceAll(
    new RegExp(`${SCHEMA_OF_VIEW}\\.(\\w+)`, 'g'),
    (_, view) => `${schemas.get(view)}.${view}`,
  );
}

/** Changes text outside quotes and comments. */
function outsideTexts(sql, change) {
  return sql
    .split(/('(?:[^']|'')*'|"[^"]*"|--.*)/)
    .map((part, index) => (index % 2 === 0 ? change(part) : part))
    .join('');
}

/** The columns of all views so far in order, as DuckDB gives them. */
async function readColumns(connection) {
  return await connection.rows(
    `select schema_name || '.' || table_name as view, column_name as name, data_type as type, comment
     from duckdb_columns() where schema_name in ('main', 'detail') and not internal order by view, column_index`,
  );
}

/** Columns have the names and types that they have in DuckDB. */
function withTypes(sql, columns) {
  return sql.replaceAll(/^create view ((?:main|detail)\.\w+) as\n([\s\S]*?);$/gm, (_, view, query) => {
    const casts = columns
      .filter((column) => column.view === view)
      .map(({ name, type }) => {
        const column = quoteIdentifier(name);
        return `cast(v.${column} as ${postgresType(type)}) as ${column}`;
      });
    return `create or replace view ${view} as select ${casts.join(', ')} from (\n${query}\n) v;`;
  });
}

function write(dialect, views) {
  const folder = join(RENDERED_FOLDER, dialect);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const { file, sql } of views) writeFileSync(join(folder, file), sql);
}

const database = await openMemoryDatabase();
const connection = await database.connect();
await upgrade(connection, { tables: openCatalogue().tables, now: 0 });
let columns = [];
const duckdb = await render('duckdb', async (sql) => {
  await connection.run(sql);
  columns = await readColumns(connection);
  return columns;
});
write('duckdb', duckdb);
const postgres = await render('postgres', () => columns);
write(
  'postgres',
  postgres.map(({ file, sql }) => ({ file, sql: withTypes(sql, columns) })),
);
await writeStarters(connection);
database.close();
