import { z } from 'zod';
import type { Connection } from '../warehouse/connection.ts';
import { quoteIdentifier, quoteLiteral } from '../warehouse/quote.ts';
import type { LoadRun } from './load-run.ts';
import { deletable, stagedRows } from './merge-sql.ts';
import type { TableMerge } from './table-merge.ts';

/** A missing row is deleted once this many earlier runs missed it too. */
const RUNS_BEFORE_ACCEPTED = 2;

const shrunkRow = z.object({ slice_no: z.number() });
const seenRow = z.object({ rows: z.number(), accepted: z.number() });

/** The key of a series that has one row a period. */
const SERIES_KEY = ['project_id', 'grain', 'date', 'scope', 'scope_id'];

/** Not a figure of one name. */
const SAME_FOR_ALL = 'total_responses';

interface Context {
  connection: Connection;
  run: LoadRun;
}

const q = quoteIdentifier;

/**
 * Numbers of the slices in `batch` whose answer has less than half of the rows that the table has for the same closed
 * days: more often a broken answer than the truth. It is accepted once the same rows were missing in two earlier runs.
 */
export async function suspiciousSlices(context: Context, merge: TableMerge): Promise<number[]> {
  const { connection, run } = context;
  const shrunk = await connection.rowsAs(
    shrunkRow,
    `select o.slice_no from (${oldRows(merge, 'b.slice_no, count(*) as n')} and ${isClosed('t', merge, run.syncDay)} and ${isFigure('t', merge)} group by 1) o ` +
      `left join (select slice_no, count(distinct row(${merge.key.map(q).join(', ')})) as n from ${stagedRows(merge)} s ` +
      `where ${isClosed('s', merge, run.syncDay)} group by 1) f using (slice_no) where coalesce(f.n, 0) * 2 < o.n`,
  );
  const suspicious: number[] = [];
  for (const { slice_no: sliceNo } of shrunk) {
    if (!(await isAccepted(context, merge, sliceNo))) suspicious.push(sliceNo);
  }
  return suspicious;
}

function isClosed(alias: string, merge: TableMerge, syncDay: string): string {
  return merge.dayColumn === null ? 'true' : `${alias}.${q(merge.dayColumn)} < date ${quoteLiteral(syncDay)}`;
}

/** A series of names lists those that occur in the window alone: a zero of a longer window is nothing that a shorter one lost. */
function isFigure(alias: string, { shape, key, compared }: TableMerge): string {
  const own = compared.filter((column) => column !== SAME_FOR_ALL);
  if (shape !== 'series' || key.length === SERIES_KEY.length || own.length === 0) return 'true';
  return `(${own.map((column) => `coalesce(${alias}.${q(column)}, 0) <> 0`).join(' or ')})`;
}

function oldRows(merge: TableMerge, columns: string): string {
  const present = merge.vanished === 'mark_removed' ? ' and t.removed_at is null' : '';
  return (
    `select ${columns} from core.${q(merge.table)} t join batch b on ${merge.domain ?? 'false'} ` +
    `where ${deletable(merge)}${present}`
  );
}

function keyJson(merge: TableMerge, alias: string): string {
  const fields = merge.key.map((column) => `${quoteLiteral(column)}, ${alias}.${q(column)}`);
  return `cast(json_object(${fields.join(', ')}) as varchar)`;
}

async function isAccepted(context: Context, merge: TableMerge, sliceNo: number): Promise<boolean> {
  const { connection, run } = context;
  const match = merge.key.map((column) => `s.${q(column)} = t.${q(column)}`).join(' and ');
  // Includes the current day: its row is missing too, and must not count as newly missing once the day is over.
  await connection.run(
    `create or replace temp table vanishing as ${oldRows(merge, `b.project_id, ${keyJson(merge, 't')} as key`)} ` +
      `and b.slice_no = ${sliceNo} and not exists (from ${stagedRows(merge)} s where s.slice_no = ${sliceNo} and ${match})`,
  );
  const [seen] = await connection.rowsAs(
    seenRow,
    'select count(*) as rows, count(*) filter (m.runs >= $2 and m.last_run_id <> $3) as accepted ' +
      'from vanishing v left join meta.vanishing m on m.table_name = $1 and m.key = v.key',
    [merge.table, RUNS_BEFORE_ACCEPTED, run.runId],
  );
  if (seen !== undefined && seen.rows === seen.accepted) return true;
  await connection.run(
    'update meta.vanishing set runs = runs + 1, last_run_id = $2 where table_name = $1 and last_run_id <> $2 ' +
      'and key in (select key from vanishing)',
    [merge.table, run.runId],
  );
  await connection.run(
    'insert into meta.vanishing (table_name, project_id, key, runs, last_run_id) ' +
      'select $1, project_id, key, 1, $2 from vanishing v ' +
      'where not exists (from meta.vanishing m where m.table_name = $1 and m.key = v.key)',
    [merge.table, run.runId],
  );
  return false;
}

/** True when no table has a row that an earlier run missed. */
export async function nothingVanishes(connection: Connection): Promise<boolean> {
  return (await connection.rows('select 1 from meta.vanishing limit 1')).length === 0;
}

/** SQL for rows that came back, or that were deleted: they are no longer vanishing. Null where none can be. */
export function forgetVanishing(merge: TableMerge): string | null {
  if (merge.vanished === 'keep') return null;
  return (
    `delete from meta.vanishing where table_name = ${quoteLiteral(merge.table)} ` +
    `and key in (select ${keyJson(merge, 'd')} from ${merge.difference} d where d.action <> 'keep')`
  );
}
