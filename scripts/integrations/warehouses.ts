import type { Column, Relation } from './catalogue.ts';

/** Types of DuckDB that views have. */
const TYPES = ['VARCHAR', 'BIGINT', 'INTEGER', 'DOUBLE', 'BOOLEAN', 'DATE', 'TIMESTAMP'];

/** How one engine expresses the parts of the template. */
interface Dialect {
  /** What a person sets before the first run. */
  note: string;
  quote: (name: string) => string;
  /** In the order of TYPES. */
  types: readonly string[];
  /** The schema `answerlake`, and `answerlake.manifest` with the files of the export. */
  prepare: string;
  /** What makes the files of a table readable, where that needs a statement. */
  reader?: (table: string, columns: string) => string;
  /** Stands after `from` and gives the rows of all files of a table. */
  source: (table: string) => string;
  /** The name of the file that a row of the source is from. */
  file: string;
  /** A column of the source; as a rule its name. */
  value?: (name: string) => string;
  tableOptions?: string;
  /** Whether several statements can be one transaction. */
  hasTransactions: boolean;
  /** Whether a statement that is killed may leave a part of its rows. */
  leavesParts?: true;
}

const BASE_NAME = `'[^/]+$'`;
const MANIFEST_COLUMNS = (text: string, number: string, quote: string): string =>
  `kind ${text}, ${quote}table${quote} ${text}, path ${text}, ${quote}rows${quote} ${number}`;

