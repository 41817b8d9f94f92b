import { closeSync, openSync, readSync } from 'node:fs';

// A checksum of eight bytes comes first.
const MAGIC = { text: 'DUCK', position: 8 };

/** True when the file begins like one of DuckDB; takes no lock. Not for a file that this process has open. @throws the file system's own error */
export function isDuckDbFile(path: string): boolean {
  const found = Buffer.alloc(MAGIC.text.length);
  const file = openSync(path, 'r');
  try {
    readSync(file, found, 0, found.length, MAGIC.position);
  } finally {
    closeSync(file);
  }
  return found.toString('latin1') === MAGIC.text;
}
