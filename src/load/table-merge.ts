import type { Output } from '../endpoints/table.ts';
import { quoteLiteral } from '../warehouse/sql.ts';
import { flatSlice, SLICE_COLUMNS, type Slice, type SliceColumn } from '../slice.ts';

/** Everything that the SQL of one merge depends on: one table and one endpoint that feeds it. */
export interface TableMerge extends Output {
  /** Columns whose value is the slice's. */
  shared: readonly SliceColumn[];
  /** Columns whose change is a reason to write. */
  compared: readonly string[];
  /** Which rows of the table a slice covers: a condition over `t` (table) and `b` (slice). */
  domain: string | null;
  /** Compared columns with a DOUBLE. */
  doubles: ReadonlySet<string>;
  /** Temporary table of the rows as they came, without what their slice gives them. */
  arrived: string;
  /** Temporary table with one row for each key that either side has. */
  difference: string;
}

const DOMAINS = {
  series:
    't.project_id = b.project_id and t.grain = b.grain and t.scope = b.scope and t.scope_id = b.scope_id ' +
    'and t.date between b.window_start and b.window_end',
  window:
    't.project_id = b.project_id and t.window_kind = b.window_kind and t.window_start = b.window_start ' +
    'and t.scope = b.scope and t.scope_id = b.scope_id',
  dated: 't.project_id = b.project_id and t.date between b.window_start and b.window_end',
  project: 't.project_id = b.project_id',
  account: 'true',
} as const satisfies Record<Output['shape'], string>;

const NO_COLUMNS: ReadonlySet<string> = new Set();

/** Table → its columns with a DOUBLE. */
export type Doubles = ReadonlyMap<string, ReadonlySet<string>>;

/** How the rows of one output meet its table. @param place distinguishes merges that are under way together */
export function tableMerge(
  endpoint: string,
  output: Output,
  { place, doubles }: { place: number; doubles: Doubles },
): TableMerge {
  const { key, columns, shape, vanished, volatile } = output;
  const movingEnd = shape === 'window' ? [MOVING_END] : [];
  return {
    ...output,
    shared: SLICE_COLUMNS.filter((column) => [...key, ...movingEnd].includes(column)),
    compared: [...movingEnd, ...columns.filter((column) => !volatile.includes(column))],
    domain: vanished === 'keep' ? null : `b.endpoint = ${quoteLiteral(endpoint)} and ${DOMAINS[shape]}`,
    doubles: doubles.get(output.table) ?? NO_COLUMNS,
    arrived: `arrived_${String(place)}`,
    difference: `difference_${String(place)}`,
  };
}

/** The end of a window moves every night until the window is over; that is not a restatement. */
const MOVING_END = 'window_end';

/** The compared columns whose changes are logged. */
export function loggedColumns({ compared }: TableMerge): readonly string[] {
  return compared.filter((column) => column !== MOVING_END);
}

/** Columns of the staging table after `slice_no` and `row_no`. */
export function stagedColumns(merge: TableMerge): readonly string[] {
  return [...merge.key, ...merge.compared, ...merge.volatile];
}

/** The values that every row of a slice has in common. */
export function sharedValues({ shared }: TableMerge, slice: Slice): Readonly<Record<string, string | null>> {
  const flat = flatSlice(slice);
  return Object.fromEntries(shared.map((column) => [column, flat[column]]));
}
