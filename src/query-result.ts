/** How a column's text is to be read; `approximate` is a number of binary floating point. */
export type ColumnKind = 'text' | 'boolean' | 'day' | 'instant' | 'number' | 'approximate';

/** One value of a result, ready to be written. */
export interface Cell {
  /** As text; null for NULL. */
  text: string | null;
  /** As JSON text: whole numbers keep every digit. */
  json: string;
}

export interface ResultColumn {
  name: string;
  kind: ColumnKind;
}

/** What a query gave, in the order it gave it. */
export interface QueryResult {
  columns: ResultColumn[];
  rows: Cell[][];
  /** Rows of the whole result; `rows` has fewer where only the first were wanted. */
  count: number;
}

/** Whether columns of a kind hold numbers. */
export function isNumeric(kind: ColumnKind): boolean {
  return kind === 'number' || kind === 'approximate';
}
