import type {
  Cell,
  ColumnKind,
  QueryResult,
  ResultColumn,
  ResultStream,
} from '../../warehouse/query-result.ts';
import { amount } from '../../text.ts';
import { formatTable, type TableOptions } from './table.ts';

const BYTE_ORDER_MARK = '\uFEFF';

/** A result as text that ends with a line break, piece by piece. */
export async function* streamResult(
  { columns, parts }: ResultStream,
  { format, isForExcel }: { format: 'csv' | 'json'; isForExcel: boolean },
): AsyncGenerator<string> {
  if (format === 'json') {
    yield* jsonPieces(columns, parts);
    return;
  }
  if (isForExcel) yield BYTE_ORDER_MARK;
  yield csvLine(columns.map(({ name }) => csvText(name)));
  const isText = columns.map(({ kind }) => isForExcel && kind === 'text');
  const cellOf = (cell: Cell, index: number): string =>
    csvCell(isText[index] === true ? unlikeFormula(cell) : cell);
  for await (const rows of parts) yield rows.map((row) => csvLine(row.map(cellOf))).join('');
}

/** Excel runs a text that begins like a formula, unless an apostrophe stands before it. */
function unlikeFormula(cell: Cell): Cell {
  return cell.text !== null && /^[=+\-@\t\r]/.test(cell.text) ? { ...cell, text: `'${cell.text}` } : cell;
}

export interface ResultTableOptions extends Pick<TableOptions, 'width' | 'nullText'> {
  /** Whole numbers are counts, written with separators. */
  hasCounts?: boolean;
}

/** A result as a table of lines. */
export function formatResultTable(
  result: QueryResult,
  { hasCounts = false, ...options }: ResultTableOptions,
): string {
  const table = formatTable({
    columns: result.columns.map(({ name, kind }) => ({ title: name, isNumber: isNumeric(kind) })),
    rows: hasCounts ? withSeparators(result) : roundedRows(result),
    ...options,
  });
  return `${table}\n`;
}

/** Counts for people: `12,345`. A query of a person may give years or ids, which are no counts. */
function withSeparators({ columns, rows }: QueryResult): (string | null)[][] {
  return rows.map((row) =>
    row.map(({ text }, index) =>
      text !== null && columns[index]?.kind === 'number' ? amount(Number(text)) : text,
    ),
  );
}

/** A result as an array of objects. */
export function formatJson({ columns, rows }: Pick<QueryResult, 'columns' | 'rows'>): string {
  return rows.length === 0 ? '[]\n' : `[\n${jsonObjects(columns, rows)}\n]\n`;
}

async function* jsonPieces(
  columns: readonly ResultColumn[],
  parts: AsyncIterable<readonly Cell[][]>,
): AsyncGenerator<string> {
  let isFirst = true;
  for await (const rows of parts) {
    if (rows.length === 0) continue;
    yield `${isFirst ? '[' : ','}\n${jsonObjects(columns, rows)}`;
    isFirst = false;
  }
  yield isFirst ? '[]\n' : '\n]\n';
}

function jsonObjects(columns: readonly ResultColumn[], rows: readonly Cell[][]): string {
  const names = columns.map(({ name }) => JSON.stringify(name));
  return rows
    .map((row) => `  {${row.map((cell, index) => `${names[index] ?? '""'}: ${cell.json}`).join(', ')}}`)
    .join(',\n');
}

function csvLine(fields: readonly string[]): string {
  return `${fields.join(',')}\n`;
}

/** NULL is nothing at all, empty text is `""`. */
function csvCell(cell: Cell): string {
  if (cell.text === null) return '';
  return cell.text === '' ? '""' : csvText(cell.text);
}

function csvText(text: string): string {
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A result as a table of Markdown. */
export function formatMarkdown(result: QueryResult): string {
  const { columns } = result;
  const lines = [
    columns.map(({ name }) => markdownText(name)),
    columns.map(({ kind }) => (isNumeric(kind) ? '---:' : '---')),
    ...roundedRows(result).map((row) => row.map((text) => (text === null ? 'NULL' : markdownText(text)))),
  ];
  return lines.map((fields) => `| ${fields.join(' | ')} |\n`).join('');
}

function markdownText(text: string): string {
  return text
    .replaceAll('\\', '\\\\')
    .replaceAll('|', String.raw`\|`)
    .replaceAll('<', '&lt;')
    .replaceAll(/\r\n|[\r\n]/g, '<br>');
}

const MAX_DECIMALS = 6;
// The rounding error of a difference of two equal floating-point means.
const NOISE = 1e-9;

/** The texts of a result for people: floating-point columns are rounded alike, other columns are unchanged. */
function roundedRows({ columns, rows }: QueryResult): (string | null)[][] {
  const decimals = columns.map(({ kind }, index) =>
    kind === 'approximate' ? decimalsOf(rows.map((row) => row[index]?.text ?? null)) : null,
  );
  return rows.map((row) =>
    row.map(({ text }, index) => {
      const places = decimals[index] ?? null;
      return text === null || places === null ? text : rounded(text, places);
    }),
  );
}

/** Two decimals, or as many as a column of small figures needs for three digits; none among whole numbers. */
function decimalsOf(texts: readonly (string | null)[]): number {
  const sizes = texts
    .flatMap((text) => (text === null ? [] : [Math.abs(Number(text))]))
    .filter(Number.isFinite);
  if (sizes.every((size) => Number.isInteger(size))) return 0;
  const largest = sizes.reduce((a, b) => Math.max(a, b), 0);
  return largest >= 1 || largest < NOISE ? 2 : Math.min(MAX_DECIMALS, 2 - Math.floor(Math.log10(largest)));
}

function rounded(text: string, places: number): string {
  const value = Number(text);
  return Number.isFinite(value) && Math.abs(value) < 1e15
    ? value.toFixed(places).replace(/^-(?=0(\.0*)?$)/, '')
    : text;
}

/** Whether columns of a kind hold numbers. */
function isNumeric(kind: ColumnKind): boolean {
  return kind === 'number' || kind === 'approximate';
}
