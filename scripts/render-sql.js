// Renders the views of `sql/views` (Jinja) into plain SQL in `dist/sql/views`. Then writes the starters, which describe them.

import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import nunjucks from 'nunjucks';
import { columnRows, commentsSql, Meanings } from '../dist/scripts/columns.js';
import { writeStarters } from '../dist/scripts/integrations/write.js';
import { GOVERNED, PART_COLUMNS } from '../dist/src/guide/governed.js';
import { openCatalogue } from '../dist/src/endpoints/catalogue.js';
import {
  COLUMNS_FILE,
  createColumns,
  VIEWS_FOLDER,
  writeViewsDigest,
} from '../dist/src/publish/published-file.js';
import { ANSWERED_STATUSES, askedEndSql, periodEndSql } from '../dist/src/believe/terms.js';
import { openMemoryDatabase } from '../dist/src/warehouse/database.js';
import { upgrade } from '../dist/src/warehouse/migrate.js';
import { quoteIdentifier, quoteLiteral, readSql, SQL_FOLDER } from '../dist/src/warehouse/sql.js';

const daily = openCatalogue().asked.filter(({ isDaily }) => isDaily);

/** Governed figures by the view that they come from, each by one kind of part: what `detail.figure_days` reads. */
function figuresOfViews() {
  const figures = GOVERNED.flatMap(({ name, kind, source, parts }) =>
    Object.entries({ project: source, ...parts }).map(([part, from]) => ({
      ...from,
      metric: name,
      split_by: part,
      factor: kind === 'share' || kind === 'net' ? '100.0' : '1.0',
      ...(part === 'project' ? { id: 'project_id', name: 'project_name' } : PART_COLUMNS[part]),
    })),
  );
  const views = [...new Set(figures.map(({ view }) => view))];
  return views.map((name) => [name, figures.filter(({ view }) => view === name)]);
}

/** The interval of prompts like these, as the ready-made view of answers has it. */
const [likeTheseSteps] = /^like_these as \([\s\S]*?^\)$/m.exec(
  readFileSync('config/own/views/visibility_precision.sql', 'utf8'),
);

/** What templates can use beside the macros in `sql/macros`. */
const context = {
  figures: GOVERNED,
  like_these_steps: likeTheseSteps,
  figures_of_views: figuresOfViews(),
  answered_statuses: ANSWERED_STATUSES,
  period_end_of: periodEndSql,
  asked_end_of: askedEndSql,
  daily_kpi_endpoints: daily.filter(({ hasDailyKpis }) => hasDailyKpis).map(({ name }) => name),
  daily_tables: daily.flatMap(({ outputs }) =>
    outputs.filter(({ key }) => key.includes('date')).map(({ table }) => table),
  ),
};

/** Writes \`main.<name>\` from \`detail.<name>\`: \`where\` picks its rows; \`figures\` names, by a column that marks whole rows, the figures that are NULL elsewhere. */
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

const loader = new nunjucks.FileSystemLoader(['views', 'macros'].map((folder) => join(SQL_FOLDER, folder)));
const templates = new nunjucks.Environment(loader, {
  autoescape: false,
  throwOnUndefined: true,
  trimBlocks: true,
  lstripBlocks: true,
});
templates.addFilter('quoted', (values) => values.map(quoteLiteral).join(', '));
for (const [name, value] of Object.entries(context)) templates.addGlobal(name, value);
templates.addGlobal('safe_view', (name, options) => safeView(columns, name, options));

/** Every column so far in order, as DuckDB gives it. */
async function readColumns(connection) {
  return await connection.rows(
    `select schema_name as "schema", table_name as relation, column_name as name, data_type as type
     from duckdb_columns() where not internal
     order by list_position(['main', 'detail', 'core', 'meta'], "schema"), relation, column_index`,
  );
}

const database = await openMemoryDatabase();
const connection = await database.connect();
await upgrade(connection, { tables: openCatalogue().tables, now: 0 });
const meanings = new Meanings();
let columns = await readColumns(connection);
rmSync(VIEWS_FOLDER, { recursive: true, force: true });
mkdirSync(VIEWS_FOLDER, { recursive: true });
for (const file of readdirSync(join(SQL_FOLDER, 'views')).toSorted()) {
  const sql = templates.render(file);
  await connection.run(sql);
  const known = new Set(columns.map(({ schema, relation }) => `${schema}.${relation}`));
  columns = await readColumns(connection);
  const added = columns.filter(({ schema, relation }) => !known.has(`${schema}.${relation}`));
  const comments = commentsSql(meanings.of(added));
  await connection.run(comments);
  writeFileSync(join(VIEWS_FOLDER, file), `${sql}\n${comments}`);
}
const columnsTable = readSql('publish/columns');
await connection.run(columnsTable);
const meant = meanings.of(await readColumns(connection));
meanings.requireAllUsed();
const ofMeta = commentsSql(meant.filter(({ schema }) => schema === 'meta'));
writeFileSync(`${COLUMNS_FILE}.sql`, `${columnsTable}${ofMeta}`);
writeFileSync(`${COLUMNS_FILE}.json`, JSON.stringify(columnRows(meant), null, 1));
await createColumns(connection);
writeViewsDigest();
await writeStarters(connection);
database.close();
