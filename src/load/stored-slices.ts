import type { DayRange } from '../day.ts';
import { sliceGrain, sliceWindow, type Slice } from '../slice.ts';
import type { Connection } from '../warehouse/connection.ts';
import { quoteIdentifier } from '../warehouse/quote.ts';
import type { TableMerge } from './table-merge.ts';

/**
 * Which slices may have rows already, for tables that were empty when their first slice came. What no slice has covered has
 * nothing to be compared with.
 */
export class StoredSlices {
  readonly #connection: Connection;
  /** Table → slice → days with rows; null for a table that had rows before. */
  readonly #tables = new Map<string, Map<string, DayRange | null> | null>();

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** True when no row of the table belongs to one of the slices. Rows of lists and events may belong to several, so their table must still be empty. */
  async haveNone({ table, shape }: TableMerge, slices: readonly Slice[]): Promise<boolean> {
    if (!this.#tables.has(table)) {
      const rows = await this.#connection.rows(`select 1 from core.${quoteIdentifier(table)} limit 1`);
      this.#tables.set(table, rows.length === 0 ? new Map<string, DayRange | null>() : null);
    }
    const stored = this.#tables.get(table) ?? null;
    if (shape !== 'series' && shape !== 'window') return stored?.size === 0;
    return stored !== null && slices.every((slice) => !meets(slice, stored.get(keyOf(slice))));
  }

  /** To be called before rows are written: what is rolled back may count as stored, what is stored may never count as new. */
  add({ table }: TableMerge, slices: readonly Slice[]): void {
    const stored = this.#tables.get(table) ?? null;
    if (stored === null) return;
    for (const slice of slices) {
      const key = keyOf(slice);
      const window = sliceWindow(slice);
      const known = stored.get(key);
      stored.set(key, window === null || known === null ? null : span(window, known ?? window));
    }
  }
}

function keyOf(slice: Slice): string {
  const { projectId, scope, scopeId } = slice;
  const window = slice.kind === 'window' ? [slice.windowKind, slice.window.start] : [sliceGrain(slice)];
  return JSON.stringify([projectId, scope, scopeId, ...window]);
}

/** The key alone identifies a window answer, whose end moves. */
function meets(slice: Slice, stored: DayRange | null | undefined): boolean {
  if (stored === undefined) return false;
  if (stored === null || slice.kind !== 'series') return true;
  return slice.window.start <= stored.end && stored.start <= slice.window.end;
}

function span(one: DayRange, other: DayRange): DayRange {
  return {
    start: one.start < other.start ? one.start : other.start,
    end: one.end > other.end ? one.end : other.end,
  };
}
