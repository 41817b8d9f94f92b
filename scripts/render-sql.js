// Renders the views of `sql/views` (Jinja) into plain SQL: `dist/sql/duckdb` and `dist/sql/postgres`.

import { DuckDBInstance } from '@duckdb/node-api';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import nunjucks from 'nunjucks';
import { parse } from 'yaml';
import { catalogue } from '../dist/src/endpoints/catalogue.js';
import { RENDERED_FOLDER } from '../dist/src/publish/views.js';
import { ANSWERED_STATUSES, periodEndSql } from '../dist/src/believe/terms.js';
import { postgresType } from '../dist/src/targets/postgres/tables.js';
import { quoteIdentifier, quoteLiteral } from '../dist/src/warehouse/sql.js';
import { readSqlFiles, SQL_FOLDER } from '../dist/src/warehouse/sql.js';

/** Everything in which the two databases differ; functions that DuckDB has and PostgreSQL lacks are in `sql/postgres`. */
const DIALECTS = {
  duckdb: {
    try_cast: (value, type) => `try_cast(${value} as ${type})`,
    max_by(value, by, condition = '') {
      return `max_by(${value}, ${by})${condition === '' ? '' : ` filter (where ${condition})`}`;
    },
    text_function: (name, body) => `create or replace macro main.${name}(input) as\n${body};`,
    words: [],
  },
  postgres: {
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

const daily = catalogue.filter(({ isDaily }) => isDaily);
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
      return `comment on column main.${view}.${column} is ${quoteLiteral(text)};`;
    });
    return lines.join('\n');
  },
};

function render(dialect) {
  const { words, ...functions } = DIALECTS[dialect];
  const loader = new nunjucks.FileSystemLoader(['views', 'macros'].map((folder) => join(SQL_FOLDER, folder)));
  const templates = new nunjucks.Environment(loader, {
    autoescape: false,
    throwOnUndefined: true,
    trimBlocks: true,
    lstripBlocks: true,
  });
  templates.addFilter('quoted', (values) => values.map(quoteLiteral).join(', '));
  for (const [name, value] of Object.entries({ ...context, ...functions })) templates.addGlobal(name, value);
  const files = readdirSync(join(SQL_FOLDER, 'views')).toSorted();
  return files.map((file) => {
    const sql = words.reduce(
      (text, [word, other]) => outsideTexts(text, (part) => part.replaceAll(word, other)),
      templates.render(file),
    );
    return { file, sql };
  });
}

/** Changes text outside quotes and comments. */
function outsideTexts(sql, change) {
  return sql
    .split(/('(?:[^']|'')*'|"[^"]*"|--.*)/)
    .map((part, index) => (index % 2 === 0 ? change(part) : part))
    .join('');
}

/** The columns of each view, in order, as DuckDB gives them. */
async function columnsOf(views) {
  const connection = await (await DuckDBInstance.create()).connect();
  for (const { sql } of [...readSqlFiles('migrations'), ...views]) await connection.run(sql);
  const found = await connection.runAndReadAll(
    `select table_name as view, column_name as name, data_type as type
     from duckdb_columns() where schema_name = 'main' and not internal order by view, column_index`,
  );
  return found.getRowObjects();
}

/** Columns have the names and types that they have in DuckDB. */
function withTypes(sql, columns) {
  return sql.replaceAll(/^create view main\.(\w+) as\n([\s\S]*?);$/gm, (_, view, query) => {
    const casts = columns
      .filter((column) => column.view === view)
      .map(({ name, type }) => {
        const column = quoteIdentifier(name);
        return `cast(v.${column} as ${postgresType(type)}) as ${column}`;
      });
    return `create or replace view main.${view} as select ${casts.join(', ')} from (\n${query}\n) v;`;
  });
}

function write(dialect, views) {
  const folder = join(RENDERED_FOLDER, dialect);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const { file, sql } of views) writeFileSync(join(folder, file), sql);
}

const duckdb = render('duckdb');
const columns = await columnsOf(duckdb);
write('duckdb', duckdb);
write(
  'postgres',
  render('postgres').map(({ file, sql }) => ({ file, sql: withTypes(sql, columns) })),
);
