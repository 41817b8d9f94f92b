import { mkdirSync, rmSync } from 'node:fs';
import { explainFailure } from '../warehouse/failure.ts';
import { usageError } from '../errors.ts';
import type { ExportTarget } from './export-target.ts';
import { exportTables, type Partition, type StagedTable } from './export-tables.ts';
import {
  MANIFEST,
  manifestText,
  parseManifest,
  pathsOf,
  type Manifest,
  type ManifestTable,
} from './manifest.ts';

export interface ExportOrder {
  /** The published file. */
  source: string;
  /** Null: every view of `main`. */
  names: readonly string[] | null;
  partition: Partition;
  /** May replace an earlier export. */
  overwrite: boolean;
  /** Keeps the files of partitions whose rows did not change. */
  changed: boolean;
  signal: AbortSignal;
}

export interface WrittenExport {
  tables: StagedTable[];
  /** Files of an earlier export that are gone. */
  removed: number;
}

/**
 * Writes an export into a target. What a manifest of ours does not name is never touched; a reader finds each file
 * whole, old or new.
 * @throws AnswerlakeError configuration where other files would be mixed in; storage
 */
export async function writeExport(target: ExportTarget, order: ExportOrder): Promise<WrittenExport> {
  const files = await target.list();
  const text = files.has(MANIFEST) ? await target.readText(MANIFEST) : null;
  const earlier: Manifest = (text === null ? null : parseManifest(text)) ?? { version: 2, tables: [] };
  const isOurs = text !== null && parseManifest(text) !== null;
  if (files.size > 0 && !order.overwrite && !(order.changed && isOurs)) {
    throw usageError(
      `${target.name} is not empty; nothing was written. Add --overwrite to replace an earlier export${isOurs ? ', --changed to bring it up to date,' : ''} or choose another --output.`,
    );
  }
  const own = new Set(earlier.tables.flatMap(({ parts }) => parts.flatMap(pathsOf)));
  makeStaging(target);
  const parts = new Map(earlier.tables.flatMap((table) => table.parts.map((part) => [part.folder, part])));
  const tables = await exportTables({
    ...order,
    folder: target.staging,
    standing: (folder) => {
      const part = order.changed ? parts.get(folder) : undefined;
      return part?.files.every(({ name, bytes }) => files.get(`${folder}/${name}`) === bytes) === true
        ? part
        : undefined;
    },
  });
  for (const { name } of tables) assertOwn(target.name, name, { files, own });
  // With names, --changed brings those tables up to date and leaves the others.
  const others =
    order.changed && order.names !== null
      ? earlier.tables.filter(({ name }) => tables.every((table) => table.name !== name))
      : [];
  const next = [...tables.map(withoutWritten), ...others].toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const written = tables.flatMap((table) => table.written.flatMap(pathsOf));
  const kept = new Set(next.flatMap((table) => table.parts.flatMap(pathsOf)));
  const gone = [...own].filter((path) => !kept.has(path));
  // A run that is killed leaves a manifest that names everything of ours that may lie there.
  if (written.length + gone.length > 0) {
    await target.writeText(MANIFEST, manifestText([...underWay(earlier), ...underWay({ tables })]));
  }
  await target.take(written);
  await target.remove(gone);
  await target.writeText(MANIFEST, manifestText(next));
  return { tables, removed: gone.filter((path) => files.has(path)).length };
}

/** A table of the manifest: just what stands in it. */
function withoutWritten({ name, partitions, parts }: StagedTable): ManifestTable {
  return {
    name,
    partitions,
    parts: parts.map(({ folder, rows, content, files }) => ({ folder, rows, content, files })),
  };
}

function underWay({ tables }: { tables: readonly ManifestTable[] }): ManifestTable[] {
  return tables.map(({ name, partitions, parts }) => ({
    name,
    partitions,
    parts: parts.map(({ folder, rows, files }) => ({ folder, rows, content: null, files })),
  }));
}

/** Readers take every file of a table's folder for rows of the table. */
function assertOwn(
  target: string,
  table: string,
  { files, own }: { files: ReadonlyMap<string, number>; own: ReadonlySet<string> },
): void {
  const foreign = [...files.keys()].filter((path) => path.startsWith(`${table}/`) && !own.has(path));
  if (foreign.length === 0) return;
  throw usageError(
    `${target}/${table} holds files that no export wrote (${foreign.slice(0, 3).join(', ')}${foreign.length > 3 ? ', …' : ''}), and readers would take them for rows of ${table}; nothing was written. Move them away, or choose another --output.`,
  );
}

function makeStaging({ staging, name }: ExportTarget): void {
  try {
    rmSync(staging, { recursive: true, force: true });
    mkdirSync(staging, { recursive: true });
  } catch (error) {
    throw explainFailure(error, name);
  }
}
