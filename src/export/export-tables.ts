import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Connection } from '../warehouse/connection.ts';
import { explainFailure, WarehouseError } from '../warehouse/failure.ts';
import { quoteIdentifier, quoteLiteral } from '../warehouse/sql.ts';
import type { ManifestTable, Part } from './manifest.ts';
import { chooseRelations, openPublished, quotedName, type Relation } from './relations.ts';

interface ExportRequest {
  /** The published file. */
  source: string;
  /** An existing, empty folder: what is new or changed is written there, as it will lie in the target. */
  folder: string;
  /** Null: every view of `main`. */
  names: readonly string[] | null;
  partition: Partition;
  /** The part of an earlier export that still lies there whole; it is not written again if its rows are the same. */
  standing: (folder: string) => Part | undefined;
  signal: AbortSignal;
}

/** One view or table, and which of its parts were written. */
export interface StagedTable extends ManifestTable {
  written: Part[];
}

/**
 * Writes views and core tables as Parquet, a folder each.
 * @throws AnswerlakeError configuration on an unknown name; storage
 */
export async function exportTables(request: ExportRequest): Promise<StagedTable[]> {
  // One thread writes one file a partition.
  await using published = await openPublished(request.source, { threads: 1, signal: request.signal });
  const { connection } = published;
  const tables: StagedTable[] = [];
  for (const relation of await chooseRelations(connection, request.names)) {
    request.signal.throwIfAborted();
    tables.push(await exportOne(connection, relation, request));
  }
  return tables;
}

async function exportOne(
  connection: Connection,
  relation: Relation,
  request: ExportRequest,
): Promise<StagedTable> {
  const { title: name, columns } = relation;
  const isDated = columns.includes('project_id') && columns.includes('date') && !columns.includes('month');
  const levels = request.partition === 'month' ? ['month'] : ['project_id', 'month'];
  await connection.run(
    `create or replace temp table export_rows as
     select *${isDated ? ", strftime(date, '%Y-%m') as month" : ''} from ${quotedName(relation)}`,
  );
  const found = isDated ? await readParts(connection, relation, levels) : [];
  // Without rows there would be no file, and nothing that knows the columns.
  const isSplit = found.length > 0;
  if (isDated && !isSplit) await connection.run('alter table export_rows drop column month');
  const parts = isSplit ? found : await readParts(connection, relation, []);
  const staged = parts.map((part, number) => {
    const standing = request.standing(part.folder);
    return { part, number, standing: standing?.content === part.content ? standing : undefined };
  });
  const owed = staged.flatMap((one) => (one.standing === undefined ? [one] : []));
  if (owed.length > 0) {
    const order = ['project_id', 'date'].filter((column) => columns.includes(column));
    await writeParts(connection, { owed, levels: isSplit ? levels : [], order, folder: request.folder });
  }
  return {
    name,
    partitions: isSplit ? levels : [],
    parts: staged.map(({ part, standing }) => standing ?? part),
    written: owed.map(({ part }) => part),
  };
}

interface OwedPart {
  part: FoundPart;
  number: number;
}

interface FoundPart extends Part {
  values: (string | null)[];
}

const partRow = z.object({
  values: z.array(z.string().nullable()),
  rows: z.number(),
  hash: z.string(),
});

/** The parts of `export_rows`, with a hash of their rows that no order changes. */
async function readParts(
  connection: Connection,
  relation: Relation,
  levels: readonly string[],
): Promise<FoundPart[]> {
  const values = levels.length === 0 ? '[]::varchar[]' : `[${levels.map(quoteIdentifier).join(', ')}]`;
  const rows = await connection.rowsAs(
    partRow,
    `select ${values} as values, count(*) as rows,
       md5(concat_ws(' ', $1, count(*), sum(cast(hash(r) as hugeint)), bit_xor(hash(r)))) as hash
     from export_rows r ${levels.length === 0 ? '' : 'group by 1 order by 1'}`,
    [relation.signature],
  );
  return rows.map((row) => ({
    folder: [relation.title, ...row.values.map(partFolder)].join('/'),
    rows: row.rows,
    content: row.hash,
    files: [],
    values: row.values,
  }));
}

interface PartsToWrite {
  owed: readonly OwedPart[];
  levels: readonly string[];
  order: readonly string[];
  folder: string;
}

/** A statement that writes files; an error of a full disk names the folder, not the published file that is read. */
async function copyOut(connection: Connection, sql: string, folder: string): Promise<void> {
  try {
    await connection.run(sql);
  } catch (error) {
    throw error instanceof WarehouseError ? explainFailure(error.cause, folder) : error;
  }
}

/** Writes parts under their numbers, since a value may be no name of a folder, and moves them where they belong. */
async function writeParts(
  connection: Connection,
  { owed, levels, order, folder }: PartsToWrite,
): Promise<void> {
  const sorted = order.length === 0 ? '' : ` order by ${order.join(', ')}`;
  if (levels.length === 0) {
    for (const { part } of owed) {
      mkdirSync(join(folder, part.folder), { recursive: true });
      const file = join(folder, part.folder, 'data_0.parquet');
      await copyOut(
        connection,
        `copy (from export_rows${sorted}) to ${quoteLiteral(file)} (format parquet, compression zstd)`,
        folder,
      );
      part.files.push({ name: 'data_0.parquet', bytes: statSync(file).size });
    }
    return;
  }
  const apart = join(folder, '.parts');
  await connection.run(
    `create or replace temp table export_parts (${levels.map((level) => `${quoteIdentifier(level)} varchar`).join(', ')}, _part integer)`,
  );
  for (const { part, number } of owed) {
    const places = levels.map((_, at) => `$${at + 1}`).join(', ');
    await connection.run(`insert into export_parts values (${places}, ${number})`, part.values);
  }
  const joined = levels.map(
    (level) => `r.${quoteIdentifier(level)} is not distinct from p.${quoteIdentifier(level)}`,
  );
  await copyOut(
    connection,
    `copy (select r.* exclude (month), p._part from export_rows r join export_parts p on ${joined.join(' and ')} order by p._part, ${order.map((one) => `r.${one}`).join(', ')})
     to ${quoteLiteral(apart)} (format parquet, compression zstd, partition_by (_part))`,
    folder,
  );
  for (const { part, number } of owed) {
    const from = join(apart, `_part=${number}`);
    mkdirSync(join(folder, part.folder), { recursive: true });
    for (const name of readdirSync(from).toSorted()) {
      part.files.push({ name, bytes: statSync(join(from, name)).size });
      renameSync(join(from, name), join(folder, part.folder, name));
    }
  }
  rmSync(apart, { recursive: true, force: true });
}

/** By which folders a dated table is split. */
export const PARTITIONS = ['project-month', 'month'] as const;
export type Partition = (typeof PARTITIONS)[number];

// File systems end a name at 255 bytes.
const MAX_BYTES = 200;
const KEPT_BYTES = 150;

/**
 * A value as the name of a folder: escaped, and shortened where a file system would refuse it. Without `column=`, because readers
 * would give the column another type than the files have. They also skip names that begin with a full stop or an underscore.
 */
export function partFolder(value: string | null): string {
  if (value === null) return 'null';
  const escaped = encodeURIComponent(Buffer.from(value).toString()).replaceAll(
    /^[._]|[!'()*]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  if (escaped.length <= MAX_BYTES) return escaped;
  const kept = escaped.slice(0, KEPT_BYTES).replace(/%.?$/, '');
  return `${kept}~${createHash('sha256').update(value).digest('hex').slice(0, 16)}`;
}
