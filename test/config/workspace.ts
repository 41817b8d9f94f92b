import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openFolder } from '../support/folder.ts';

/** A folder that is gone when the test is over; `write` returns the path. */
export function openWorkspace(): {
  directory: string;
  write: (name: string, text: string, mode?: number) => string;
} {
  const directory = openFolder();
  return {
    directory,
    write: (name, text, mode = 0o644) => {
      const path = join(directory, name);
      writeFileSync(path, text);
      chmodSync(path, mode);
      return path;
    },
  };
}
