import { readFileSync } from 'node:fs';

/** The SQL that makes an empty file as a version of answerlake made it; each comment names the version. */
export function oldFile(version: string): string {
  const sql = readFileSync(new URL(`old-files/${version}.sql`, import.meta.url), 'utf8');
  const comments = [...sql.matchAll(/^create table (\S+) \((.*)\);$/gm)].flatMap(
    ([, table = '', columns = '']) => [
      `comment on table ${table} is 'As of ${version}.';`,
      ...columns
        .split(', ')
        .map((column) => `comment on column ${table}.${column.split(' ')[0] ?? ''} is 'As of ${version}.';`),
    ],
  );
  return [sql, ...comments].join('\n');
}
