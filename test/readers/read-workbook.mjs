// Reads a workbook with ExcelJS and read-excel-file, and compares a sheet with the published file.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { openPublishedFile } from '../../dist/src/publish/published-file.js';

const [path, workbook, folder] = process.argv.slice(2);
const require = createRequire(`${folder}/package.json`);
const ExcelJS = require('exceljs');
const { readSheet } = require('read-excel-file/node');

const sql =
  'select project_name, cast(date as varchar), visibility, event_titles, is_final from daily_kpis order by 1, 2';
const file = await openPublishedFile(path);
const expected = (await file.query(sql)).rows.map((row) => row.map(({ json }) => JSON.parse(json)));
await file[Symbol.asyncDispose]();
assert.ok(expected.length > 100);

function compare(reader, [heading, ...rows]) {
  const places = ['project_name', 'date', 'visibility', 'event_titles', 'is_final'].map((name) =>
    heading.indexOf(name),
  );
  const found = rows
    .map((row) => places.map((place) => row[place] ?? null))
    .map((row) => row.map((value) => (value instanceof Date ? value.toISOString().slice(0, 10) : value)));
  const sorted = found.toSorted((a, b) => (`${a[0]} ${a[1]}` < `${b[0]} ${b[1]}` ? -1 : 1));
  assert.deepEqual(sorted, expected, reader);
}

const book = new ExcelJS.Workbook();
await book.xlsx.readFile(workbook);
compare(
  'ExcelJS',
  book
    .getWorksheet('daily_kpis')
    .getSheetValues()
    .slice(1)
    .map((row) => row.slice(1)),
);
compare('read-excel-file', await readSheet(workbook, 'daily_kpis'));
const versions = ['exceljs', 'read-excel-file'].map(
  (name) => `${name} ${require(`${name}/package.json`).version}`,
);
console.log(
  `${versions.join(', ')}: ${expected.length} rows of daily_kpis, with their types, of ${book.worksheets.length} sheets`,
);