const DIALECTS: Readonly<Record<string, Dialect>> = {
  snowflake: {
    note: 'Set the URL of the stage and the name of your storage integration.',
    // Upper case is what an unquoted name means.
    quote: (name) => `"${name.toUpperCase()}"`,
    types: ['varchar', 'bigint', 'integer', 'double', 'boolean', 'date', 'timestamp_ntz'],
    prepare: `create schema if not exists answerlake;
create stage if not exists answerlake.export url = 's3://bucket/export/' storage_integration = answerlake;
create file format if not exists answerlake.rows_format type = parquet use_logical_type = true;
create file format if not exists answerlake.manifest_format type = json;
create or replace table answerlake.manifest as
select cast($1:"table" as varchar) as table_name, regexp_substr(cast($1:"path" as varchar), ${BASE_NAME}) as file_name,
  cast($1:"rows" as bigint) as row_count
from @answerlake.export/manifest.ndjson (file_format => 'answerlake.manifest_format')
where $1:"kind" = 'file';`,
    source: (table) => `@answerlake.export/${table}/ (file_format => 'answerlake.rows_format')`,
    file: `regexp_substr(metadata$filename, ${BASE_NAME})`,
    value: (name) => `$1:"${name}"`,
    hasTransactions: true,
  },
  bigquery: {
    note: 'Set the bucket. An export reaches it with an HMAC key and AWS_ENDPOINT_URL=https://storage.googleapis.com.',
    quote: (name) => `\`${name}\``,
    types: ['string', 'int64', 'int64', 'float64', 'bool', 'date', 'timestamp'],
    prepare: `create schema if not exists answerlake;
create schema if not exists answerlake_files;
create or replace external table answerlake_files.manifest (${MANIFEST_COLUMNS('string', 'int64', '`')})
options (format = 'JSON', ignore_unknown_values = true, uris = ['gs://bucket/export/manifest.ndjson']);
create or replace table answerlake.manifest as
select \`table\` as table_name, regexp_extract(path, r${BASE_NAME}) as file_name, \`rows\` as row_count
from answerlake_files.manifest
where kind = 'file';`,
    reader: (table) =>
      `create or replace external table answerlake_files.${table} options (format = 'PARQUET', uris = ['gs://bucket/export/${table}/*.parquet']);`,
    source: (table) => `answerlake_files.${table}`,
    file: `regexp_extract(_FILE_NAME, r${BASE_NAME})`,
    hasTransactions: true,
  },
  redshift: {
    note: 'Set the bucket; the default role of the cluster reads it and the Glue catalogue.',
    quote: (name) => `"${name}"`,
    types: ['varchar(65535)', 'bigint', 'integer', 'double precision', 'boolean', 'date', 'timestamp'],
    prepare: `create schema if not exists answerlake;
create external schema if not exists answerlake_files from data catalog database 'answerlake' iam_role default create external database if not exists;
drop table if exists answerlake.manifest_lines;
create table answerlake.manifest_lines (${MANIFEST_COLUMNS('varchar(1024)', 'bigint', '"')});
copy answerlake.manifest_lines from 's3://bucket/export/manifest.ndjson' iam_role default format json 'auto';
drop table if exists answerlake.manifest;
create table answerlake.manifest as
select "table" as table_name, regexp_substr(path, ${BASE_NAME}) as file_name, "rows" as row_count
from answerlake.manifest_lines
where kind = 'file';`,
    reader: (table, columns) =>
      `drop table if exists answerlake_files.${table};
create external table answerlake_files.${table} (${columns}) stored as parquet location 's3://bucket/export/${table}/';`,
    source: (table) => `answerlake_files.${table}`,
    file: `regexp_substr("$path", ${BASE_NAME})`,
    hasTransactions: true,
  },
  databricks: {
    note: 'Set the bucket, which is an external location of Unity Catalog.',
    quote: (name) => `\`${name}\``,
    types: ['string', 'bigint', 'int', 'double', 'boolean', 'date', 'timestamp_ntz'],
    prepare: `create schema if not exists answerlake;
create or replace table answerlake.manifest as
select \`table\` as table_name, regexp_extract(path, ${BASE_NAME}, 0) as file_name, \`rows\` as row_count
from read_files('s3://bucket/export/manifest.ndjson', format => 'json', schema => '${MANIFEST_COLUMNS('string', 'bigint', '`')}')
where kind = 'file';`,
    source: (table) => `read_files('s3://bucket/export/${table}/', format => 'parquet')`,
    file: '_metadata.file_name',
    hasTransactions: false,
  },
  clickhouse: {
    note: `Before the first run, name the place of the export and the key that reads it:
-- create named collection answerlake as url = 'https://bucket.s3.amazonaws.com/export/', access_key_id = '…', secret_access_key = '…';`,
    quote: (name) => `\`${name}\``,
    types: [
      'Nullable(String)',
      'Nullable(Int64)',
      'Nullable(Int32)',
      'Nullable(Float64)',
      'Nullable(Bool)',
      'Nullable(Date32)',
      "Nullable(DateTime64(6, 'UTC'))",
    ],
    prepare: `create database if not exists answerlake;
create or replace table answerlake.manifest engine = MergeTree order by tuple() as
select \`table\` as table_name, extract(path, ${BASE_NAME}) as file_name, \`rows\` as row_count
from s3(answerlake, filename = 'manifest.ndjson', format = 'JSONEachRow', structure = '${MANIFEST_COLUMNS('String', 'Int64', '`')}')
where kind = 'file';`,
    source: (table) => `s3(answerlake, filename = '${table}/**.parquet', format = 'Parquet')`,
    file: '_file',
    tableOptions: ' engine = MergeTree order by tuple()',
    hasTransactions: false,
    leavesParts: true,
  },
  postgres: {
    note: 'For psql, with the program duckdb in the PATH and the folder of the export in EXPORT_FOLDER; warehouse.target: postgres needs neither.',
    quote: (name) => `"${name}"`,
    types: ['text', 'bigint', 'integer', 'double precision', 'boolean', 'date', 'timestamp'],
    prepare: `create schema if not exists answerlake;
