/** One value of a result, ready to be written. */
export interface Cell {
  /** As text; null for NULL. */
  text: string | null;
  /** As JSON text: whole numbers keep every digit. */
  json: string;
}

/** What a query gave, in the order it gave it. */
export interface QueryResult {
  columns: { name: string; isNumber: boolean }[];
  rows: Cell[][];
  /** Rows of the whole result; `rows` has fewer where only the first were wanted. */
  count: number;
}
