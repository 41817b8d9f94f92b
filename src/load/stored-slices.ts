import { maxDay, minDay, overlap, type DayRange } from '../day.ts';
import { coreKeys } from '../endpoints/catalogue.ts';
import { sliceKey, sliceWindow, type Slice } from '../slice.ts';
import type { Connection } from '../warehouse/connection.ts';
import { nameRow } from '../warehouse/values.ts';
import { quoteIdentifier, quoteLiteral } from '../warehouse/sql.ts';
import type { TableMerge } from './merge-sql.ts';

/**
 * Which slices have rows, for tables that were empty when the run began. Rows of other slices need no comparison and are
 * inserted directly (10 % of a first sync's processor time).
 */
export class StoredSlices {
  readonly #connection: Connection;
  /** Table → slice → days with rows, for tables that were empty; null until they were looked for. */
  #tables: ReadonlyMap<string, Map<string, DayRange | null>> | null = null;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** True when no row of the table belongs to one of the slices. Rows of lists and events may belong to several, so their table must still be empty. */
  async haveNone({ table, shape }: TableMerge, slices: readonly Slice[]): Promise<boolean> {
    this.#tables ??= new Map((await emptyTables(this.#connection)).map((empty) => [empty, new Map()]));
    const stored = this.#tables.get(table);
    if (shape !== 'series' && shape !== 'window') return stored?.size === 0;
    return stored !== undefined && slices.every((slice) => !meets(slice, stored.get(keyOf(slice))));
  }

  /** Call it before rows are written: a slice that is rolled back may count as stored, but a stored slice never as new. */
  add({ table }: TableMerge, slices: readonly Slice[]): void {
    const stored = this.#tables?.get(table);
    if (stored === undefined) return;
    for (const slice of slices) {
      const key = keyOf(slice);
      const window = sliceWindow(slice);
      const known = stored.get(key);
      stored.set(key, window === null || known === null ? null : span(window, known ?? window));
    }
  }
}

/** One statement, because 28 would take 50 ms of a night. */
async function emptyTables(connection: Connection): Promise<string[]> {
  const tables = [...coreKeys.keys()].map(
    (table) => `select ${quoteLiteral(table)} as name where not exists (from core.${quoteIdentifier(table)})`,
  );
  return (await connection.rowsAs(nameRow, tables.join(' union all '))).map(({ name }) => name);
}

/** Two endpoints may fill the same rows. */
function keyOf(slice: Slice): string {
  return sliceKey({ ...slice, endpoint: '' });
}

/** The key alone identifies a window answer, whose end moves. */
function meets(slice: Slice, stored: DayRange | null | undefined): boolean {
  if (stored === undefined) return false;
  return slice.kind !== 'series' || overlap(slice.window, stored);
}

function span(one: DayRange, other: DayRange): DayRange {
  return { start: minDay(one.start, other.start), end: maxDay(one.end, other.end) };
}
