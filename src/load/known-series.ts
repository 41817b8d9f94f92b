import { z } from 'zod';
import {
  newestTaken,
  NOTHING_KNOWN,
  OWED_REASONS,
  owedAfter,
  owedElsewhere,
  type KnownSeries,
  type OwedRange,
} from '../believe/coverage.ts';
import { HAS_NO_ROWS } from '../believe/terms.ts';
import { daySchema } from '../day.ts';
import { catalogue } from '../endpoints/catalogue.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import {
  flatSlice,
  seriesKey,
  seriesRow,
  sliceGrain,
  TARGET_AS_ROW,
  TARGET_COLUMNS,
  type Slice,
} from '../slice.ts';
import type { Connection } from '../warehouse/connection.ts';
import { haveSame, quoteIdentifier, quoteLiteral } from '../warehouse/sql.ts';
import type { LoadRun } from './load-run.ts';
import type { PreparedAnswer } from './prepare-answer.ts';

/** The columns of a series, as rows of `meta` and `core` have them. */
const COLUMNS = [...TARGET_COLUMNS, 'grain'] as const;
const SERIES = `${TARGET_AS_ROW}, grain`;
const lastRow = seriesRow.extend({ last: daySchema });
const owedRow = seriesRow.extend({
  start: daySchema,
  end: daySchema,
  reason: z.enum(OWED_REASONS),
  witnessedOn: daySchema,
});

interface State extends KnownSeries {
  /** Earlier answers had no row at all. */
  wasEmpty: boolean;
}

/** What the warehouse knows about each series: its newest row, and the days that stay owed. Read once, endpoint by endpoint. */
export class KnownSeriesStates {
  readonly #connection: Connection;
  readonly #projects: readonly string[] | null;
  readonly #states = new Map<string, State>();
  readonly #read = new Set<string>();

  /** @param projects those that answers are expected of; null: all */
  constructor(connection: Connection, projects: readonly string[] | null) {
    this.#connection = connection;
    this.#projects = projects;
  }

