import { Table } from 'console-table-printer';

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

/** A table of lines; rows become records below each other where the columns cannot fit. */
export function formatTable({ columns, rows, width, nullText = 'NULL' }: TableOptions): string {
  const texts = rows.map((row) => row.map((cell) => (cell === null ? nullText : visible(cell))));
  const lengths = columns.map((column, index) =>
    texts.reduce(
      (longest, row) => Math.max(longest, row[index]?.length ?? 0),
      Math.max(column.title.length, 1),
    ),
  );
  const limits = width === undefined ? lengths : fit(lengths, columns, width);
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

/** The table breaks lines at blanks alone: a longer word, such as an id, gets some. */
function breakWords(text: string, limit: number): string {
  return text.length <= limit
    ? text
    : text.replaceAll(new RegExp(`\\S{${limit}}(?=\\S)`, 'gu'), (part) => `${part} `);
}

/** Widths that fit, the widest text columns cut first; undefined when there are too many columns. */
function fit(
  lengths: readonly number[],
  columns: readonly TableColumn[],
  width: number,
): number[] | undefined {
  const limits = [...lengths];
  const room = width - 1 - CELL_COST * lengths.length;
  for (let excess = sum(limits) - room; excess > 0; excess -= 1) {
    let widest = -1;
    for (const [index, limit] of limits.entries()) {
      const floor = Math.max(NARROWEST, Math.min(columns[index]?.title.length ?? 0, 24));
      const canShrink = columns[index]?.isNumber !== true && limit > floor;
      if (canShrink && limit > (limits[widest] ?? 0)) widest = index;
    }
    if (widest === -1) return undefined;
    limits[widest] = (limits[widest] ?? 0) - 1;
  }
  return limits;
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

/** Control characters are shown, never sent to the terminal. */
function visible(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, (character) => {
    if (character === '\n') return '⏎';
    return character === '\t' ? ' ' : `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`;
  });
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
