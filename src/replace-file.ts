import { closeSync, openSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';

type Content = string | Uint8Array;

/** Replaces a file in one step: a reader sees the old one or the new one, never half of one. `mode` is what a new file gets, less the umask. @throws the file system's own error */
export function replaceFile(path: string, content: Content, mode = 0o666): void {
  using replacement = new Replacement(path, mode);
  replacement.write(content);
  replacement.finish();
}

/** The same with content that comes in pieces; the old file stays where one does not come. @throws the file system's own error, and what `pieces` throws */
export async function replaceFileByPieces(
  path: string,
  pieces: AsyncIterable<Content> | Iterable<Content>,
): Promise<void> {
  using replacement = new Replacement(path, 0o666);
  for await (const piece of pieces) replacement.write(piece);
  replacement.finish();
}

/** A file beside the one whose place it takes when it is finished, and which is gone when it is not. */
class Replacement implements Disposable {
  readonly #path: string;
  readonly #written: string;
  readonly #isBeside: boolean;
  #file: number | null;

  constructor(path: string, mode: number) {
    const known = statSync(path, { throwIfNoEntry: false });
    // A device or a pipe takes what is written; a file must not take its place, nor that of a link.
    const isTaken = known === undefined || known.isFile() || known.isDirectory();
    this.#path = known === undefined ? path : realpathSync(path);
    this.#isBeside = isTaken;
    this.#written = isTaken ? `${this.#path}.${process.pid}` : path;
    this.#file = openSync(this.#written, 'w', mode);
  }

  write(content: Content): void {
    if (this.#file !== null) writeFileSync(this.#file, content);
  }

  finish(): void {
    this.#close();
    if (this.#isBeside) renameSync(this.#written, this.#path);
  }

  [Symbol.dispose](): void {
    this.#close();
    if (this.#isBeside) rmSync(this.#written, { force: true });
  }

  #close(): void {
    if (this.#file === null) return;
    const file = this.#file;
    this.#file = null;
    closeSync(file);
  }
}
