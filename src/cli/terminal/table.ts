import { Table } from 'console-table-printer';
import { visibleText } from '../../text.ts';

export interface TableColumn {
  title: string;
  /** Numbers stand right. */
  isNumber?: boolean;
}

export interface TableOptions {
  columns: readonly TableColumn[];
  /** Null is shown as `nullText`. */
  rows: readonly (readonly (string | null)[])[];
  /** Width to fit in; nothing is wrapped when left out. */
  width?: number;
  /** Default `NULL`. */
  nullText?: string;
}

const NARROWEST = 8;
// A cell costs two blanks and one line beside its text.
const CELL_COST = 3;
// Longer words, such as ids, may be broken.
const WIDEST_WORD = 24;

/** A table of lines; rows become records below each other where the columns cannot fit. */
export function formatTable({ columns, rows, width, nullText = 'NULL' }: TableOptions): string {
  const texts = rows.map((row) => row.map((cell) => (cell === null ? nullText : visible(cell))));
  const lengths = columns.map((column, index) =>
    texts.reduce(
      (longest, row) => Math.max(longest, row[index]?.length ?? 0),
      Math.max(column.title.length, 1),
    ),
  );
  const limits =
    width === undefined ? lengths : fit(lengths, longestWords(texts, columns), { columns, width });
  if (limits === undefined) return formatRecords(columns, texts);
  const table = new Table({
    shouldDisableColors: true,
    columns: columns.map((column, index) => ({
      name: String(index),
      title: visible(column.title),
      alignment: column.isNumber === true ? 'right' : 'left',
      maxLen: limits[index] ?? NARROWEST,
    })),
  });
  for (const row of texts) {
    const cells = row.map((cell, index) => [String(index), breakWords(cell, limits[index] ?? NARROWEST)]);
    table.addRow(Object.fromEntries(cells));
  }
  return table.render();
}

function longestWords(texts: readonly (readonly string[])[], columns: readonly TableColumn[]): number[] {
  return columns.map((_, index) =>
    texts.reduce(
      (longest, row) =>
        (row[index] ?? '').split(' ').reduce((most, word) => Math.max(most, word.length), longest),
      0,
    ),
  );
}

/** The table breaks lines at blanks alone: a longer word, such as an id, gets some. */
function breakWords(text: string, limit: number): string {
  return text.length <= limit
    ? text
    : text.replaceAll(new RegExp(`\\S{${limit}}(?=\\S)`, 'gu'), (part) => `${part} `);
}

/** Widths that fit, the widest text columns cut first, whole words while that goes; undefined when there are too many columns. */
function fit(
  lengths: readonly number[],
  words: readonly number[],
  { columns, width }: { columns: readonly TableColumn[]; width: number },
): number[] | undefined {
  const limits = [...lengths];
  const excess = sum(limits) - (width - 1 - CELL_COST * lengths.length);
  const floors = columns.map(({ title }) => Math.max(NARROWEST, Math.min(title.length, WIDEST_WORD)));
  const wordFloors = floors.map((floor, index) => Math.max(floor, Math.min(words[index] ?? 0, WIDEST_WORD)));
  const isText = columns.map(({ isNumber }) => isNumber !== true);
  const left = shrink(limits, excess, { floors: wordFloors, isText });
  return shrink(limits, left, { floors, isText }) > 0 ? undefined : limits;
}

/** Takes `excess` from the widest text columns, down to their floors; returns the rest. */
function shrink(
  limits: number[],
  excess: number,
  { floors, isText }: { floors: readonly number[]; isText: readonly boolean[] },
): number {
  for (let left = excess; left > 0; left -= 1) {
    let widest = -1;
    for (const [index, limit] of limits.entries()) {
      const canShrink = isText[index] === true && limit > (floors[index] ?? NARROWEST);
      if (canShrink && limit > (limits[widest] ?? 0)) widest = index;
    }
    if (widest === -1) return left;
    limits[widest] = (limits[widest] ?? 0) - 1;
  }
  return 0;
}

function formatRecords(columns: readonly TableColumn[], rows: readonly (readonly string[])[]): string {
  const indent = Math.max(...columns.map((column) => column.title.length));
  return rows
    .map((row, index) =>
      [
        `── row ${index + 1} ${'─'.repeat(20)}`,
        ...row.map((cell, place) => `${visible(columns[place]?.title ?? '').padEnd(indent)}  ${cell}`),
      ].join('\n'),
    )
    .join('\n');
}

/** A cell is one line. */
function visible(text: string): string {
  return visibleText(text).replaceAll('\n', '⏎').replaceAll('\t', ' ');
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
