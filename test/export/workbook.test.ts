import { join } from 'node:path';
import { expect, test } from 'vitest';
import { workbookPieces } from '../../src/export/workbook.ts';
import { replaceFileByPieces } from '../../src/files.ts';
import type { Cell } from '../../src/warehouse/query-result.ts';
import { openFolder } from '../support/folder.ts';
import { readSheet, readZip } from '../support/xlsx.ts';

const columns = [
  { name: 'text', kind: 'text' as const },
  { name: 'whole', kind: 'number' as const },
  { name: 'mean', kind: 'approximate' as const },
  { name: 'day', kind: 'day' as const },
  { name: 'at', kind: 'instant' as const },
  { name: 'flag', kind: 'boolean' as const },
];

async function sheetOf(rows: (string | null)[][], count = rows.length): Promise<string> {
  async function* parts(): AsyncGenerator<Cell[][]> {
    yield rows.map((row) => row.map((text) => ({ text, json: '' })));
  }
  const path = join(openFolder(), 'book.xlsx');
  await replaceFileByPieces(path, workbookPieces([{ name: 'one', columns, count, parts: parts() }]));
  return readZip(path).get('xl/worksheets/sheet1.xml') ?? '';
}

async function cellsOf(rows: (string | null)[][]): Promise<string[][]> {
  return readSheet(await sheetOf(rows)).slice(1);
}

test('columns are as wide as what they hold', async () => {
  const widths = [...(await sheetOf([])).matchAll(/<col min="(\d)" max="\1" width="(\d+)"/g)];
  expect(widths.map(([, , width]) => Number(width))).toEqual([24, 12, 12, 12, 20, 12]);
});

test('days, instants, numbers and booleans keep their type, and NULL has no cell', async () => {
  expect(
    await cellsOf([
      ['a', '900719925474099', '1.5', '2025-01-31', '2025-01-31 12:00:00', 'true'],
      [null, null, null, '1900-03-01', null, null],
    ]),
  ).toEqual([
    ['inlineStr:a', 'n:900719925474099', 'n3:1.5', 'n1:45688', 'n2:45688.5', 'b:1'],
    ['', '', '', 'n1:61'],
  ]);
});

test('NULL in the first row keeps the type of its column', async () => {
  const nothing = [null, null, null, null, null, null];
  expect(await cellsOf([nothing, nothing])).toEqual([['str:', 'n:', 'n3:', 'n1:', 'n2:', 'b:'], []]);
});

test('what a sheet would change stays text: 16 digits, no number, a day before March 1900', async () => {
  const [row = []] = await cellsOf([['=1+1', '9007199254740993', 'NaN', '1900-02-28', 'infinity', 'false']]);
  expect(row.slice(0, 5).filter((cell) => !cell.startsWith('inlineStr:'))).toEqual([]);
  expect(row[1]).toBe('inlineStr:9007199254740993');
});

test('hostile text neither breaks the XML nor is lost, and ends where a cell ends', async () => {
  const nothing = [null, null, null, null, null];
  const whole = 'x'.repeat(32_767);
  const [hostile, long, longest] = await cellsOf([
    ['</t>&"\u0007 _x0041_', ...nothing],
    [`${whole}x`, ...nothing],
    [whole, ...nothing],
  ]);
  expect(hostile?.[0]).toBe('inlineStr:&lt;/t&gt;&amp;&quot;_x0007_ _x005F_x0041_');
  expect(long?.[0]).toBe(`inlineStr:${whole.slice(1)}…`);
  expect(longest?.[0]).toBe(`inlineStr:${whole}`);
});

test('sheets have names that Excel opens: at most 31 characters, each once, whatever their case', async () => {
  const path = join(openFolder(), 'book.xlsx');
  const long = 'detail.competitor_heatmap_latest';
  const sheets = [long, long.toUpperCase(), 'one'].map((name) => ({
    name,
    columns,
    count: 0,
    parts: none(),
  }));
  await replaceFileByPieces(path, workbookPieces(sheets));
  const names = [...(readZip(path).get('xl/workbook.xml') ?? '').matchAll(/ name="([^"]*)"/g)];
  expect(names.map(([, name]) => name)).toEqual([
    long.slice(0, 31),
    `${long.toUpperCase().slice(0, 29)}~2`,
    'one',
  ]);
});

async function* none(): AsyncGenerator<Cell[][]> {}

test('a table longer than a sheet is refused, with the bound', async () => {
  await expect(sheetOf([], 1_048_575)).resolves.toContain('</sheetData>');
  await expect(sheetOf([], 1_048_576)).rejects.toThrow(/one has 1,048,576 rows.*holds 1,048,575/);
});
