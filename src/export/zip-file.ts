import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32, createDeflateRaw } from 'node:zlib';

/** A ZIP archive that is written file by file, each as a stream: memory does not grow with what it holds. */
export class ZipFile {
  readonly #descriptor: number;
  readonly #path: string;
  readonly #directory: Buffer[] = [];
  #position = 0;
  #isOpen = true;

  constructor(path: string) {
    this.#path = path;
    this.#descriptor = openSync(path, 'w');
  }

  async add(name: string, parts: AsyncIterable<string> | Iterable<string>): Promise<void> {
    const start = this.#position;
    const entry = { name: Buffer.from(name), checksum: 0, packed: 0, size: 0 };
    // Checksum and sizes are known at the end: the header is written twice.
    this.#write(localHeader(entry));
    async function* counted(): AsyncGenerator<Buffer> {
      for await (const part of parts) {
        const bytes = Buffer.from(part);
        entry.checksum = crc32(bytes, entry.checksum);
        entry.size += bytes.length;
        yield bytes;
      }
    }
    await pipeline(
      Readable.from(counted()),
      createDeflateRaw({ level: 6 }),
      async (packed: AsyncIterable<Buffer>) => {
        for await (const chunk of packed) {
          entry.packed += chunk.length;
          this.#write(chunk);
        }
      },
    );
    if (this.#position > MAX_BYTES || entry.size > MAX_BYTES) {
      throw new Error(`${name} is larger than 4 GB, more than a ZIP file of this kind holds`);
    }
    writeSync(this.#descriptor, localHeader(entry), 0, null, start);
    this.#directory.push(directoryHeader(entry, start));
  }

  /** Writes the central directory, which makes the file a valid ZIP. */
  finish(): void {
    const start = this.#position;
    for (const header of this.#directory) this.#write(header);
    this.#write(endRecord(this.#directory.length, this.#position - start, start));
    this.#close();
  }

  /** Removes an unfinished file. */
  [Symbol.dispose](): void {
    if (!this.#isOpen) return;
    this.#close();
    rmSync(this.#path, { force: true });
  }

  #write(bytes: Buffer): void {
    let written = 0;
    while (written < bytes.length) {
      written += writeSync(this.#descriptor, bytes, written, null, this.#position + written);
    }
    this.#position += bytes.length;
  }

  #close(): void {
    this.#isOpen = false;
    closeSync(this.#descriptor);
  }
}

interface Entry {
  name: Buffer;
  checksum: number;
  packed: number;
  size: number;
}

const MAX_BYTES = 0xff_ff_ff_ff;
const VERSION = 20;
const NAMES_ARE_UTF8 = 0x08_00;
const DEFLATED = 8;
// 1 January 1980, the first day a ZIP file knows: the same data gives the same bytes.
const DAY_ZERO = 0x00_21;

function localHeader({ name, checksum, packed, size }: Entry): Buffer {
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04_03_4b_50, 0);
  header.writeUInt16LE(VERSION, 4);
  header.writeUInt16LE(NAMES_ARE_UTF8, 6);
  header.writeUInt16LE(DEFLATED, 8);
  header.writeUInt16LE(DAY_ZERO, 12);
  header.writeUInt32LE(checksum, 14);
  header.writeUInt32LE(packed, 18);
  header.writeUInt32LE(size, 22);
  header.writeUInt16LE(name.length, 26);
  return Buffer.concat([header, name]);
}

function directoryHeader(entry: Entry, start: number): Buffer {
  const header = Buffer.alloc(46);
  header.writeUInt32LE(0x02_01_4b_50, 0);
  header.writeUInt16LE(VERSION, 4);
  localHeader(entry).copy(header, 6, 4, 28);
  header.writeUInt32LE(start, 42);
  return Buffer.concat([header, entry.name]);
}

function endRecord(count: number, size: number, start: number): Buffer {
  const record = Buffer.alloc(22);
  record.writeUInt32LE(0x06_05_4b_50, 0);
  record.writeUInt16LE(count, 8);
  record.writeUInt16LE(count, 10);
  record.writeUInt32LE(size, 12);
  record.writeUInt32LE(start, 16);
  return record;
}
