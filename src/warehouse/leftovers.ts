import { readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { codeOf } from '../errors.ts';

/** Removes `<path><infix><process id>…` of processes that have ended, files and folders: a kill while they are made leaves them behind. */
export function removeDeadTemporaries(path: string, infix: string): void {
  const folder = dirname(path);
  const start = `${basename(path)}${infix}`;
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(start)) continue;
    const id = /^(\d+)(?:\.wal)?$/.exec(name.slice(start.length))?.[1];
    if (id !== undefined && isDeadProcess(Number(id)))
      rmSync(join(folder, name), { recursive: true, force: true });
  }
}

/** True when the process has ended or is this one: a restarted container gives us the same id again. */
export function isDeadProcess(id: number): boolean {
  if (id === process.pid) return true;
  try {
    process.kill(id, 0);
    return false;
  } catch (error) {
    return codeOf(error) === 'ESRCH';
  }
}
