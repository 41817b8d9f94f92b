// Renders the views of `sql/views` (Jinja) into plain SQL: `dist/sql/duckdb` and `dist/sql/postgres`. Then writes the starters, which describe them.

import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import nunjucks from 'nunjucks';
import { columnRows, commentsSql, Meanings } from '../dist/scripts/columns.js';
import { writeStarters } from '../dist/scripts/integrations/write.js';
import { GOVERNED, PART_COLUMNS } from '../dist/src/guide/governed.js';
import { openCatalogue } from '../dist/src/endpoints/catalogue.js';
import { COLUMNS_FILE, createColumns, RENDERED_FOLDER } from '../dist/src/publish/published-file.js';
import { ANSWERED_STATUSES, periodEndSql } from '../dist/src/believe/terms.js';
import { postgresType } from '../dist/src/targets/postgres/rows.js';
import { openMemoryDatabase } from '../dist/src/warehouse/database.js';
import { upgrade } from '../dist/src/warehouse/migrate.js';
import { quoteIdentifier, quoteLiteral, readSql, SQL_FOLDER } from '../dist/src/warehouse/sql.js';

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
    has_table_macros: true,
    words: [],
  },
  postgres: {
    // The target has created its schemas before, because `if not exists` needs the right to create one.
    age_hours: (instant) =>
      `cast((extract(epoch from now()) - extract(epoch from ${instant})) / 3600.0 as double)`,
    create_schema: () => '',
    has_table_macros: false,
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

/** Governed figures by the view that they come from, each by one kind of part: what `detail.figure_days` reads. */
function figuresOfViews() {
  const figures = GOVERNED.flatMap(({ name, kind, source, parts }) =>
    Object.entries({ project: source, ...parts }).map(([part, { once, denominator, ...from }]) => ({
      ...from,
      metric: name,
      split_by: part,
      factor: kind === 'share' || kind === 'net' ? '100.0' : '1.0',
      denominator: part === 'project' ? (once ?? denominator) : denominator,
      ...(part === 'project' ? { id: 'project_id', name: 'project_name' } : PART_COLUMNS[part]),
    })),
  );
  const views = [...new Set(figures.map(({ view }) => view))];
  return views.map((name) => [name, figures.filter(({ view }) => view === name)]);
}

/** What templates can use beside the macros in `sql/macros`. */
const context = {
  figures: GOVERNED,
  figures_of_views: figuresOfViews(),
  answered_statuses: ANSWERED_STATUSES,
  period_end_of: periodEndSql,
  daily_kpi_endpoints: daily.filter(({ hasDailyKpis }) => hasDailyKpis).map(({ name }) => name),
  daily_tables: daily.flatMap(({ outputs }) =>
    outputs.filter(({ key }) => key.includes('date')).map(({ table }) => table),
  ),
};

/** Writes \`main.<name>\` from \`detail.<name>\`: \`where\` picks its rows; \`figures\` names, by a column that says what is whole, the figures that are NULL elsewhere. */
function safeView(columns, name, { comment, where = 'true', without = [], figures = {}, from = name }) {
  const guard = new Map(
    Object.entries(figures).flatMap(([whole, list]) => list.map((figure) => [figure, whole])),
  );
  const left = new Set([...without, ...Object.keys(figures)]);
  const own = columns.filter(
    (column) => column.schema === 'detail' && column.relation === from && !left.has(column.name),
  );
  if (own.length === 0) throw new Error(`detail.${from} has no columns`);
  const list = own.map((column) => {
    const whole = guard.get(column.name);
    const quoted = quoteIdentifier(column.name);
    return whole === undefined ? `  d.${quoted}` : `  case when d.${whole} then d.${quoted} end as ${quoted}`;
  });
  return [
    `create view main.${name} as`,
    'select',
    list.join(',\n'),
    `from detail.${from} d`,
    `where ${where};`,
    `comment on view main.${name} is ${quoteLiteral(comment)};`,
  ].join('\n');
}

/** Renders every view of one database; \`onFile\` gets each file with its SQL, and gives the columns so far and the statements for the comments. */
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
      templates.render(file),
    );
    const made = await onFile(file, sql);
    columns = made.columns;
    files.push({ file, sql: `${sql}\n${made.comments}` });
  }
  return files;
}

/** Changes text outside quotes and comments. */
function outsideTexts(sql, change) {
  return sql
    .split(/('(?:[^']|'')*'|"[^"]*"|--.*)/)
    .map((part, index) => (index % 2 === 0 ? change(part) : part))
    .join('');
}

/** Every column so far in order, as DuckDB gives it. */
async function readColumns(connection) {
  return await connection.rows(
    `select schema_name as "schema", table_name as relation, column_name as name, data_type as type
     from duckdb_columns() where not internal
     order by list_position(['main', 'detail', 'core', 'meta'], "schema"), relation, column_index`,
  );
}

/** Columns have the names and types that they have in DuckDB. */
function withTypes(sql, columns) {
  return sql.replaceAll(/^create view ((?:main|detail)\.\w+) as\n([\s\S]*?);$/gm, (_, view, query) => {
    const casts = columns
      .filter(({ schema, relation }) => `${schema}.${relation}` === view)
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
const meanings = new Meanings();
const comments = new Map();
let columns = await readColumns(connection);
const duckdb = await render('duckdb', async (file, sql) => {
  await connection.run(sql);
  const known = new Set(columns.map(({ schema, relation }) => `${schema}.${relation}`));
  columns = await readColumns(connection);
  const added = columns.filter(({ schema, relation }) => !known.has(`${schema}.${relation}`));
  comments.set(file, commentsSql(meanings.of(added)));
  await connection.run(comments.get(file));
  return { columns, comments: comments.get(file) };
});
write('duckdb', duckdb);
const postgres = await render('postgres', (file) => ({ columns, comments: comments.get(file) }));
write(
  'postgres',
  postgres.map(({ file, sql }) => ({ file, sql: withTypes(sql, columns) })),
);
const columnsTable = readSql('publish/columns');
await connection.run(columnsTable);
const meant = meanings.of(await readColumns(connection));
meanings.requireAllUsed();
const ofMeta = commentsSql(meant.filter(({ schema }) => schema === 'meta'));
writeFileSync(`${COLUMNS_FILE}.sql`, `${columnsTable}${ofMeta}`);
writeFileSync(`${COLUMNS_FILE}.json`, JSON.stringify(columnRows(meant), null, 1));
await createColumns(connection);
await writeStarters(connection);
database.close();
