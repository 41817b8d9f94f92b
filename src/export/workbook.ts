import { usageError } from '../errors.ts';
import { amount, counted } from '../quantity.ts';
import type { Connection } from '../warehouse/connection.ts';
import type { Cell, ColumnKind, ResultStream } from '../warehouse/query-result.ts';
import { type Choice, chooseRelations, relationRows, sortColumns } from './relations.ts';
import { zipPieces, type ZipEntry } from './zip-file.ts';

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const DOCUMENT = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const CONTENT = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

export interface Sheet extends ResultStream {
  name: string;
}

interface Readable extends Pick<Connection, 'rowsAs'> {
  stream(sql: string): Promise<ResultStream>;
}

/**
 * Views and core tables, a sheet each.
 * @throws AnswerlakeError configuration on an unknown name; storage
 */
export async function* readSheets(file: Readable, choice: Choice): AsyncGenerator<Sheet> {
  for (const relation of await chooseRelations(file, choice)) {
    const order = sortColumns(relation);
    const sorted = order.length === 0 ? '' : ` order by ${order.join(', ')}`;
    const stream = await file.stream(`from ${relationRows(relation, choice.projectId)}${sorted}`);
    yield { name: relation.title, ...stream };
  }
}

/** The bytes of one XLSX file, as a stream. @throws AnswerlakeError (configuration) if a sheet would lose rows */
export async function* workbookPieces(sheets: Iterable<Sheet> | AsyncIterable<Sheet>) {
  const names: string[] = [];
  async function* entries(): AsyncGenerator<ZipEntry> {
    for await (const sheet of sheets) {
      const { name, count } = sheet;
      if (count >= MAX_SHEET_ROWS)
        throw usageError([
          `${name} has ${counted(count, 'row')}, and a sheet of Excel holds ${amount(MAX_SHEET_ROWS - 1)} below its heading; nothing was written.`,
          'Select fewer rows, or write Parquet or CSV.',
        ]);
      names.push(sheetName(name, names));
      yield { name: `xl/worksheets/sheet${names.length}.xml`, parts: sheetXml(sheet) };
    }
    for (const [name, xml] of Object.entries(packageParts(names))) yield { name, parts: [HEAD, xml] };
  }
  yield* zipPieces(entries());
}

/** A name that Excel opens: of at most 31 characters, and no other sheet's in any case. */
function sheetName(name: string, taken: readonly string[]): string {
  const isTaken = (one: string): boolean => taken.some((other) => other.toLowerCase() === one.toLowerCase());
  let found = name.slice(0, MAX_NAME);
  for (let number = 2; isTaken(found); number += 1) {
    const end = `~${number}`;
    found = name.slice(0, MAX_NAME - end.length) + end;
  }
  return found;
}

const MAX_NAME = 31;

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

const STYLES = `<styleSheet xmlns="${MAIN}"><numFmts count="3"><numFmt numFmtId="164" formatCode="yyyy-mm-dd"/><numFmt numFmtId="165" formatCode="yyyy-mm-dd hh:mm:ss"/><numFmt numFmtId="166" formatCode="0.0###"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf numFmtId="0"/></cellStyleXfs><cellXfs count="5"><xf numFmtId="0"/><xf numFmtId="164" applyNumberFormat="1"/><xf numFmtId="165" applyNumberFormat="1"/><xf numFmtId="166" applyNumberFormat="1"/><xf numFmtId="0" fontId="1" applyFont="1"/></cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`;

/** Excel's own bound, the heading row counted. */
const MAX_SHEET_ROWS = 1_048_576;

const MAX_CELL_CHARACTERS = 32_767;

// Places in `cellXfs` of the workbook's styles.
const HEADING = ' s="4"';
const MARKS_OF = {
  text: ' t="str"',
  boolean: ' t="b"',
  number: '',
  approximate: ' s="3"',
  day: ' s="1"',
  instant: ' s="2"',
} as const;

