import { renameSync, rmSync, writeFileSync } from 'node:fs';

/** Replaces a file in one step: a reader sees the old one or the new one, never half of one. `mode` is what a new file gets, less the umask. @throws the file system's own error */
export function replaceFile(path: string, content: string | Uint8Array, mode = 0o666): void {
  const temporary = `${path}.${process.pid}`;
  try {
    writeFileSync(temporary, content, { mode });
    renameSync(temporary, path);
  } finally {
    rmSync(temporary, { force: true });
  }
}