drop table if exists answerlake.manifest;
create table answerlake.manifest (table_name text, file_name text, row_count bigint);
${copied('answerlake.manifest', `select * exclude (kind) replace (parse_filename(path) as path) from read_ndjson('$EXPORT_FOLDER/manifest.ndjson', columns = {kind: 'VARCHAR', 'table': 'VARCHAR', path: 'VARCHAR', rows: 'BIGINT'}) where kind = 'file'`)}`,
    reader: (table, columns) =>
      `create temporary table files_${table} (${columns}, file_name text);
${copied(`files_${table}`, `select * replace (parse_filename(filename) as filename) from read_parquet('$EXPORT_FOLDER/${table}/**/*.parquet', filename = true)`)}`,
    source: (table) => `files_${table}`,
    file: 'file_name',
    hasTransactions: true,
  },
};

/** A line of psql that copies what a query of DuckDB returns. */
function copied(table: string, query: string): string {
  const written = `copy (${query}) to '/dev/stdout' (format csv, header false)`;
  return `\\copy ${table} from program 'duckdb -c "${written.replaceAll("'", "''")}"' csv`;
}

function typeIn({ types }: Dialect, { name, type }: Column): string {
  const known = types[TYPES.indexOf(type)];
  if (known === undefined) throw new Error(`${name}: there is no type for ${type} in the table of engines`);
  return known;
}

/** Text of each engine's script, by the engine's name: it makes the tables of the schema `answerlake` equal to an export of all views. */
export function warehouseScripts(catalogue: readonly Relation[]): Map<string, string> {
  const views = catalogue.filter(({ schema }) => schema === 'main');
  return new Map(Object.entries(DIALECTS).map(([engine, dialect]) => [engine, script(dialect, views)]));
}

function script(dialect: Dialect, views: readonly Relation[]): string {
  const { note, quote, prepare, reader, tableOptions = '', hasTransactions } = dialect;
  const creations = views.flatMap(({ name, columns }) => {
    const defined = columns.map((column) => `${quote(column.name)} ${typeIn(dialect, column)}`).join(', ');
    const table = `create table if not exists answerlake.${name} (${defined}, file_name ${dialect.types[0] ?? ''})${tableOptions};`;
    return reader === undefined ? [table] : [table, reader(name, defined)];
  });
  const loads = views.map((view) => load(dialect, view));
  const counts = views.map(
    ({ name }) =>
      `select '${name}' as table_name, count(*) as row_count, (select coalesce(sum(row_count), 0) from answerlake.manifest where table_name = '${name}') as expected from answerlake.${name}`,
  );
  return `-- Makes the tables of the schema answerlake equal to the last export (answerlake export --changed --output s3://bucket/export):
-- removes the rows of files that the manifest does not name any more, and adds those of new files. It can be repeated.
-- ${note}

${prepare}

${creations.join('\n')}

${hasTransactions ? 'begin transaction;\n' : ''}${loads.join('\n')}
${hasTransactions ? '\ncommit;\n' : ''}
-- Returns the tables that differ from the manifest: none, unless an export ran at the same time. Then run the script again.
select * from (
${counts.join('\nunion all\n')}
) as counts
where row_count <> expected;
`;
}

function load(dialect: Dialect, { name, columns }: Relation): string {
  const { quote, source, file, value = quote, leavesParts = false } = dialect;
  const ours = `select file_name from answerlake.manifest where table_name = '${name}'`;
  const parts = `
  or file_name in (select loaded.file_name
    from (select file_name, count(*) as row_count from answerlake.${name} group by file_name) as loaded
    join answerlake.manifest as listed on listed.file_name = loaded.file_name
    where listed.table_name = '${name}' and listed.row_count <> loaded.row_count)`;
  return `
delete from answerlake.${name} where file_name not in (${ours})${leavesParts ? parts : ''};
insert into answerlake.${name} (${columns.map((column) => quote(column.name)).join(', ')}, file_name)
select ${columns.map((column) => `cast(${value(column.name)} as ${typeIn(dialect, column)})`).join(', ')}, ${file}
from ${source(name)}
where ${file} in (${ours})
  and ${file} not in (select file_name from answerlake.${name});`;
}
