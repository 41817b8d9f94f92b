import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

export interface KeyPlaces {
  /** Lines of the log. */
  lines: readonly string[];
  /** Folder of one day of the raw archive. */
  archive: string;
  /** Database files; a column may be packed, so their tables are looked at too. */
  files: readonly string[];
}

/** Where a key stands although it should stand nowhere. */
export function keyFoundIn(key: string, { lines, archive, files }: KeyPlaces): string[] {
  const found = lines.filter((line) => plain(line).includes(key)).map(() => 'the log');
  for (const path of files) if (existsSync(path) && readFileSync(path).includes(key)) found.push(path);
  for (const name of existsSync(archive) ? readdirSync(archive) : []) {
    const text = gunzipSync(readFileSync(join(archive, name))).toString();
    if (text.split('\n').some((line) => plain(line).includes(key))) found.push(`the archive ${name}`);
  }
  return [...new Set(found)];
}

/** A line without the escapes that would hide a key. */
function plain(line: string): string {
  if (!line.includes('\\')) return line;
  try {
    return JSON.stringify(JSON.parse(line));
  } catch {
    return line;
  }
}
