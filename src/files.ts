import { randomBytes } from 'node:crypto';
import * as fs from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';

/** The folder of the installed package: source and built files lie at different depths below it. */
export const PACKAGE_ROOT = findUpwards(import.meta.dirname);

/** Where the build writes the starter files of other tools, a folder for each. */
export const STARTERS_FOLDER = join(PACKAGE_ROOT, 'dist', 'starters');

function findUpwards(folder: string): string {
  return fs.existsSync(join(folder, 'package.json')) ? folder : findUpwards(dirname(folder));
}

/** The data of a YAML file under `sql`, by its path without extension, as the build printed it: a tenth of the processor time of `query` was to read YAML. */
export function readSqlData(path: string): unknown {
  return JSON.parse(fs.readFileSync(join(PACKAGE_ROOT, 'dist', 'sql', `${path}.json`), 'utf8'));
}

/** Version of this program, from its package file. */
export function readVersion(): string {
  const text = fs.readFileSync(join(PACKAGE_ROOT, 'package.json'), 'utf8');
  const { version }: { version: string } = JSON.parse(text);
  return version;
}

/** The text of a hand-written file: UTF-8, or UTF-16 with a byte order mark, as Windows writes it; without the mark. */
export function decodeText(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  return new TextDecoder().decode(bytes);
}

/** A path for messages: relative to the working directory if it is below it. */
export function shortPath(path: string): string {
  const fromHere = relative(process.cwd(), path);
  return fromHere === '' || fromHere.startsWith('..') ? path : fromHere;
}

/** The files of a folder with this ending, in the order of their names; empty without a folder. `file` formats a name for messages. */
export function filesIn(folder: string | undefined, ending: string) {
  if (folder === undefined || !fs.existsSync(folder)) return [];
  const names = fs
    .readdirSync(folder)
    .filter((name) => name.toLowerCase().endsWith(ending) && !name.startsWith('.'));
  return names.toSorted().map((name) => {
    const path = join(folder, name);
    return { name: name.slice(0, -ending.length), path, file: shortPath(path) };
  });
}

type Content = string | Uint8Array;
export type Pieces = AsyncIterable<Content> | Iterable<Content>;

/** Replaces a file in one step: a reader sees the old one or the new one, never a part. `mode` applies to a new file, less the umask. @throws the file system's own error */
export function replaceFile(path: string, content: Content, mode = 0o666): void {
  using place = placeFor(path);
  fs.writeFileSync(place.written, content, { mode });
  place.finish();
}

/** The same with content in pieces; the old file stays if a piece fails. @throws the file system's own error, and what `pieces` throws */
export async function replaceFileByPieces(path: string, pieces: Pieces): Promise<void> {
  using place = placeFor(path);
  await writeFile(place.written, pieces);
  place.finish();
}

export interface NewFile {
  path: string;
  content: Content;
  mode?: number;
}

/** Writes files and their folders; none is put in place before all are written. @throws the file system's own error */
export function placeFiles(files: readonly NewFile[]): void {
  for (const { path } of files) fs.mkdirSync(dirname(path), { recursive: true });
  const places = files.map(({ path }) => placeFor(path));
  try {
    for (const [index, { content, mode = 0o666 }] of files.entries())
      fs.writeFileSync(places[index]?.written ?? '', content, { mode });
    for (const place of places) place.finish();
  } finally {
    for (const place of places) place[Symbol.dispose]();
  }
}

/** A temporary file next to the one that it replaces when finished; removed if not. */
function placeFor(path: string): Disposable & { written: string; finish: () => void } {
  const known = fs.statSync(path, { throwIfNoEntry: false });
  // Write to a device or a pipe directly; a file must not replace it, nor a link to it.
  if (known !== undefined && !known.isFile() && !known.isDirectory())
    return { written: path, finish: () => undefined, [Symbol.dispose]: () => undefined };
  const target = known === undefined ? path : fs.realpathSync(path);
  const written = `${target}.${randomBytes(6).toString('hex')}`;
  return {
    written,
    finish: () => fs.renameSync(written, target),
    [Symbol.dispose]: () => fs.rmSync(written, { force: true }),
  };
}
