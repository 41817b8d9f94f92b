import { randomBytes } from 'node:crypto';
import { mkdirSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

type Content = string | Uint8Array;

/** Replaces a file in one step: a reader sees the old one or the new one, never half of one. `mode` is what a new file gets, less the umask. @throws the file system's own error */
export function replaceFile(path: string, content: Content, mode = 0o666): void {
  using place = placeFor(path);
  writeFileSync(place.written, content, { mode });
  place.finish();
}

/** The same with content that comes in pieces; the old file stays where one does not come. @throws the file system's own error, and what `pieces` throws */
export async function replaceFileByPieces(
  path: string,
  pieces: AsyncIterable<Content> | Iterable<Content>,
): Promise<void> {
  using place = placeFor(path);
  await writeFile(place.written, pieces);
  place.finish();
}

export interface NewFile {
  path: string;
  content: Content;
  mode?: number;
}

/** Writes files and their folders; none takes its place before all are written. @throws the file system's own error */
export function placeFiles(files: readonly NewFile[]): void {
  for (const { path } of files) mkdirSync(dirname(path), { recursive: true });
  const places = files.map(({ path }) => placeFor(path));
  try {
    for (const [index, { content, mode = 0o666 }] of files.entries())
      writeFileSync(places[index]?.written ?? '', content, { mode });
    for (const place of places) place.finish();
  } finally {
    for (const place of places) place[Symbol.dispose]();
  }
}

/** A file beside the one whose place it takes when it is finished, and which is gone when it is not. */
function placeFor(path: string): Disposable & { written: string; finish: () => void } {
  const known = statSync(path, { throwIfNoEntry: false });
  // A device or a pipe takes what is written; a file must not take its place, nor that of a link.
  if (known !== undefined && !known.isFile() && !known.isDirectory())
    return { written: path, finish: () => undefined, [Symbol.dispose]: () => undefined };
  const target = known === undefined ? path : realpathSync(path);
  const written = `${target}.${randomBytes(6).toString('hex')}`;
  return {
    written,
    finish: () => renameSync(written, target),
    [Symbol.dispose]: () => rmSync(written, { force: true }),
  };
}
