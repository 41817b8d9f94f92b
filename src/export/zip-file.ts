import { pipeline, Readable } from 'node:stream';
import { crc32, createDeflateRaw } from 'node:zlib';

export interface ZipEntry {
  name: string;
  parts: AsyncIterable<string> | Iterable<string>;
}

/** The bytes of a ZIP archive, entry by entry: memory does not grow with its content. */
export async function* zipPieces(entries: AsyncIterable<ZipEntry>): AsyncGenerator<Buffer> {
  const directory: Buffer[] = [];
  let position = 0;
  for await (const { name, parts } of entries) {
    const start = position;
    const entry = { checksum: 0, packed: 0, size: 0 };
    const bytesOfName = Buffer.from(name);
    const header = Buffer.concat([record([4, 0x04_03_4b_50], ...fieldsOf(bytesOfName, entry)), bytesOfName]);
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
    const { checksum, packed, size } = entry;
    yield record([4, 0x08_07_4b_50], [4, checksum], [4, packed], [4, size]);
    position += header.length + entry.packed + DESCRIPTOR_BYTES;
    if (position > MAX_BYTES || entry.size > MAX_BYTES)
      throw new Error(`${name} is larger than 4 GB, the limit of this kind of ZIP file`);
    const head = record([4, 0x02_01_4b_50], [2, VERSION], ...fieldsOf(bytesOfName, entry));
    directory.push(Buffer.concat([head, Buffer.alloc(10), record([4, start]), bytesOfName]));
  }
  const end = Buffer.concat(directory);
  yield end;
  const count = directory.length;
  yield record([4, 0x06_05_4b_50], [4, 0], [2, count], [2, count], [4, end.length], [4, position], [2, 0]);
}

const MAX_BYTES = 0xff_ff_ff_ff;
const VERSION = 20;
/** Names are UTF-8; checksum and sizes follow the content. */
const FLAGS = 0x08_08;
const DESCRIPTOR_BYTES = 16;
const DEFLATED = 8;
// 1 January 1980, the earliest date in a ZIP file: the same data gives the same bytes.
const DAY_ZERO = 0x00_21;

/** Whole numbers of so many bytes, the lowest byte first. */
function record(...fields: readonly (readonly [bytes: 2 | 4, value: number])[]): Buffer {
  const all = Buffer.alloc(fields.reduce((sum, [bytes]) => sum + bytes, 0));
  let at = 0;
  for (const [bytes, value] of fields) at = all.writeUIntLE(value, at, bytes);
  return all;
}

/** The fields that an entry's header and its directory line share. */
function fieldsOf(name: Buffer, { checksum, packed, size }: Record<'checksum' | 'packed' | 'size', number>) {
  return [
    [2, VERSION],
    [2, FLAGS],
    [2, DEFLATED],
    [4, DAY_ZERO << 16],
    ...[checksum, packed, size].map((value) => [4, value] as const),
    [4, name.length],
  ] as const;
}
