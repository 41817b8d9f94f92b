import { readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Removes `<path><infix><process id>…` of processes that are no more: a kill in the middle of making a file leaves them. */
export function removeDeadTemporaries(path: string, infix: string): void {
  const folder = dirname(path);
  const start = `${basename(path)}${infix}`;
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(start)) continue;
    const id = /^(\d+)(?:\.wal)?$/.exec(name.slice(start.length))?.[1];
    if (id !== undefined && isDeadProcess(Number(id))) rmSync(join(folder, name), { force: true });
  }
}

/** True when the process is gone, or is this one: the same id in a container's next life is ours. */
export function isDeadProcess(id: number): boolean {
  if (id === process.pid) return true;
  try {
    process.kill(id, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
