import { z } from 'zod';
import { probeSchema, type Probe } from '../believe/probe.ts';
import type { Config } from '../config/config.ts';
import { addDays, isDay, maxDay, type Day } from '../day.ts';
import { type Endpoint, MAX_WINDOW_DAYS } from '../endpoints/endpoint.ts';
import type { LoadRun } from '../load/load-run.ts';
import { askedWith } from '../plan/selection.ts';
import type { Connection } from '../warehouse/connection.ts';
import { readSettings, writeSettings } from '../warehouse/tables.ts';

/** Days for which a good verdict holds before the check is repeated. */
const GOOD_DAYS = 7;

/** Good verdicts of the last seven days, and days that an earlier run found to be ignored. */
export async function readProbes(connection: Connection, { syncDay }: LoadRun): Promise<Probe[]> {
  return await connection.rowsAs(
    probeSchema,
    `select endpoint, project_id as "projectId", parameter, asked_with as "askedWith", verdict, verdict = 'ignored' as "isEarlier"
     from meta.probes
     where verdict = 'good' and asked_on between cast($1 as date) - ${String(GOOD_DAYS)} and cast($1 as date)
       or verdict = 'ignored' and parameter = 'startDate and endDate'
     order by all`,
    [syncDay],
  );
}

/** Stores the findings. @throws AnswerlakeError (storage) */
export async function writeProbes(
  connection: Connection,
  { runId, syncDay }: Pick<LoadRun, 'runId' | 'syncDay'>,
  probes: readonly Probe[],
): Promise<void> {
  for (const { endpoint, projectId, parameter, askedWith, verdict } of probes) {
    const key = [endpoint, projectId, parameter, askedWith];
    await connection.run(
      'delete from meta.probes where endpoint = $1 and project_id = $2 and parameter = $3 and asked_with = $4',
      key,
    );
    const sql = 'insert into meta.probes values ($1, $2, $3, $4, $5, cast($6 as date), $7)';
    await connection.run(sql, [...key, verdict, syncDay, runId]);
  }
}

/** Days for which a learned range length counts; after that, longer ranges are tried again. */
const LENGTH_DAYS = 30;

const lengthRow = z.object({ endpoint: z.string(), asked_with: z.string(), max_days: z.number() });

/** Settings with the day of the first request for an endpoint. */
const FIRST_ASKED = 'first_asked ';

/** The configuration, with windows no longer than the longest range that the server answered in earlier runs, and the first day of each endpoint that goes back less far than the others. */
export async function asTaught(config: Config, connection: Connection, today: Day): Promise<Config> {
  const { catalogue, sync } = config;
  const sql = `select endpoint, asked_with, max_days from meta.taught_lengths
     where taught_on > cast($1 as date) - ${String(LENGTH_DAYS)}`;
  const lengths = await connection.rowsAs(lengthRow, sql, [today]);
  const known = await readSettings(connection);
  const endpoints = { ...sync.endpoints };
  for (const { endpoint, asked_with: as, max_days: days } of lengths) {
    if (!catalogue.has(endpoint) || askedWith(config, catalogue.named(endpoint)) !== as) continue;
    const own = endpoints[endpoint];
    endpoints[endpoint] = { ...own, maxWindowDays: Math.min(own?.maxWindowDays ?? MAX_WINDOW_DAYS, days) };
  }
  for (const { name, held } of catalogue.asked) {
    const { sinceDays, keepDays } = held;
    if (sinceDays === null && keepDays === null) continue;
    let start = endpoints[name]?.startDate ?? sync.startDate;
    if (sinceDays !== null) {
      const first = known.get(FIRST_ASKED + name) ?? '';
      start = maxDay(start, addDays(isDay(first) ? first : today, -sinceDays));
    }
    if (keepDays !== null) start = maxDay(start, addDays(today, -keepDays));
    endpoints[name] = { ...endpoints[name], startDate: start };
  }
  return { ...config, sync: { ...sync, endpoints } };
}

/** Stores the longest range that the server answers, for each endpoint that refused longer ones. @throws AnswerlakeError (storage) */
export async function writeTaughtLengths(
  connection: Connection,
  { config, run }: { config: Config; run: LoadRun },
  lengths: ReadonlyMap<string, number>,
): Promise<void> {
  for (const [endpoint, days] of lengths) {
    const key = [endpoint, askedWith(config, config.catalogue.named(endpoint))];
    await connection.run('delete from meta.taught_lengths where endpoint = $1 and asked_with = $2', key);
    const sql = 'insert into meta.taught_lengths values ($1, $2, $3, cast($4 as date), $5)';
    await connection.run(sql, [...key, days, run.syncDay, run.runId]);
  }
}

/** Stores the day of the first request for endpoints whose history starts there. */
export async function noteFirstAsked(
  connection: Connection,
  asked: Iterable<Endpoint>,
  day: Day,
): Promise<void> {
  const names = [...asked]
    .filter(({ held }) => held.sinceDays !== null)
    .map(({ name }) => FIRST_ASKED + name);
  if (names.length === 0) return;
  const known = await readSettings(connection);
  const first = names.filter((name) => !known.has(name)).map((name) => [name, day] as const);
  await writeSettings(connection, Object.fromEntries(first));
}
