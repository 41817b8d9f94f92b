import { mkdirSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
import type { Config } from '../config/config.ts';
import { usageError, orNull } from '../errors.ts';
import { type Pieces, replaceFileByPieces } from '../files.ts';
import { beside } from '../warehouse/database-files.ts';
import { explainFailure } from '../warehouse/failure.ts';

/** Refuses an `--output` that would overwrite answerlake's own files. @throws AnswerlakeError (configuration) */
export function requireOtherFile(config: Config, output: string): void {
  const path = realPath(output);
  const { lake } = config.warehouse;
  const keys = config.accounts.flatMap(({ apiKey }) => /^file:(.*)$/.exec(apiKey.origin)?.[1] ?? []);
  const own: [what: string, place: unknown][] = [
    ...keys.map((key): [string, string] => ['a key', resolve(dirname(config.path), key)]),
    ['the configuration', config.path],
    ['the published file', config.warehouse.path],
    ['the raw archive', config.raw.dir],
    ['the jobs folder', config.jobsDir],
    ['the landing zone', config.landing],
    ['the catalog', lake?.catalog],
    ['the lake', lake?.data],
    ['the state', isBeside(config.warehouse.path, path) ? path : null],
  ];
  for (const [what, place] of own)
    if (typeof place === 'string' && `${path}${sep}`.startsWith(realPath(place) + sep))
      throw usageError([
        `--output ${output} would overwrite ${what} of this warehouse (${place}); nothing was written.`,
        'Name another file.',
      ]);
}

/** Working file, its log, journal and notification state: `.answers.…` next to `answers.duckdb`. */
function isBeside(published: string, path: string): boolean {
  return path.startsWith(join(realPath(dirname(resolve(published))), basename(beside(published, ''))));
}

/** The path without links, as far as it exists. */
function realPath(path: string): string {
  const absolute = resolve(path);
  const parent = dirname(absolute);
  const missing = () => (parent === absolute ? absolute : join(realPath(parent), basename(absolute)));
  return orNull(() => realpathSync(absolute)) ?? missing();
}

/** Writes a file in one step and creates its folder if missing. @throws AnswerlakeError (storage), and what `pieces` throws */
export async function writeOutput(file: string, pieces: Pieces): Promise<void> {
  try {
    mkdirSync(dirname(file), { recursive: true });
    await replaceFileByPieces(file, pieces);
  } catch (error) {
    throw explainFailure(error, file);
  }
}
