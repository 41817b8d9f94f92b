import { mkdirSync, realpathSync } from 'node:fs';
import { basename, dirname, extname, join, resolve, sep } from 'node:path';
import type { Config } from '../config/config.ts';
import { AnswerlakeError, messageOf, usageError } from '../errors.ts';
import { replaceFile, replaceFileByPieces } from '../replace-file.ts';

/** Where a command may write its `--output`: anywhere but over what answerlake itself lives on. @throws AnswerlakeError (configuration) */
export function requireOtherFile(config: Config, output: string): void {
  const path = realPath(output);
  const { lake } = config.warehouse;
  const keys = config.accounts.flatMap(({ apiKey }) => /^file:(.*)$/.exec(apiKey.origin)?.[1] ?? []);
  const files: [string, string][] = [
    ['the configuration', config.path],
    ['the published file', config.warehouse.path],
    ...keys.map((key): [string, string] => ['a key', resolve(dirname(config.path), key)]),
    ...(typeof lake?.catalog === 'string' ? [['the catalog', lake.catalog] as [string, string]] : []),
  ];
  const folders: [string, string][] = [
    ['the raw archive', config.raw.dir],
    ['the jobs folder', config.jobsDir],
    ['the landing zone', config.landing],
    ...(lake === null ? [] : [['the lake', lake.data] as [string, string]]),
  ];
  const taken =
    files.find(([, own]) => realPath(own) === path) ??
    folders.find(([, own]) => path === realPath(own) || path.startsWith(realPath(own) + sep)) ??
    (isBeside(config.warehouse.path, path) ? (['the state', path] as const) : undefined);
  if (taken === undefined) return;
  throw usageError(
    `--output ${output} would write over ${taken[0]} of this warehouse (${taken[1]}); nothing was written. Name another file.`,
  );
}

/** Working file, its log, journal and the state of notifications: `.answers.…` next to `answers.duckdb`. */
function isBeside(published: string, path: string): boolean {
  const stem = basename(published, extname(published));
  return dirname(path) === realPath(dirname(resolve(published))) && basename(path).startsWith(`.${stem}.`);
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

/** Writes a file in one step, and creates its folder if missing. @throws AnswerlakeError (storage) */
export function writeWholeFile(file: string, content: string | Uint8Array): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    replaceFile(file, content);
  } catch (cause) {
    throw notWritten(file, cause);
  }
}

/** The same with text that comes in pieces. @throws AnswerlakeError (storage), and what `pieces` throws */
export async function writeFileByPieces(file: string, pieces: AsyncIterable<string>): Promise<void> {
  try {
    mkdirSync(dirname(file), { recursive: true });
    await replaceFileByPieces(file, pieces);
  } catch (cause) {
    throw cause instanceof AnswerlakeError ? cause : notWritten(file, cause);
  }
}

function notWritten(file: string, cause: unknown): AnswerlakeError {
  return new AnswerlakeError(`${file} cannot be written: ${messageOf(cause)}`, { class: 'storage', cause });
}
