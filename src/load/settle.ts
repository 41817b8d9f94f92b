import { z } from 'zod';
import type { Endpoint } from '../endpoints/endpoint.ts';
import type { Output } from '../endpoints/table.ts';
import { addDays, type Day } from '../day.ts';
import { type Connection, transaction } from '../warehouse/connection.ts';
import { haveSame, quoteIdentifier, quoteLiteral, quoteStored, readSql } from '../warehouse/sql.ts';
import { auditColumnsOf, type LoadRun } from './load-run.ts';
import { applyDeletes, insertRestatements, keyJson, tableMerge } from './merge-sql.ts';

/** Days between two searches of a project's whole range. */
const SEARCH_DAYS = 7;

/** Outputs with rows whose day may be corrected, and the endpoints that fill them. */
function movable(endpoints: readonly Endpoint[]) {
  return endpoints.flatMap(({ name, outputs }) =>
    outputs.flatMap((output) => (output.movable === null ? [] : [{ endpoint: name, output }])),
  );
}

/** Corrects the states of days after a run has loaded all of its answers, as a replay also does. Returns the number of rows removed for their age. */
export async function settleLoad(
  connection: Connection,
  run: LoadRun,
  endpoints: readonly Endpoint[],
): Promise<number> {
  let removed = 0;
  await transaction(connection, async () => {
    for (const endpoint of endpoints) removed += await removeOld(connection, run, endpoint);
    await connection.run(readSql('load/settle-days', { today: `date ${quoteLiteral(run.syncDay)}` }));
    for (const searched of movable(endpoints)) await removeSearched(connection, run, searched);
  });
  return removed;
}

/** Removes the rows of days that an endpoint no longer holds, without logging restatements. */
async function removeOld(
  connection: Connection,
  { syncDay }: LoadRun,
  { name, held: { keepDays }, outputs: [first, ...others] }: Endpoint,
): Promise<number> {
  if (keepDays === null) return 0;
  const isOld = `t."date" < date ${quoteLiteral(addDays(syncDay, -keepDays))}`;
  const counted = `select count(*) from ${quoteStored(first.table)} t where ${isOld}`;
  const count = (await connection.value(z.number(), counted)) ?? 0;
  if (count === 0) return 0;
  const same = haveSame(first.key, 'p', 't');
  for (const { table } of others)
    await connection.run(
      `delete from ${quoteStored(table)} p using ${quoteStored(first.table)} t where ${isOld} and ${same}`,
    );
  await connection.run(`delete from ${quoteStored(first.table)} t where ${isOld}`);
  await connection.run(`delete from meta.asked_days t where endpoint = $1 and ${isOld}`, [name]);
  return count;
}

/** SQL of the oldest answer of each project. */
function askedSince(endpoint: string): string {
  return readSql('load/asked-since', { endpoint: quoteLiteral(endpoint) });
}

/** Removes rows that two sync days lack and that a search of the whole range has not found on another day. */
async function removeSearched(
  connection: Connection,
  run: LoadRun,
  { endpoint, output }: { endpoint: string; output: Output },
): Promise<void> {
  const merge = tableMerge(endpoint, output, { place: 0, numbers: new Map() });
  const audit = auditColumnsOf(run);
  const values = {
    difference: merge.difference,
    table: quoteIdentifier(output.table),
    table_name: quoteLiteral(output.table),
  };
  const sides = (column: string): string[] =>
    ['new', 'old'].map((side) => `t.${quoteIdentifier(column)} as ${quoteIdentifier(`${side} ${column}`)}`);
  await connection.run(
    readSql('load/search-removed', {
      ...values,
      key: merge.key.map((column) => `t.${quoteIdentifier(column)}`).join(', '),
      key_json: keyJson(merge, 't'),
      old_and_new: [...merge.compared, ...merge.volatile].flatMap(sides).join(', '),
      asked_since: askedSince(endpoint),
    }),
  );
  const found = await connection.value(z.number(), `select count(*) from ${merge.difference}`);
  if (found === 0) return;
  const forget = `delete from meta.vanishing where table_name = ${values.table_name} and key in (select ${keyJson(merge, 'd')} from ${merge.difference} d)`;
  const logged = insertRestatements(merge, audit, new Set(['delete']));
  await connection.run([forget, ...logged, applyDeletes(merge)].join('; '));
}

/** The parameter of searches in `meta.probes`. */
export const SEARCH = 'whole range';

/** A project whose whole range is searched for a row that two sync days lack. */
export interface Search {
  endpoint: string;
  projectId: string;
}

/** The searches of today. */
export async function readSearches(
  connection: Connection,
  today: Day,
  endpoints: readonly Endpoint[],
): Promise<Search[]> {
  const due: Search[] = [];
  for (const { endpoint, output } of movable(endpoints)) {
    const sql = readSql('load/due-searches', { asked_since: askedSince(endpoint) });
    const since = addDays(today, -SEARCH_DAYS);
    const values = [output.table, since, endpoint, SEARCH];
    const projects = await connection.values(z.string(), sql, values);
    due.push(...projects.map((projectId) => ({ endpoint, projectId })));
  }
  return due;
}
