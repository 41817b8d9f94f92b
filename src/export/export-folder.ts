import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { explainFailure } from '../warehouse/failure.ts';
import type { ExportedTable } from './export-tables.ts';
import { usageError } from '../errors.ts';

// Names that begin with an underscore are passed over by readers of hive folders.
const MANIFEST = '_export.json';

const manifestSchema = z.object({ tables: z.array(z.object({ name: z.string().regex(/^\w+$/) })) });

/** @throws AnswerlakeError (configuration) where an export would land among files that are there already */
export function assertExportable(folder: string, mayOverwrite: boolean): void {
  if (!existsSync(folder)) return;
  const names = explained(folder, () => readdirSync(folder));
  if (names.length === 0 || mayOverwrite) return;
  throw usageError(
    `${folder} is not empty; nothing was written. Add --overwrite to replace an earlier export, or choose another --output.`,
  );
}

/** A folder beside `target` that is gone afterwards, unless it was renamed. */
export function temporaryFolder(target: string): AsyncDisposable & { path: string } {
  const path = join(dirname(target), `.${basename(target)}.new-${process.pid}`);
  explained(target, () => {
    rmSync(path, { recursive: true, force: true });
    mkdirSync(path, { recursive: true });
  });
  return {
    path,
    [Symbol.asyncDispose]: async () => rmSync(path, { recursive: true, force: true }),
  };
}

/**
 * Puts a finished export where it belongs: in one step where nothing is, else table by table; what is neither of this
 * export nor of an earlier one stays as it is.
 */
export function putExportInPlace(temporary: string, folder: string, tables: readonly ExportedTable[]): void {
  explained(folder, () => {
    writeFileSync(join(temporary, MANIFEST), `${JSON.stringify({ tables }, null, 2)}\n`);
    if (!existsSync(folder) || readdirSync(folder).length === 0) {
      rmSync(folder, { recursive: true, force: true });
      renameSync(temporary, folder);
      return;
    }
    for (const name of formerTables(folder)) rmSync(join(folder, name), { recursive: true, force: true });
    for (const name of [...tables.map((table) => table.name), MANIFEST]) {
      rmSync(join(folder, name), { recursive: true, force: true });
      renameSync(join(temporary, name), join(folder, name));
    }
  });
}

function formerTables(folder: string): string[] {
  try {
    const manifest: unknown = JSON.parse(readFileSync(join(folder, MANIFEST), 'utf8'));
    return manifestSchema.parse(manifest).tables.map(({ name }) => name);
  } catch {
    return [];
  }
}

function explained<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw explainFailure(error, path);
  }
}
