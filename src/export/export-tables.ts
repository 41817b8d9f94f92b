import { createHash } from 'node:crypto';
import { mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { orNull } from '../errors.ts';
import { computeOwnRows, type Connection, interruptOn } from '../warehouse/connection.ts';
import { openDatabase } from '../warehouse/database.ts';
import { explainFailure, WarehouseError } from '../warehouse/failure.ts';
import { DIGEST } from '../warehouse/parts.ts';
import { quoteIdentifier, quoteLiteral } from '../warehouse/sql.ts';
import { computedViews } from '../publish/computed-views.ts';
import { ANSWERS_SETTING } from '../publish/published-file.ts';
import { nameOf, readSettings } from '../warehouse/tables.ts';
import { chooseRelations, relationRows, sortColumns, type Choice, type ExportRelation } from './relations.ts';

export interface ExportRequest extends Choice {
  /** The published file. */
  source: string;
  /** An existing, empty folder for new and changed files, laid out as in the target. */
  folder: string;
  partition: FolderSplit;
  /** False: its views are not ours, and each is read alone and each time. */
  isOurs?: boolean;
  /** What an earlier export has of a table; undefined if a file of it is missing or incomplete. */
  earlier: (table: string) => TableFiles | undefined;
  /** Bytes of a file from an earlier export, which is not rewritten; undefined if it is missing or incomplete. */
  standing: (path: string) => number | undefined;
  signal: AbortSignal;
}

/**
 * Writes views and tables as Parquet, a folder each; returns each one's files, which of them were written, and the user's own views
 * that failed.
 * @throws AnswerlakeError configuration on an unknown name; storage
 */
export async function exportTables(request: ExportRequest) {
  // One thread writes one file per partition.
  await using database = await openDatabase({
    path: request.source,
    readOnly: true,
    settings: { threads: 1 },
  });
  const connection = await database.connect();
  using _ = interruptOn(request.signal, connection.raw);
  const settings = request.isOurs === true ? await readSettings(connection) : null;
  const publishedAt = settings?.get('published_at');
  // Of one project, each view reads less than all that it shares with others.
  const isShared = settings !== null && request.projectId === null && request.names === null;
  const views = isShared ? computedViews(connection, settings.get(ANSWERS_SETTING)) : null;
  const tables: (TableFiles & { written: ManifestFile[] })[] = [];
  const failed = new Map<string, string>();
  const relations = await chooseRelations(connection, request);
  for (const [index, relation] of relations.entries()) {
    request.signal.throwIfAborted();
    const earlier = publishedAt === undefined ? undefined : request.earlier(relation.title);
    if (
      earlier !== undefined &&
      earlier.published_at === publishedAt &&
      hasRowsOf(earlier, relation, request)
    ) {
      tables.push({ ...earlier, written: [] });
      continue;
    }
    const query = (await views?.queryOf(nameOf(relation))) ?? null;
    const rows = query === null ? relationRows(relation, request.projectId) : `(${query})`;
    const failure = await readRows(connection, relation, { rows, signal: request.signal });
    const origin = publishedAt === undefined ? {} : { schema: relation.schema, published_at: publishedAt };
    if (failure === null) tables.push({ ...(await exportOne(connection, relation, request)), ...origin });
    else failed.set(relation.title, failure);
    await views?.dropUnread(relations.slice(index + 1).map(nameOf));
  }
  return { tables, failed };
}

/** The view whose ages change while it is read. */
const OF_THE_CLOCK = 'main.sync_freshness';

/** Whether the files of an earlier export have the rows of a relation of the same published file. A user's own view may read the clock. */
function hasRowsOf(
  { schema, partitions, columns }: TableFiles,
  relation: ExportRelation,
  { partition }: ExportRequest,
): boolean {
  // A view of `detail` has the title of the one of `main`.
  if (relation.schema !== schema || schema === 'own' || nameOf(relation) === OF_THE_CLOCK) return false;
  const isSplitAlike = partitions.length === 0 || isDeepStrictEqual(partitions, LEVELS[partition]);
  return isSplitAlike && isDeepStrictEqual(columns, relation.columns);
}

const isDatedOf = ({ columns }: ExportRelation): boolean => {
  const names = columns.map(({ name }) => name);
  return names.includes('project_id') && names.includes('date') && !names.includes('month');
};

/** Fills `export_rows`; for a user's own relation, within a minute, returns why it has no rows. */
async function readRows(
  connection: Connection,
  relation: ExportRelation,
  { rows, signal }: { rows: string; signal: AbortSignal },
) {
  const month = isDatedOf(relation) ? ", strftime(date, '%Y-%m') as month" : '';
  const sql = `create or replace temp table export_rows as select *${month} from ${rows}`;
  if (relation.schema !== 'own') {
    await connection.run(sql);
    return null;
  }
  const failure = await computeOwnRows(connection, sql);
  signal.throwIfAborted();
  return failure;
}

async function exportOne(connection: Connection, relation: ExportRelation, request: ExportRequest) {
  const { title: table, columns } = relation;
  const isDated = isDatedOf(relation);
  const levels = LEVELS[request.partition];
  const dated = isDated ? await readParts(connection, relation, levels) : [];
  // Without rows there would be no file, and no record of the columns.
  const isSplit = dated.length > 0;
  if (isDated && !isSplit) await connection.run('alter table export_rows drop column month');
  const parts = isSplit ? dated : await readParts(connection, relation, []);
  const owed: Part[] = [];
  for (const part of parts) {
    const standing = request.standing(part.file.path);
    if (standing === undefined) owed.push(part);
    else part.file.bytes = standing;
  }
  const order = sortColumns(relation);
  await writeParts(connection, owed, { levels: isSplit ? levels : [], order, folder: request.folder });
  return {
    table,
    partitions: isSplit ? levels : [],
    columns,
    files: parts.map(({ file }) => file),
    written: owed.map(({ file }) => file),
  };
}

/** The content of one file. */
interface Part {
  file: ManifestFile;
  values: (string | null)[];
}

const partRow = z.object({ values: z.array(z.string().nullable()), rows: z.number(), hash: z.string() });

/** The parts of `export_rows`, with an order-independent hash of their rows. */
async function readParts(connection: Connection, relation: ExportRelation, levels: readonly string[]) {
  const values = levels.length === 0 ? '[]::varchar[]' : `[${levels.map(quoteIdentifier).join(', ')}]`;
  const rows = await connection.rowsAs(
    partRow,
    `select ${values} as values, count(*) as rows,
       md5(concat_ws(' ', $1, ${DIGEST})) as hash
     from export_rows r ${levels.length === 0 ? '' : 'group by 1 order by 1'}`,
    [JSON.stringify(relation.columns)],
  );
  const { title: table } = relation;
  return rows.map(({ values, rows, hash }): Part => {
    const path = [table, ...values.map(partFolder), `${hash}.parquet`].join('/');
    return { file: { kind: 'file', table, path, rows, bytes: 0 }, values };
  });
}

/** Runs a statement that writes files; a full disk is reported with the folder, not with the published file that is read. */
async function copyOut(connection: Connection, sql: string, folder: string): Promise<void> {
  try {
    await connection.run(sql);
  } catch (error) {
    throw error instanceof WarehouseError ? explainFailure(error.cause, folder) : error;
  }
}

interface Written {
  /** Folder levels; none: there is one part. */
  levels: readonly string[];
  order: readonly string[];
  folder: string;
}

/** Writes parts under their numbers, since a value may be an invalid folder name, and moves them into place. */
async function writeParts(connection: Connection, owed: readonly Part[], { levels, order, folder }: Written) {
  const apart = join(folder, '.parts');
  const sorted = order.length === 0 ? '' : ` order by ${order.join(', ')}`;
  let source = `from export_rows${sorted}`;
  let target = `${quoteLiteral(apart)} (format parquet, compression zstd`;
  if (levels.length > 0) {
    const columns = levels.map((level) => `${quoteIdentifier(level)} varchar`);
    await connection.run(`create or replace temp table export_parts (${columns.join(', ')}, _part integer)`);
    for (const [number, { values }] of owed.entries()) {
      const places = levels.map((_, at) => `$${at + 1}`).join(', ');
      await connection.run(`insert into export_parts values (${places}, ${number})`, values);
    }
    const joined = levels.map((level) => `r.${level} is not distinct from p.${level}`);
    source = `select r.* exclude (month), p._part from export_rows r join export_parts p on ${joined.join(' and ')}
       order by p._part, ${order.map((one) => `r.${one}`).join(', ')}`;
    target += ', partition_by (_part)';
  }
  if (owed.length > 0) await copyOut(connection, `copy (${source}) to ${target})`, folder);
  for (const [number, { file }] of owed.entries()) {
    const path = join(folder, file.path);
    mkdirSync(dirname(path), { recursive: true });
    renameSync(levels.length > 0 ? join(apart, `_part=${number}`, 'data_0.parquet') : apart, path);
    file.bytes = statSync(path).size;
  }
  rmSync(apart, { recursive: true, force: true });
}

/** The folders that split a dated table. */
export const PARTITIONS = ['project-month', 'month'] as const;
type FolderSplit = (typeof PARTITIONS)[number];
const LEVELS: Readonly<Record<FolderSplit, string[]>> = {
  'project-month': ['project_id', 'month'],
  month: ['month'],
};

// File systems end a name at 255 bytes.
const MAX_BYTES = 200;
const KEPT_BYTES = 150;

/**
 * A value as a folder name: escaped, and shortened if a file system would refuse it. Without `column=`, because readers would derive
 * another type for the column than the files have. They also skip names that begin with a full stop or an underscore.
 */
export function partFolder(value: string | null): string {
  if (value === null) return 'null';
  const percent = (one: string): string => `%${one.charCodeAt(0).toString(16).toUpperCase()}`;
  const plain = encodeURIComponent(Buffer.from(value).toString());
  const escaped = plain.replaceAll(/^[._]|[!'()*]/g, percent);
  if (escaped.length <= MAX_BYTES) return escaped;
  const kept = escaped.slice(0, KEPT_BYTES).replace(/%.?$/, '');
  return `${kept}~${createHash('sha256').update(value).digest('hex').slice(0, 16)}`;
}

/**
 * One JSON value per line, so that warehouses read it as a table. It is written after the files that it names, and Parquet readers ignore it.
 */
export const MANIFEST = 'manifest.ndjson';

const VERSION = 3;

const inside = z.string().regex(/^(?!.*(?:^|\/)\.\.(?:\/|$))[^/\\]+(?:\/[^/\\]+)*$/);

const tableSchema = z.object({
  table: z.string(),
  /** The levels of folders inside. */
  partitions: z.array(z.string()),
  /** With DuckDB's types. */
  columns: z.array(z.object({ name: z.string(), type: z.string() })),
  /** Left out: as `published_at`. */
  schema: z.string().optional(),
  /** When the file that the rows are from was published; left out: unknown. */
  published_at: z.string().optional(),
});

const fileSchema = z.object({
  /** `deleted`: replaced or removed, but perhaps still present. `pending`: the next export may have written it. */
  kind: z.enum(['file', 'deleted', 'pending']),
  table: z.string(),
  /** Its name is the hash of its rows, so a file never changes: `daily_kpis/<project id>/2025-01/<hash>.parquet`. */
  path: inside,
  rows: z.number(),
  bytes: z.number(),
});

const lineSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('export'),
    version: z.literal(VERSION),
    /** Id of the project that it is limited to; null for all. */
    project: z.string().nullable().default(null),
  }),
  tableSchema.extend({ kind: z.literal('table') }),
  fileSchema,
]);

export type ManifestFile = z.output<typeof fileSchema>;

/** A table of an export, with its files. */
export type TableFiles = z.output<typeof tableSchema> & { files: ManifestFile[] };

/** The files of an export: it removes no others. */
export type ExportManifest = NonNullable<ReturnType<typeof parseManifest>>;

/** Null: the text is not a manifest of answerlake. */
export function parseManifest(text: string) {
  const texts = text.trimEnd().split('\n');
  const lines = orNull(() => texts.map((line) => lineSchema.parse(JSON.parse(line)))) ?? [];
  const [head] = lines;
  if (head?.kind !== 'export') return null;
  return {
    project: head.project,
    tables: lines.flatMap((line) => (line.kind === 'table' ? [tableSchema.parse(line)] : [])),
    files: lines.flatMap((line) => (line.kind === 'export' || line.kind === 'table' ? [] : [line])),
  };
}

export function manifestText({ project, tables, files }: ExportManifest): string {
  const lines = [
    { kind: 'export', version: VERSION, ...(project === null ? {} : { project }) },
    ...tables.map((table) => ({ kind: 'table', ...tableSchema.parse(table) })),
    ...files,
  ];
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}
