import { mkdirSync, renameSync } from 'node:fs';
import { dirname } from 'node:path';
import { usageError } from '../errors.ts';
import type { ResultColumn } from '../query-result.ts';
import { explainFailure } from '../warehouse/failure.ts';
import { cellText, MOST_SHEET_ROWS, sheetXml } from './sheet.ts';
import { ZipFile } from './zip-file.ts';

const MOST_NAME_CHARACTERS = 31;
const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const DOCUMENT = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const CONTENT = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

export interface Sheet {
  name: string;
  columns: readonly ResultColumn[];
  rows: AsyncIterable<readonly (string | null)[]> | Iterable<readonly (string | null)[]>;
}

/**
 * Writes sheets as one XLSX file, as a stream; `path` holds the old file or the whole new one.
 * @throws AnswerlakeError (storage) where it cannot be written
 */
export async function writeWorkbook(
  path: string,
  sheets: Iterable<Sheet> | AsyncIterable<Sheet>,
): Promise<void> {
  try {
    mkdirSync(dirname(path), { recursive: true });
    using zip = new ZipFile(`${path}.tmp`);
    const names: string[] = [];
    for await (const { name, columns, rows } of sheets) {
      names.push(sheetName(name, names));
      await zip.add(`xl/worksheets/sheet${names.length}.xml`, sheetXml(columns, rows));
    }
    for (const [name, xml] of Object.entries(packageParts(names))) await zip.add(name, [HEAD, xml]);
    zip.finish();
    renameSync(`${path}.tmp`, path);
  } catch (error) {
    throw explainFailure(error, path);
  }
}

function packageParts(names: readonly string[]): Record<string, string> {
  const sheets = names.map((name, index) => ({ name, number: index + 1 }));
  return {
    '[Content_Types].xml': `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${CONTENT}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${CONTENT}.styles+xml"/>${sheets.map(({ number }) => `<Override PartName="/xl/worksheets/sheet${number}.xml" ContentType="${CONTENT}.worksheet+xml"/>`).join('')}</Types>`,
    '_rels/.rels': `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${DOCUMENT}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `<workbook xmlns="${MAIN}" xmlns:r="${DOCUMENT}"><sheets>${sheets.map(({ name, number }) => `<sheet name="${cellText(name)}" sheetId="${number}" r:id="rId${number}"/>`).join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${PACKAGE}/relationships">${sheets.map(({ number }) => `<Relationship Id="rId${number}" Type="${DOCUMENT}/worksheet" Target="worksheets/sheet${number}.xml"/>`).join('')}<Relationship Id="rId${sheets.length + 1}" Type="${DOCUMENT}/styles" Target="styles.xml"/></Relationships>`,
    'xl/styles.xml': STYLES,
  };
}

const STYLES = `<styleSheet xmlns="${MAIN}"><numFmts count="3"><numFmt numFmtId="164" formatCode="yyyy-mm-dd"/><numFmt numFmtId="165" formatCode="yyyy-mm-dd hh:mm:ss"/><numFmt numFmtId="166" formatCode="0.0###"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="5"><xf/><xf numFmtId="164" applyNumberFormat="1"/><xf numFmtId="165" applyNumberFormat="1"/><xf numFmtId="166" applyNumberFormat="1"/><xf fontId="1" applyFont="1"/></cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`;

/** A name that a sheet may bear: short, without `[]:*?/\`, not taken in any case. */
export function sheetName(wanted: string, taken: readonly string[]): string {
  const plain = wanted.replaceAll(/[[\]:*?/\\\p{Cc}]/gu, '_').replaceAll(/^'|'$/g, '_') || 'sheet';
  const used = new Set(taken.map((name) => name.toLowerCase()));
  for (let number = 1; ; number += 1) {
    const suffix = number === 1 ? '' : ` (${number})`;
    const name = `${plain.slice(0, MOST_NAME_CHARACTERS - suffix.length)}${suffix}`;
    if (!used.has(name.toLowerCase())) return name;
  }
}

/** @throws AnswerlakeError (configuration) where rows would be lost */
export function assertFitsSheet(what: string, rows: number): void {
  if (rows < MOST_SHEET_ROWS) return;
  const most = (MOST_SHEET_ROWS - 1).toLocaleString('en-US');
  throw usageError(
    `${what} has ${rows.toLocaleString('en-US')} rows, and a sheet of Excel holds ${most} below its heading; nothing was written. Ask for fewer rows, or write Parquet or CSV.`,
  );
}
