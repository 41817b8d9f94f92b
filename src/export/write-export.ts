import pLimit from 'p-limit';
import { usageError } from '../errors.ts';
import { exportTables, MANIFEST, manifestText, parseManifest } from './export-tables.ts';
import type { ExportRequest, ExportManifest } from './export-tables.ts';
import { mkdirSync, readFileSync, renameSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { Bucket } from '../bucket/bucket.ts';
import { openFolder, type Store } from '../bucket/folder.ts';
import { explainFailure } from '../warehouse/failure.ts';
import { openOwnFolder, type OwnFolder, removeDeadFolders } from '../warehouse/own-folder.ts';

interface ExportOrder extends Omit<ExportRequest, 'folder' | 'standing' | 'earlier'> {
  /** May replace an earlier export. */
  overwrite: boolean;
  /** Keeps the files of partitions whose rows did not change. */
  changed: boolean;
}

/** Parallel requests to a bucket. */
const CONCURRENCY = 8;

/**
 * Writes an export into a target, and counts the removed files of an earlier one: first the new files, then the manifest that names
 * them, and only then removes replaced files. So every file in a manifest is complete, and a killed export leaves the previous
 * manifest. Files that no manifest of ours names are never touched.
 * @throws AnswerlakeError configuration if other files would be mixed in; storage
 */
export async function writeExport(target: ExportTarget, order: ExportOrder) {
  const found = await target.sizes();
  const text = await target.read(MANIFEST);
  const ours = text === null ? null : parseManifest(text.toString());
  if (found.size > 0 && !order.overwrite && !(order.changed && ours !== null)) {
    throw usageError([
      `${target.name} is not empty; nothing was written.`,
      `Add --overwrite to replace an earlier export${ours === null ? '' : ', --changed to bring it up to date,'} or choose another --output.`,
    ]);
  }
  const earlier: ExportManifest = ours ?? { project: null, tables: [], files: [] };
  if (order.changed && ours !== null && ours.project !== order.projectId) {
    throw usageError([
      `${target.name} holds an export of ${ours.project === null ? 'every project' : `project ${ours.project}`}; nothing was written.`,
      'Choose another --output, or add --overwrite in place of --changed.',
    ]);
  }
  const own = new Map(earlier.files.map((file) => [file.path, file]));
  const standing = (path: string): number | undefined => {
    const bytes = order.changed ? own.get(path)?.bytes : undefined;
    return found.get(path) === bytes ? bytes : undefined;
  };
  const { tables, failed } = await exportTables({
    ...order,
    folder: target.staging,
    standing,
    earlier: (name) => {
      const table = earlier.tables.find((one) => one.table === name);
      const files = earlier.files.filter((file) => file.kind === 'file' && file.table === name);
      const isWhole = files.length > 0 && files.every(({ path }) => standing(path) !== undefined);
      return table === undefined || !isWhole ? undefined : { ...table, files };
    },
  });
  // Readers treat every file of a table's folder as rows of the table.
  for (const { table } of tables) {
    const foreign = [...found.keys()].filter((path) => path.startsWith(`${table}/`) && !own.has(path));
    if (foreign.length > 0)
      throw usageError([
        `${target.name}/${table} holds files that no export wrote (${foreign.slice(0, 3).join(', ')}), and readers would treat them as rows of ${table}; nothing was written.`,
        'Move them away, or choose another --output.',
      ]);
  }
  // With names, --changed updates those tables and leaves the others.
  const isLeft = ({ table }: { table: string }): boolean =>
    failed.has(table) ||
    (order.changed && order.names !== null && tables.every((one) => one.table !== table));
  const files = [
    ...tables.flatMap((one) => one.files),
    ...earlier.files.filter((file) => file.kind === 'file' && isLeft(file)),
  ];
  const written = tables.flatMap((one) => one.written);
  const current = new Set(files.map(({ path }) => path));
  const gone = earlier.files.filter(({ path }) => !current.has(path) && found.has(path));
  // Names the additions of this export, so that the next one finds them if this one is killed.
  const { projectId: project } = order;
  const added = written.filter(({ path }) => !own.has(path));
  const pending = added.map((file) => ({ ...file, kind: 'pending' as const }));
  if (pending.length > 0)
    await writeManifest(target, { ...earlier, project, files: [...earlier.files, ...pending] });
  const limit = pLimit(CONCURRENCY);
  await limit.map(written, ({ path }) => target.take(path));
  await writeManifest(target, {
    project,
    tables: [...tables, ...earlier.tables.filter(isLeft)],
    files: [...files, ...gone.map((file) => ({ ...file, kind: 'deleted' as const }))],
  });
  await limit.map(gone, ({ path }) => target.remove(path));
  return { tables, removed: gone.length, failed };
}

async function writeManifest(target: ExportTarget, manifest: ExportManifest): Promise<void> {
  await target.write(MANIFEST, Buffer.from(manifestText(manifest)));
}

/** A folder or a prefix of a bucket that holds an export. */
export interface ExportTarget extends Pick<Store, 'read' | 'write' | 'remove'>, AsyncDisposable {
  /** For messages. */
  name: string;
  /** A folder for what is being written. */
  staging: string;
  /** Every file and its size. */
  sizes(): Promise<ReadonlyMap<string, number>>;
  /** Takes a file from the staging folder. */
  take(name: string): Promise<void>;
}

/** A folder of this machine; files are staged next to it and moved, not copied. */
export async function openFolderTarget(folder: string): Promise<ExportTarget> {
  const explain = (error: unknown): unknown => explainFailure(error, folder);
  const staging = await openStaging(join(dirname(folder), `.${basename(folder)}.new-`), explain);
  const store = openFolder(folder, { isPrivate: false, explain });
  return {
    ...store,
    name: folder,
    staging: staging.path,
    sizes: async () =>
      new Map((await store.list('')).map((name) => [name, statSync(join(folder, name)).size])),
    take: async (name) => {
      try {
        mkdirSync(dirname(join(folder, name)), { recursive: true });
        renameSync(join(staging.path, name), join(folder, name));
      } catch (error) {
        throw explain(error);
      }
    },
    [Symbol.asyncDispose]: () => Promise.resolve(staging[Symbol.dispose]()),
  };
}

/** @throws what `explain` makes of the file system's own error */
async function openStaging(start: string, explain: (error: unknown) => unknown): Promise<OwnFolder> {
  try {
    mkdirSync(dirname(start), { recursive: true });
    await removeDeadFolders(start);
    return await openOwnFolder(start);
  } catch (error) {
    throw explain(error);
  }
}

/** A prefix of a bucket; what is staged on this machine is uploaded. */
export async function openBucketTarget(name: string, bucket: Bucket): Promise<ExportTarget> {
  const staging = await openStaging(join(tmpdir(), 'answerlake-export-'), (error) => error);
  return {
    ...bucket,
    name,
    staging: staging.path,
    sizes: () => bucket.sizes(''),
    take: (file) => bucket.write(file, readFileSync(join(staging.path, file))),
    [Symbol.asyncDispose]: async () => {
      staging[Symbol.dispose]();
      await bucket[Symbol.asyncDispose]();
    },
  };
}
