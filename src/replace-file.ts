import { renameSync, rmSync, statSync, writeFileSync } from 'node:fs';

/** Replaces a file in one step: a reader sees the old one or the new one, never half of one. `mode` is what a new file gets, less the umask. @throws the file system's own error */
export function replaceFile(path: string, content: string | Uint8Array, mode = 0o666): void {
  const known = statSync(path, { throwIfNoEntry: false });
  if (known !== undefined && !known.isFile() && !known.isDirectory()) {
    // A device or a pipe takes what is written; a file must not take its place.
    writeFileSync(path, content);
    return;
  }
  const temporary = `${path}.${process.pid}`;
  try {
    writeFileSync(temporary, content, { mode });
    renameSync(temporary, path);
  } finally {
    rmSync(temporary, { force: true });
  }
}
