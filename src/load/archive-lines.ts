import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';

/** A place of an archive file that cannot be read. */
export interface ArchiveDamage {
  path: string;
  /** 1-based. */
  line: number;
  what: string;
  /** True at the end of the file, where a kill while it is written leaves half of a batch that was never loaded. */
  isTail: boolean;
}

export interface ArchiveText {
  /** 1-based. */
  line: number;
  text: string;
}

const NEWLINE = 0x0a;

/** Compressed bytes, some at a time. */
export type Packed = AsyncIterable<Buffer> | Iterable<Buffer>;

/**
 * The whole lines of an archive file, whose bytes are given where they are known already. A line ends at `\n` alone: JSON has U+2028 in its texts, and `readline` splits there.
 * @throws the file system's own error
 */
export async function* archiveTexts(
  path: string,
  onDamage: (damage: ArchiveDamage) => void,
  packed: Packed = createReadStream(path),
): AsyncGenerator<ArchiveText> {
  let line = 1;
  let rest: Buffer[] = [];
  const reading = inflate(packed);
  for (;;) {
    const step = await reading.next();
    if (step.done === true) {
      const isCut = step.value === null ? rest.length > 0 : step.value.isCut;
      if (step.value !== null || isCut) {
        onDamage({ path, line, what: step.value?.what ?? 'the line is cut off', isTail: isCut });
      }
      return;
    }
    let start = 0;
    for (let end = step.value.indexOf(NEWLINE); end !== -1; end = step.value.indexOf(NEWLINE, start)) {
      yield { line, text: Buffer.concat([...rest, step.value.subarray(start, end)]).toString() };
      rest = [];
      line += 1;
      start = end + 1;
    }
    if (start < step.value.length) rest.push(step.value.subarray(start));
  }
}

/** Why nothing more can be unpacked. */
interface Broken {
  what: string;
  isCut: boolean;
}

/** Everything that can be unpacked, up to the first damage. */
async function* inflate(source: Packed): AsyncGenerator<Buffer, Broken | null> {
  const gunzip = createGunzip();
  const unpacked: Buffer[] = [];
  const errors: Error[] = [];
  gunzip.on('data', (part: Buffer) => unpacked.push(part));
  // A damage ends the stream without another word to the writer.
  const over = new Promise<void>((resolve) => {
    gunzip.on('end', resolve);
    gunzip.on('error', (error) => {
      errors.push(error);
      resolve();
    });
  });
  let size = 0;
  try {
    for await (const packed of source) {
      size += packed.length;
      if (errors.length === 0) {
        const written = new Promise<void>((resolve) => {
          gunzip.write(packed, () => resolve());
        });
        await Promise.race([written, over]);
      }
      yield* unpacked.splice(0);
    }
    if (size > 0 && errors.length === 0) {
      gunzip.end();
      await over;
      yield* unpacked.splice(0);
    }
    if (size === 0) return { what: 'the file is empty', isCut: true };
    const [error] = errors;
    if (error !== undefined) {
      const isCut = error.message.includes('unexpected end of file');
      return { what: isCut ? 'the file is cut off' : `it cannot be unpacked (${error.message})`, isCut };
    }
    // What follows a whole member and is none is passed over without an error.
    return gunzip.bytesWritten < size
      ? { what: `bytes after ${String(gunzip.bytesWritten)} are not gzip`, isCut: false }
      : null;
  } finally {
    gunzip.destroy();
  }
}
