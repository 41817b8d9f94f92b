import { z } from 'zod';
import { goesNow, isSuspicious, VANISHING_CHANGES } from '../believe/vanishing.ts';
import { daySchema } from '../day.ts';
import type { Connection } from '../warehouse/connection.ts';
import { quoteIdentifier, quoteLiteral } from '../warehouse/sql.ts';
import type { LoadRun } from './load-run.ts';
import { dayOfRow, isClosed, keyJson, type TableMerge } from './merge-sql.ts';

const q = quoteIdentifier;

/** The key of a series that has one row a period. */
const SERIES_KEY_LENGTH = 5;
/** Not a figure of one name. */
const SAME_FOR_ALL = 'total_responses';

const candidateRow = z.object({
  slice_no: z.number(),
  change: z.enum(VANISHING_CHANGES),
  key: z.string(),
  project_id: z.string().nullable(),
  day: daySchema.nullable(),
  isClosed: z.boolean(),
  is_figure: z.boolean(),
  earlier: z.enum(VANISHING_CHANGES).nullable(),
  witnessedOn: daySchema.nullable(),
});
type Candidate = z.output<typeof candidateRow>;

interface Context {
  connection: Connection;
  run: LoadRun;
}

/**
 * Decides which rows that answers lack or empty go now, and enters the others in `meta.vanishing`: their difference becomes
 * `keep`. Returns how many rows of each slice wait.
 */
export async function holdBack(context: Context, merge: TableMerge): Promise<Map<number, number>> {
  const { connection, run } = context;
  const found = await connection.rowsAs(candidateRow, selectCandidates(merge, run));
  const waiting = found.filter((row) => !goesNow(row, run));
  const isWaiting = new Set(waiting);
  const emptied = found.filter((row) => row.change === 'emptied' && !isWaiting.has(row));
  const table = quoteLiteral(merge.table);
  await setAction(connection, merge, { rows: waiting, action: 'keep' });
  await setAction(connection, merge, { rows: emptied, action: 'update' });
  const entered = waiting.filter(({ earlier, change }) => earlier !== change);
  await connection.run(
    `delete from meta.vanishing where table_name = ${table} and key in (select unnest($1::varchar[]))`,
    [entered.map(({ key }) => key)],
  );
  await connection.appendRows({
    schema: 'meta',
    table: 'vanishing',
    rows: entered.map(({ key, project_id: project, day, change }) => ({
      table_name: merge.table,
      project_id: project,
      key,
      change,
      date: day,
      witnessed_on: run.syncDay,
      run_id: run.runId,
    })),
  });
  const counts = new Map<number, number>();
  for (const { slice_no: slice, is_figure: counted } of waiting)
    counts.set(slice, (counts.get(slice) ?? 0) + (counted ? 1 : 0));
  return counts;
}

/**
 * Slices whose answer lacks more than half of the closed rows that are known of their days, whether it reaches them or not.
 * @param waiting rows of each slice that wait for a second answer
 */
export async function suspiciousSlices(
  { connection, run }: Context,
  merge: TableMerge,
  waiting: ReadonlyMap<number, number>,
): Promise<number[]> {
  if (run.acceptShrink) return [];
  const present = merge.vanished === 'mark_removed' ? ' and t.removed_at is null' : '';
  const lacking = await connection.rowsAs(
    countRow,
    `select slice_no, count(*) as rows from ${merge.difference} d
     where action = 'lack' and ${isFigure(merge, (column) => `d.${q(`old ${column}`)}`)} group by 1`,
  );
  const missing = new Map(waiting);
  for (const { slice_no: slice, rows } of lacking) missing.set(slice, (missing.get(slice) ?? 0) + rows);
  if (missing.size === 0) return [];
  const known = await connection.rowsAs(
    countRow,
    `select b.slice_no, count(*) as rows from core.${q(merge.table)} t join batch b on ${merge.domain ?? 'false'}
     where b.slice_no in (${[...missing.keys()].join(', ')})${present}
       and ${isClosed(merge, 't', run.syncDay)} and ${isFigure(merge, (column) => `t.${q(column)}`)}
     group by 1`,
  );
  return known.flatMap(({ slice_no: slice, rows }) =>
    isSuspicious(missing.get(slice) ?? 0, rows) ? [slice] : [],
  );
}

const countRow = z.object({ slice_no: z.number(), rows: z.number() });

function selectCandidates(merge: TableMerge, { syncDay }: LoadRun): string {
  const key = keyJson(merge, 'd');
  const day = merge.shape === 'window' ? 'd.window_start' : (dayOfRow(merge, 'd') ?? 'cast(null as date)');
  const project = merge.key.includes('project_id') ? 'd.project_id' : 'cast(null as varchar)';
  return (
    `select d.slice_no, if(d.action = 'empty', 'emptied', 'gone') as change, ${key} as key, ${project} as project_id, ${day} as day, ` +
    `coalesce(${isClosed(merge, 'd', syncDay)}, true) as "isClosed", ${isFigure(merge, (column) => `d.${q(`old ${column}`)}`)} as is_figure, ` +
    `v.change as earlier, v.witnessed_on as "witnessedOn" from ${merge.difference} d ` +
    `left join meta.vanishing v on v.table_name = ${quoteLiteral(merge.table)} and v.key = ${key} ` +
    `where d.action in ('delete', 'remove', 'empty')`
  );
}

/** A series of names lists those that occur in the window alone: a zero of a longer window is nothing that a shorter one lost. */
function isFigure({ shape, key, compared }: TableMerge, old: (column: string) => string): string {
  const own = compared.filter((column) => column !== SAME_FOR_ALL);
  if (shape !== 'series' || key.length === SERIES_KEY_LENGTH || own.length === 0) return 'true';
  return `(${own.map((column) => `coalesce(${old(column)}, 0) <> 0`).join(' or ')})`;
}

async function setAction(
  connection: Connection,
  merge: TableMerge,
  { rows, action }: { rows: readonly Candidate[]; action: 'keep' | 'update' },
): Promise<void> {
  if (rows.length === 0) return;
  await connection.run(
    `update ${merge.difference} d set action = $1 where ${keyJson(merge, 'd')} in (select unnest($2::varchar[]))`,
    [action, rows.map(({ key }) => key)],
  );
}

/** SQL for rows that came back, or that went: they are no longer vanishing. Null where none can be. */
export function forgetVanishing(merge: TableMerge): string | null {
  if (merge.vanished === 'keep') return null;
  return (
    `delete from meta.vanishing where table_name = ${quoteLiteral(merge.table)} ` +
    `and key in (select ${keyJson(merge, 'd')} from ${merge.difference} d where d.action not in ('keep', 'lack'))`
  );
}
