import type { Cell, ColumnKind, QueryResult, ResultStream } from '../../warehouse/query-result.ts';
import { amount } from '../../quantity.ts';
import { visibleText } from '../../errors.ts';
import widthOf from 'fast-string-width';
import { wrapAnsi } from 'fast-wrap-ansi';

const BYTE_ORDER_MARK = '\uFEFF';

/** How the values of a line are written and separated. */
interface LineStyle {
  delimiter: string;
  /** Decimal mark of numbers. */
  decimal: string;
  isForExcel: boolean;
}

/** A result as text that ends with a line break, piece by piece; as JSON if no line style is given. */
export function streamResult(result: ResultStream, lines: LineStyle | null) {
  return lines === null ? jsonPieces(result) : linePieces(result, lines);
}

async function* linePieces({ columns, parts }: ResultStream, style: LineStyle): AsyncGenerator<string> {
  const { delimiter, decimal, isForExcel } = style;
  const line = (fields: readonly (string | null)[]): string =>
    `${fields.map((field) => fieldText(field, delimiter)).join(delimiter)}\n`;
  if (isForExcel) yield BYTE_ORDER_MARK;
  yield line(columns.map(({ name }) => name));
  const writtenAs = columns.map(({ kind }) => {
    // Excel runs a text that begins like a formula, unless an apostrophe precedes it.
    if (kind === 'text' && isForExcel) return (text: string) => text.replace(/^(?=[=+\-@\t\r])/, "'");
    return isNumeric(kind) ? (text: string) => text.replace('.', decimal) : (text: string) => text;
  });
  const textOf = ({ text }: Cell, index: number): string | null =>
    text === null ? null : (writtenAs[index]?.(text) ?? text);
  for await (const rows of parts) yield rows.map((row) => line(row.map(textOf))).join('');
}

export interface ResultTableOptions extends Pick<TableOptions, 'width' | 'nullText'> {
  /** Whole numbers are counts, written with separators. */
  hasCounts?: boolean;
}

/** A result as a table of lines. */
export function formatResultTable(result: QueryResult, options: ResultTableOptions): string {
  const columns = result.columns.map(({ name, kind }) => ({ title: name, isNumber: isNumeric(kind) }));
  return `${formatTable({ columns, rows: shownRows(result, options.hasCounts), ...options })}\n`;
}

/** A result as an array of objects. */
export function formatJson({ columns, rows }: Pick<QueryResult, 'columns' | 'rows'>): string {
  return rows.length === 0 ? '[]\n' : `[\n${jsonObjects(columns, rows)}\n]\n`;
}

async function* jsonPieces({ columns, parts }: ResultStream): AsyncGenerator<string> {
  let isFirst = true;
  for await (const rows of parts) {
    if (rows.length === 0) continue;
    yield `${isFirst ? '[' : ','}\n${jsonObjects(columns, rows)}`;
    isFirst = false;
  }
  yield isFirst ? '[]\n' : '\n]\n';
}

function jsonObjects(columns: QueryResult['columns'], rows: readonly Cell[][]): string {
  const names = columns.map(({ name }) => JSON.stringify(name));
  const objects = rows.map((row) => row.map(({ json }, index) => `${names[index] ?? '""'}: ${json}`));
  return objects.map((fields) => `  {${fields.join(', ')}}`).join(',\n');
}

