import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PACKAGE_ROOT } from '../package.ts';

/** The `sql` folder of the package, with the separator at its end. */
export const SQL_FOLDER = join(PACKAGE_ROOT, 'sql', '/');

/** One file `<number>_<name>.sql`. */
export interface SqlFile {
  number: number;
  name: string;
  sql: string;
}

const FILE_NAME = /^(\d+)_([a-z0-9_]+)\.sql$/;

/** The numbered files of one folder under `sql`, by number. @throws Error on a bad or repeated number */
export function readSqlFiles(folder: string, root: string = SQL_FOLDER): SqlFile[] {
  const path = join(root, folder);
  const files = readdirSync(path)
    .filter((file) => file.endsWith('.sql'))
    .map((file) => {
      const match = FILE_NAME.exec(file);
      if (match === null) throw new Error(`${join(path, file)}: the name must be <number>_<name>.sql`);
      return { number: Number(match[1]), name: match[2] ?? '', sql: readFileSync(join(path, file), 'utf8') };
    })
    .sort((a, b) => a.number - b.number);
  files.forEach((file, index) => {
    if (files[index - 1]?.number === file.number) {
      throw new Error(`${path}: two files have the number ${file.number}`);
    }
  });
  return files;
}
