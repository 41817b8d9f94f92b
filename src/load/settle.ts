import { z } from 'zod';
import { catalogue } from '../endpoints/catalogue.ts';
import { askedEndSql } from '../believe/terms.ts';
import type { Output } from '../endpoints/table.ts';
import { addDays, type Day } from '../day.ts';
import { type Connection, transaction } from '../warehouse/connection.ts';
import { quoteIdentifier, quoteLiteral, readSql } from '../warehouse/sql.ts';
import { auditColumnsOf, type LoadRun } from './load-run.ts';
import { applyDeletes, insertRestatements, keyJson, tableMerge } from './merge-sql.ts';

/** Days between two searches of the whole range of a project. */
const SEARCH_DAYS = 7;

/** Outputs with rows whose day may be corrected, and the endpoints that fill them. */
const MOVABLE = catalogue.flatMap(({ name, outputs }) =>
  outputs.flatMap((output) => (output.movable === null ? [] : [{ endpoint: name, output }])),
);

/** Corrects the states of days after a run has loaded all of its answers; a replay does the same. */
export async function settleLoad(connection: Connection, run: LoadRun): Promise<void> {
  await transaction(connection, async () => {
    await connection.run(readSql('load/settle-days', { today: `date ${quoteLiteral(run.syncDay)}` }));
    for (const { endpoint, output } of MOVABLE) await removeSearched(connection, run, { endpoint, output });
  });
}

/** The oldest answer that the days of a project have. A day that lacks a row is asked about with the others. */
function askedSince(endpoint: string): string {
  return `select project_id, min(asked_on) as asked_on from meta.asked_days
    where endpoint = ${quoteLiteral(endpoint)} and asked_on is not null and coalesce(reason, '') not in ('vanishing', 'bad_row', 'too_old') group by project_id`;
}

/** Removes what two sync days lack and a search of the whole range has not found on another day; what lies before all that it found stays for good. */
async function removeSearched(
  connection: Connection,
  run: LoadRun,
  { endpoint, output }: { endpoint: string; output: Output },
): Promise<void> {
  const merge = tableMerge(endpoint, output, { place: 0, numbers: new Map() });
  const columns = [...merge.compared, ...merge.volatile].map(quoteIdentifier);
  await connection.run(
    `create or replace temp table ${merge.difference} as
     select 0 as slice_no, 'delete' as action, ${merge.key.map((column) => `t.${quoteIdentifier(column)}`).join(', ')},
       ${columns.map((column) => `t.${column} as "new ${column.slice(1)}, t.${column} as "old ${column.slice(1)}`).join(', ')},
       coalesce(t.date < f.first_row, true) as stays
     from core.${quoteIdentifier(output.table)} t
     join meta.vanishing v on v.table_name = ${quoteLiteral(output.table)} and v.change = 'gone' and v.key = ${keyJson(merge, 't')}
     join (${askedSince(endpoint)}) a on a.project_id = t.project_id
     left join (
       select t.project_id, min(t.date) as first_row from core.${quoteIdentifier(output.table)} t
       where not exists (from meta.vanishing v where v.table_name = ${quoteLiteral(output.table)} and v.key = ${keyJson(merge, 't')})
         and not exists (from meta.asked_days k where k.endpoint = ${quoteLiteral(endpoint)} and k.project_id = t.project_id and k.date = t.date and k.reason = 'kept')
       group by 1
     ) f on f.project_id = t.project_id
     where v.witnesses >= 2 and a.asked_on >= v.witnessed_on`,
  );
  const found = await connection.value(z.number(), `select count(*) from ${merge.difference}`);
  if (found === 0) return;
  await connection.run(
    `delete from meta.vanishing where table_name = ${quoteLiteral(output.table)} and key in (select ${keyJson(merge, 'd')} from ${merge.difference} d);
     update meta.asked_days a set state = 'row', reason = 'kept', asked_on = date ${quoteLiteral(run.syncDay)},
       whole_at = case when a.asked_on <= ${askedEndSql('a')} then ${auditColumnsOf(run).instant} else a.whole_at end
     from ${merge.difference} d where d.stays and a.endpoint = ${quoteLiteral(endpoint)} and a.project_id = d.project_id and a.date = d."old date";
     delete from ${merge.difference} where stays;
     ${insertRestatements(merge, auditColumnsOf(run))}; ${applyDeletes(merge)}`,
  );
}

/** By project: endpoints whose whole range is searched today for something that two sync days lack. */
export async function readSearches(
  connection: Connection,
  today: Day,
): Promise<(projectId: string) => readonly string[]> {
  const due = new Map<string, string[]>();
  for (const { endpoint, output } of MOVABLE) {
    const rows = await connection.rowsAs(
      z.object({ project: z.string() }),
      `select distinct v.project_id as project from meta.vanishing v join (${askedSince(endpoint)}) a on a.project_id = v.project_id
       where v.table_name = $1 and v.witnesses >= 2 and a.asked_on < v.witnessed_on and a.asked_on <= cast($2 as date)`,
      [output.table, addDays(today, -SEARCH_DAYS)],
    );
    for (const { project } of rows) due.set(project, [...(due.get(project) ?? []), endpoint]);
  }
  return (projectId) => due.get(projectId) ?? [];
}