/** The XML of one sheet: a frozen heading, then the rows, each value typed like its column. */
async function* sheetXml({ columns, parts }: Sheet): AsyncGenerator<string> {
  const widths = columns.map(({ name, kind }, index) => {
    const least = kind === 'text' ? 24 : kind === 'instant' ? 20 : 12;
    const width = Math.min(60, Math.max(least, name.length + 4));
    return `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`;
  });
  yield `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>${widths.join('')}</cols><sheetData>`;
  const letters = columns.map((_, index) => lettersOf(index));
  let number = 0;
  const rowXml = (cells: readonly (string | null)[]): string => {
    number += 1;
    // Some readers want a reference on every row and cell.
    const placed = cells.map((xml, index) =>
      xml === null ? '' : `<c r="${letters[index] ?? ''}${number}"${xml}`,
    );
    return `<row r="${number}">${placed.join('')}</row>`;
  };
  yield rowXml(columns.map(({ name }) => textCell(name, HEADING)));
  const cell = ({ text }: Cell, index: number): string | null => {
    const kind = columns[index]?.kind ?? 'text';
    if (text !== null) return valueCell(text, kind);
    // DuckDB takes the types of columns from the first row below the heading.
    return number === 1 ? `${MARKS_OF[kind]}/>` : null;
  };
  for await (const rows of parts) yield rows.map((row) => rowXml(row.map(cell))).join('');
  yield '</sheetData></worksheet>';
}

/** A cell without the reference that its tag begins with. */
function valueCell(text: string, kind: ColumnKind): string {
  const value = valueOf(text, kind);
  return value === null ? textCell(text) : `${MARKS_OF[kind]}><v>${value}</v></c>`;
}

/** The number for a sheet; null if only text preserves it. */
function valueOf(text: string, kind: ColumnKind): string | number | null {
  if (kind === 'text') return null;
  if (kind === 'boolean') return Number(text === 'true');
  return kind === 'day' || kind === 'instant' ? serialOf(text) : exactOf(text, kind);
}

/** A sheet keeps 15 digits: longer numbers are null and stay text, so that no digit is lost. */
function exactOf(text: string, kind: 'number' | 'approximate'): string | null {
  const fits = kind === 'approximate' || text.replaceAll(/\D/g, '').length <= 15;
  return fits && Number.isFinite(Number(text)) ? text : null;
}

const DAY_MS = 86_400_000;
const DAY_ZERO = Date.UTC(1899, 11, 30);
// Excel treats 1900 as a leap year: its days agree with ours only from 1 March 1900 on.
const FIRST_SERIAL = 61;

/** Days since the zero of spreadsheets, from `YYYY-MM-DD` or `YYYY-MM-DD hh:mm:ss`; null where they have none. */
function serialOf(text: string): number | null {
  if (!/^\d{4}-\d\d-\d\d(?: \d\d:\d\d:\d\d(?:\.\d+)?)?$/.test(text)) return null;
  const instant = Date.parse(`${text.slice(0, 10)}T${text.slice(11) || '00:00:00'}Z`);
  const serial = (instant - DAY_ZERO) / DAY_MS;
  return serial >= FIRST_SERIAL ? serial : null;
}

function textCell(text: string, style = ''): string {
  return ` t="inlineStr"${style}><is><t xml:space="preserve">${cellText(text)}</t></is></c>`;
}

/** The letters of a column: A, …, Z, AA, …; the first column is 0. */
function lettersOf(column: number): string {
  const rest = Math.floor(column / 26);
  return (rest === 0 ? '' : lettersOf(rest - 1)) + String.fromCodePoint(65 + (column % 26));
}

// Characters that XML cannot contain are written as spreadsheets do, `_x0007_`, and so is text that already looks like that.
const UNWRITABLE = /(?![\t\n])[\p{Cc}\uFFFE\uFFFF]|_(?=x[0-9A-Fa-f]{4}_)/gu;

/** Text of a cell, escaped, cut where a cell ends. */
export function cellText(text: string): string {
  const whole = text.length > MAX_CELL_CHARACTERS ? `${text.slice(0, MAX_CELL_CHARACTERS - 1)}…` : text;
  const code = (one: string): string => one.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
  const writable = whole.replaceAll(UNWRITABLE, (one) => `_x${code(one)}_`);
  return writable.replaceAll(/[&<>"]/g, (one) => ENTITIES[one] ?? one);
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