  /** Reads the states of the series of some endpoints, unless it was read before. */
  async read(endpoints: Iterable<string>): Promise<void> {
    const wanted = new Set(endpoints);
    const fresh = catalogue.filter(
      ({ name, isDaily }) => isDaily && wanted.has(name) && !this.#read.has(name),
    );
    if (fresh.length === 0) return;
    for (const { name } of fresh) this.#read.add(name);
    const connection = this.#connection;
    const own = this.#projects === null ? 'true' : 'project_id in (select unnest($2::varchar[]))';
    const values = [fresh.map(({ name }) => name), ...(this.#projects === null ? [] : [this.#projects])];
    for (const row of await connection.rowsAs(lastRow, newestRows(fresh, own), values))
      this.#stateOf(row).last = row.last;
    const of = `endpoint in (select unnest($1::varchar[])) and ${own}`;
    const owed = `select ${SERIES}, first_day as start, last_day as "end", reason, witnessed_on as "witnessedOn" from meta.owed_days where ${of}`;
    for (const row of await connection.rowsAs(owedRow, owed, values)) {
      const { start, end, reason, witnessedOn } = row;
      const state = this.#stateOf(row);
      state.owed = [...state.owed, { start, end, reason, witnessedOn }];
    }
    const empty = `select distinct ${SERIES} from meta.slices where window_kind is null and window_start is not null and ${HAS_NO_ROWS} and ${of}`;
    for (const row of await connection.rowsAs(seriesRow, empty, values)) {
      const state = this.#stateOf(row);
      state.wasEmpty = state.last === null;
    }
  }

  #stateOf(row: z.output<typeof seriesRow>): State {
    const key = seriesKey(row);
    const state = this.#states.get(key) ?? { last: null, owed: [], wasEmpty: false };
    this.#states.set(key, state);
    return state;
  }

  /** The states after the answers of one transaction; they count once `keep` is called. */
  after(answers: readonly PreparedAnswer[]): SeriesChange {
    const changed = new Map<string, { slice: Slice; state: State; hasFirstRow: boolean }>();
    for (const prepared of answers) {
      const { witness, answer } = prepared;
      if (witness === null || isUnread(prepared)) continue;
      const { slice } = answer;
      const key = seriesKey({ ...slice, grain: sliceGrain(slice) });
      const known: State = changed.get(key)?.state ??
        this.#states.get(key) ?? { ...NOTHING_KNOWN, wasEmpty: false };
      const last = newestTaken(witness, known);
      const hasFirstRow = (known.wasEmpty && last !== null) || changed.get(key)?.hasFirstRow === true;
      const before = hasFirstRow ? [] : owedElsewhere(witness, known);
      const owed = [...before, ...owedAfter(witness, known)];
      const state: State = { last, owed, wasEmpty: known.wasEmpty && last === null };
      changed.set(key, { slice, state, hasFirstRow });
    }
    return {
      changes: [...changed.values()],
      keep: () => {
        for (const [key, { state }] of changed) this.#states.set(key, state);
      },
    };
  }
}

/** Every row of the answer was refused, so it proves nothing about its days. */
export function isUnread({ validated }: PreparedAnswer): boolean {
  return validated.isUnread;
}

export interface SeriesChange {
  changes: readonly { slice: Slice; state: { owed: readonly OwedRange[] }; hasFirstRow: boolean }[];
  /** Takes the changes over, once they are committed. */
  keep: () => void;
}

/** SQL for the newest row of each series; `$1` are the endpoints. */
function newestRows(endpoints: readonly Endpoint[], own: string): string {
  const queries = endpoints.map(({ name, cut, outputs: [{ table }] }) => {
    const from = `max(date) as last from core.${quoteIdentifier(table)} where ${own} group by all`;
    const endpoint = `select ${quoteLiteral(name)} as endpoint, project_id as "projectId"`;
    return cut.kind === 'dated'
      ? `${endpoint}, 'project' as scope, project_id as "scopeId", cast(null as varchar) as grain, ${from}`
      : `${endpoint}, scope, scope_id as "scopeId", grain, ${from}`;
  });
  return `from (${queries.join(' union all ')}) where endpoint in (select unnest($1::varchar[]))`;
}

/** Writes which days stay owed, in the caller's transaction. When rows first come, all earlier answers of a series are owed again. */
export async function writeOwedDays(
  connection: Connection,
  { runId }: Pick<LoadRun, 'runId'>,
  { changes }: Pick<SeriesChange, 'changes'>,
): Promise<void> {
  if (changes.length === 0) return;
  await connection.run(
    `create or replace temp table changed_series as select ${COLUMNS.join(', ')}, false as is_first from meta.slices limit 0`,
  );
  await connection.appendRows({
    catalog: 'temp',
    table: 'changed_series',
    rows: changes.map(({ slice, hasFirstRow }) => ({ ...columnsOf(slice), is_first: hasFirstRow })),
  });
  const same = haveSame(COLUMNS, 't', 'c');
  connection.runWithNext(`delete from meta.owed_days t using changed_series c where ${same}`);
  if (changes.some(({ hasFirstRow }) => hasFirstRow)) {
    connection.runWithNext(
      `delete from meta.slices t using changed_series c where ${same} and c.is_first and t.window_kind is null and t.run_id <> ${quoteLiteral(runId)}`,
    );
  }
  const rows = changes.flatMap(({ slice, state: { owed } }) =>
    owed.map(({ start, end, reason, witnessedOn }) => ({
      ...columnsOf(slice),
      first_day: start,
      last_day: end,
      reason,
      witnessed_on: witnessedOn,
      run_id: runId,
    })),
  );
  await connection.appendRows({ schema: 'meta', table: 'owed_days', rows });
}

function columnsOf(slice: Slice): Record<string, string | null> {
  const flat = flatSlice(slice);
  return Object.fromEntries(COLUMNS.map((column) => [column, flat[column]]));
}
