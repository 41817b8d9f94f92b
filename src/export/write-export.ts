import pLimit from 'p-limit';
import { usageError } from '../errors.ts';
import type { ExportTarget } from './export-target.ts';
import { exportTables, type Partition, type StagedTable } from './export-tables.ts';
import type { Schema } from './relations.ts';
import { MANIFEST, manifestText, parseManifest, type Manifest, type ManifestFile } from './manifest.ts';

export interface ExportOrder {
  /** The published file. */
  source: string;
  /** Null: every view of the schema. */
  names: readonly string[] | null;
  schema: Schema;
  /** Null: every project. */
  projectId: string | null;
  partition: Partition;
  /** May replace an earlier export. */
  overwrite: boolean;
  /** Keeps the files of partitions whose rows did not change. */
  changed: boolean;
  signal: AbortSignal;
}

/** Parallel requests to a bucket. */
const CONCURRENCY = 8;

export interface WrittenExport {
  tables: StagedTable[];
  /** Files of an earlier export that are gone. */
  removed: number;
}

/**
 * Writes an export into a target: new files, then the manifest that names them, and only then removes the files that it replaces. So
 * every file that a manifest names is complete, and an export that is killed leaves the manifest of the one before. What
 * a manifest of ours does not name is never touched.
 * @throws AnswerlakeError configuration where other files would be mixed in; storage
 */
export async function writeExport(target: ExportTarget, order: ExportOrder): Promise<WrittenExport> {
  const found = await target.sizes();
  const text = await target.read(MANIFEST);
  const ours = text === null ? null : parseManifest(text.toString());
  if (found.size > 0 && !order.overwrite && !(order.changed && ours !== null)) {
    throw usageError(
      `${target.name} is not empty; nothing was written. Add --overwrite to replace an earlier export${ours === null ? '' : ', --changed to bring it up to date,'} or choose another --output.`,
    );
  }
  const earlier: Manifest = ours ?? { project: null, tables: [], files: [] };
  if (order.changed && ours !== null && ours.project !== order.projectId) {
    throw usageError(
      `${target.name} holds an export of ${ours.project === null ? 'every project' : `project ${ours.project}`}; nothing was written. Choose another --output, or add --overwrite in place of --changed.`,
    );
  }
  const own = new Map(earlier.files.map((file) => [file.path, file]));
  const tables = await exportTables({
    ...order,
    folder: target.staging,
    standing: (path) => {
      const bytes = order.changed ? own.get(path)?.bytes : undefined;
      return found.get(path) === bytes ? bytes : undefined;
    },
  });
  for (const { table } of tables) assertOwn(target.name, table, { found, own });
  // With names, --changed brings those tables up to date and leaves the others.
  const isLeft = ({ table }: { table: string }): boolean =>
    order.changed && order.names !== null && tables.every((one) => one.table !== table);
  const files = [
    ...tables.flatMap((one) => one.files),
    ...earlier.files.filter((file) => file.kind === 'file' && isLeft(file)),
  ];
  const written = tables.flatMap((one) => one.written);
  const current = new Set(files.map(({ path }) => path));
  const gone = earlier.files.filter(({ path }) => !current.has(path) && found.has(path));
  // Names what this export adds, so that the next one finds it where this one is killed.
  const added = written.filter(({ path }) => !own.has(path));
  if (added.length > 0) {
    const pending = added.map((file) => ({ ...file, kind: 'pending' as const }));
    await writeManifest(target, {
      ...earlier,
      project: order.projectId,
      files: [...earlier.files, ...pending],
    });
  }
  const limit = pLimit(CONCURRENCY);
  await limit.map(written, ({ path }) => target.take(path));
  await writeManifest(target, {
    project: order.projectId,
    tables: [...tables, ...earlier.tables.filter(isLeft)],
    files: [...files, ...gone.map((file) => ({ ...file, kind: 'deleted' as const }))],
  });
  await limit.map(gone, ({ path }) => target.remove(path));
  return { tables, removed: gone.length };
}

async function writeManifest(target: ExportTarget, manifest: Manifest): Promise<void> {
  await target.write(MANIFEST, Buffer.from(manifestText(manifest)));
}

/** Readers take every file of a table's folder for rows of the table. */
function assertOwn(
  target: string,
  table: string,
  { found, own }: { found: ReadonlyMap<string, number>; own: ReadonlyMap<string, ManifestFile> },
): void {
  const foreign = [...found.keys()].filter((path) => path.startsWith(`${table}/`) && !own.has(path));
  if (foreign.length === 0) return;
  throw usageError(
    `${target}/${table} holds files that no export wrote (${foreign.slice(0, 3).join(', ')}), and readers would take them for rows of ${table}; nothing was written. Move them away, or choose another --output.`,
  );
}
