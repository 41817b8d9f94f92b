import { pipeline, Readable } from 'node:stream';
import { crc32, createDeflateRaw } from 'node:zlib';

export interface ZipEntry {
  name: string;
  parts: AsyncIterable<string> | Iterable<string>;
}

/** The bytes of a ZIP archive, entry by entry: memory does not grow with what they hold. */
export async function* zipPieces(entries: AsyncIterable<ZipEntry>): AsyncGenerator<Buffer> {
  const directory: Buffer[] = [];
  let position = 0;
  for await (const { name, parts } of entries) {
    const start = position;
    const entry = { name: Buffer.from(name), checksum: 0, packed: 0, size: 0 };
    const header = localHeader(entry);
    yield header;
    async function* counted(): AsyncGenerator<Buffer> {
      for await (const part of parts) {
        const bytes = Buffer.from(part);
        entry.checksum = crc32(bytes, entry.checksum);
        entry.size += bytes.length;
        yield bytes;
      }
    }
    const deflate = createDeflateRaw({ level: 6 });
    // The loop below meets its failure.
    pipeline(Readable.from(counted()), deflate, () => undefined);
    for await (const chunk of deflate as AsyncIterable<Buffer>) {
      entry.packed += chunk.length;
      yield chunk;
    }
    yield descriptor(entry);
    position += header.length + entry.packed + DESCRIPTOR_BYTES;
    if (position > MAX_BYTES || entry.size > MAX_BYTES) {
      throw new Error(`${name} is larger than 4 GB, more than a ZIP file of this kind holds`);
    }
    directory.push(directoryHeader(entry, start));
  }
  const end = Buffer.concat(directory);
  yield end;
  yield endRecord(directory.length, end.length, position);
}

interface Header {
  name: Buffer;
  checksum: number;
  packed: number;
  size: number;
}

const MAX_BYTES = 0xff_ff_ff_ff;
const VERSION = 20;
/** Names are UTF-8; checksum and sizes follow the content. */
const FLAGS = 0x08_08;
const DESCRIPTOR_BYTES = 16;
const DEFLATED = 8;
// 1 January 1980, the first day a ZIP file knows: the same data gives the same bytes.
const DAY_ZERO = 0x00_21;

function localHeader({ name, checksum, packed, size }: Header): Buffer {
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04_03_4b_50, 0);
  header.writeUInt16LE(VERSION, 4);
  header.writeUInt16LE(FLAGS, 6);
  header.writeUInt16LE(DEFLATED, 8);
  header.writeUInt16LE(DAY_ZERO, 12);
  header.writeUInt32LE(checksum, 14);
  header.writeUInt32LE(packed, 18);
  header.writeUInt32LE(size, 22);
  header.writeUInt16LE(name.length, 26);
  return Buffer.concat([header, name]);
}

function descriptor({ checksum, packed, size }: Header): Buffer {
  const bytes = Buffer.alloc(DESCRIPTOR_BYTES);
  bytes.writeUInt32LE(0x08_07_4b_50, 0);
  bytes.writeUInt32LE(checksum, 4);
  bytes.writeUInt32LE(packed, 8);
  bytes.writeUInt32LE(size, 12);
  return bytes;
}

function directoryHeader(entry: Header, start: number): Buffer {
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
