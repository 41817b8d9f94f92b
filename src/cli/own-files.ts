import { realpathSync } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
import type { Config } from '../config/config.ts';
import { usageError } from '../errors.ts';
import { workingPath } from '../warehouse/working-file.ts';

/** Where a command may write its `--output`: anywhere but over what answerlake itself lives on. @throws AnswerlakeError (configuration) */
export function requireOtherFile(config: Config, output: string): void {
  const path = realPath(output);
  const working = workingPath(config.warehouse.path);
  const files = {
    'the configuration': config.path,
    'the published file': config.warehouse.path,
    'the working file': working,
    "the working file's log": `${working}.wal`,
  };
  const folders = { 'the raw archive': config.raw.dir, 'the jobs folder': config.jobsDir };
  const taken =
    Object.entries(files).find(([, own]) => realPath(own) === path) ??
    Object.entries(folders).find(([, own]) => path === realPath(own) || path.startsWith(realPath(own) + sep));
  if (taken === undefined) return;
  throw usageError(
    `--output ${output} would write over ${taken[0]} of this warehouse (${taken[1]}); nothing was written. Name another file.`,
  );
}

/** The path without links, as far as it exists. */
function realPath(path: string): string {
  const absolute = resolve(path);
  try {
    return realpathSync(absolute);
  } catch {
    const parent = dirname(absolute);
    return parent === absolute ? absolute : join(realPath(parent), basename(absolute));
  }
}