/** NULL is empty, an empty text is `""`. */
function fieldText(text: string | null, delimiter: string): string {
  if (text === null) return '';
  const isPlain = !/^$|["\r\n]|^\s|\s$/.test(text) && !text.includes(delimiter);
  return isPlain ? text : `"${text.replaceAll('"', '""')}"`;
}

/** A result as a table of Markdown. */
export function formatMarkdown(result: QueryResult): string {
  const { columns } = result;
  const lines = [
    columns.map(({ name }) => markdownText(name)),
    columns.map(({ kind }) => (isNumeric(kind) ? '---:' : '---')),
    ...shownRows(result).map((row) => row.map((text) => (text === null ? 'NULL' : markdownText(text)))),
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

/** The texts of a result for people. Numbers in a person's query may be years or ids rather than counts; then floating-point columns are rounded alike. */
function shownRows({ columns, rows }: QueryResult, hasCounts = false): (string | null)[][] {
  const forms = columns.map(({ kind }, index) => {
    if (hasCounts) return kind === 'number' ? (text: string) => amount(Number(text)) : undefined;
    if (kind !== 'approximate') return undefined;
    const places = decimalsOf(rows.map((row) => row[index]?.text ?? null));
    return (text: string) => rounded(text, places);
  });
  return rows.map((row) =>
    row.map(({ text }, index) => (text === null ? null : (forms[index]?.(text) ?? text))),
  );
}

/** Two decimals, or enough for three digits of a column's small figures; none for whole numbers. */
function decimalsOf(texts: readonly (string | null)[]): number {
  const sizes = texts.map((text) => Math.abs(Number(text ?? 0))).filter(Number.isFinite);
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

/** Whether columns of a kind contain numbers. */
function isNumeric(kind: ColumnKind): boolean {
  return kind === 'number' || kind === 'approximate';
}

interface TableOptions {
  /** Numbers are right-aligned. */
  columns: readonly { title: string; isNumber?: boolean }[];
  /** Null is shown as `nullText`. */
  rows: readonly (readonly (string | null)[])[];
  /** Available width: cells wrap, and columns at the end that do not fit are listed below; left out, neither happens. */
  width?: number | undefined;
  /** Default `NULL`. */
  nullText?: string;
}

const MIN_WIDTH = 8;
// A cell takes two blanks and one line in addition to its text.
const CELL_COST = 3;
// Longer words, such as ids, may be broken.
const MAX_WORD = 24;

/** A table with borders, as wide as its content or the available width. */
export function formatTable({ columns, rows, width, nullText = 'NULL' }: TableOptions): string {
  const texts = rows.map((row) => row.map((cell) => (cell === null ? nullText : visible(cell))));
  const titles = columns.map(({ title }) => visible(title));
  const lengths = widest([titles, ...texts], widthOf);
  const words = widest(texts, (cell) => Math.max(...cell.split(' ').map((word) => widthOf(word))));
  const limits = width === undefined ? lengths : fitting(lengths, words, { columns, width });
  const hidden = titles.slice(limits.length);
  const rule = (left: string, middle: string, right: string): string =>
    `${left}${limits.map((limit) => '─'.repeat(limit + 2)).join(middle)}${right}`;
  const draw = (row: readonly string[]): string[] => {
    const cells = limits.map((limit, index) => {
      const cell = row[index] ?? '';
      return widthOf(cell) <= limit ? [cell] : wrapAnsi(cell, limit, { hard: true }).split('\n');
    });
    const height = Math.max(...cells.map(({ length }) => length));
    return Array.from({ length: height }, (_, line) => {
      const parts = cells.map((lines, index) => {
        const text = lines[line] ?? '';
        const blanks = ' '.repeat((limits[index] ?? 0) - widthOf(text));
        return columns[index]?.isNumber === true ? blanks + text : text + blanks;
      });
      return `│ ${parts.join(' │ ')} │`;
    });
  };
  return [
    rule('┌', '┬', '┐'),
    ...draw(titles),
    rule('├', '┼', '┤'),
    ...texts.flatMap(draw),
    rule('└', '┴', '┘'),
    ...(hidden.length === 0 ? [] : [hiddenText(hidden, width)]),
  ].join('\n');
}

export type CountRow = readonly (string | number)[];

/** A table whose numbers are counts. */
export function countTable(titles: readonly string[], rows: readonly CountRow[], width?: number): string {
  const isCount = titles.map((_, index) => rows.some((row) => typeof row[index] === 'number'));
  return formatTable({
    columns: titles.map((title, index) => ({ title, isNumber: isCount[index] === true })),
    rows: rows.map((row) => row.map((cell) => (typeof cell === 'number' ? amount(cell) : cell))),
    width,
  });
}

function hiddenText(titles: readonly string[], width = Infinity): string {
  const count = titles.length === 1 ? '1 column does not fit' : `${titles.length} columns do not fit`;
  return wrapAnsi(`${count}: ${titles.join(', ')}`, width, { hard: true });
}

/** The largest measure of each column. */
function widest(rows: readonly (readonly string[])[], measure: (cell: string) => number): number[] {
  const largest: number[] = [];
  for (const row of rows)
    for (const [at, cell] of row.entries()) largest[at] = Math.max(largest[at] ?? 1, measure(cell));
  return largest;
}

/** Widths of as many leading columns as fit, at least one: the widest text columns shrink first, and words stay whole if possible. */
function fitting(
  lengths: readonly number[],
  words: readonly number[],
  { columns, width }: { columns: TableOptions['columns']; width: number },
): number[] {
  const floors = columns.map(({ title }) => Math.max(MIN_WIDTH, Math.min(title.length, MAX_WORD)));
  const wordFloors = floors.map((floor, index) => Math.max(floor, Math.min(words[index] ?? 0, MAX_WORD)));
  for (let count = columns.length; count > 1; count -= 1) {
    let limits = lengths.slice(0, count);
    for (const least of [wordFloors, floors]) {
      for (let longest = width; longest >= MIN_WIDTH; longest -= 1) {
        limits = limits.map((limit, index) =>
          columns[index]?.isNumber === true ? limit : Math.min(limit, Math.max(longest, least[index] ?? 0)),
        );
        if (limits.reduce((sum, limit) => sum + limit + CELL_COST, 1) <= width) return limits;
      }
    }
  }
  return lengths.slice(0, 1).map((length) => Math.max(MIN_WIDTH, Math.min(length, width - CELL_COST - 1)));
}

/** A cell is one line. */
function visible(text: string): string {
  return visibleText(text).replaceAll('\n', '⏎').replaceAll('\t', ' ');
}
