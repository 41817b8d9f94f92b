import { randomBytes } from 'node:crypto';
import { readdirSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { isDeadProcess } from './leftovers.ts';

const LEFTOVER_AFTER_MS = 86_400_000;

/** A new name beside the target that we recognise as ours: `.answers.publish-<process>-<random>.duckdb`. */
export function temporaryName(targetPath: string): string {
  const name = `${prefix(targetPath)}${process.pid}-${randomBytes(4).toString('hex')}.duckdb`;
  return join(dirname(targetPath), name);
}

/** Removes the files that killed publishes of this target left behind; files of living processes stay for a day. */
export function removeLeftovers(targetPath: string, now: number): string[] {
  const folder = dirname(targetPath);
  const start = prefix(targetPath);
  const leftovers = readdirSync(folder)
    .filter((name) => name.startsWith(start))
    .filter((name) => isDead(name.slice(start.length)) || isOld(join(folder, name), now));
  for (const name of leftovers) rmSync(join(folder, name), { force: true });
  return leftovers;
}

function prefix(targetPath: string): string {
  return `.${basename(targetPath, extname(targetPath))}.publish-`;
}

function isDead(rest: string): boolean {
  const id = /^(\d+)-[0-9a-f]{8}\.duckdb(?:\.wal)?$/.exec(rest)?.[1];
  if (id === undefined) return false;
  return isDeadProcess(Number(id));
}

function isOld(path: string, now: number): boolean {
  const changed = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
  return changed !== undefined && now - changed > LEFTOVER_AFTER_MS;
}
