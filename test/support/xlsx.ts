import { readFileSync } from 'node:fs';
import { inflateRawSync } from 'node:zlib';

/** The files of a ZIP archive, read by its directory. */
export function readZip(path: string): Map<string, string> {
  const bytes = readFileSync(path);
  const end = bytes.lastIndexOf(Buffer.from('PK\u0005\u0006', 'latin1'));
  const files = new Map<string, string>();
  let at = bytes.readUInt32LE(end + 16);
  for (let count = bytes.readUInt16LE(end + 10); count > 0; count -= 1) {
    const nameLength = bytes.readUInt16LE(at + 28);
    const name = bytes.toString('utf8', at + 46, at + 46 + nameLength);
    const start = bytes.readUInt32LE(at + 42);
    const data = start + 30 + bytes.readUInt16LE(start + 26) + bytes.readUInt16LE(start + 28);
    const packed = bytes.subarray(data, data + bytes.readUInt32LE(at + 20));
    files.set(name, inflateRawSync(packed).toString());
    at += 46 + nameLength;
  }
  return files;
}

/** A sheet's cells as `type:text` with their style, row by row, each at the place that its reference says; where there is no cell, ''. */
export function readSheet(xml: string): string[][] {
  const rows = [...xml.matchAll(/<row r="(\d+)">(.*?)<\/row>/gs)];
  return rows.map(([, number = '', row = ''], index) => {
    if (Number(number) !== index + 1) throw new Error(`row ${number} stands at ${index + 1}`);
    const cells: string[] = [];
    for (const [, letters = '', marks = '', content = ''] of row.matchAll(
      new RegExp(`<c r="([A-Z]+)${number}"([^>]*?)(?:/>|>(.*?)</c>)`, 'gs'),
    )) {
      const type = /t="(\w+)"/.exec(marks)?.[1] ?? 'n';
      const style = /s="(\d)"/.exec(marks)?.[1] ?? '';
      const place = [...Buffer.from(letters)].reduce((sum, byte) => sum * 26 + byte - 64, 0) - 1;
      cells[place] = `${type}${style}:${content.replaceAll(/<[^>]*>/g, '')}`;
    }
    return Array.from(cells, (cell) => cell ?? '');
  });
}
