import type { Config } from '../config/config.ts';
import { addDays, isDay, maxDay, type Day } from '../day.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import type { Connection } from '../warehouse/connection.ts';
import { readSettings, writeSettings } from '../warehouse/tables.ts';

/** Settings with the day of the first request for an endpoint. */
const FIRST_ASKED = 'first_asked ';

/** The configuration, with the first day of each endpoint that goes back less far than the others. */
export async function withFirstDays(config: Config, connection: Connection, today: Day): Promise<Config> {
  const known = await readSettings(connection);
  const endpoints = { ...config.sync.endpoints };
  for (const { name, held } of config.catalogue.asked) {
    const { sinceDays, keepDays } = held;
    if (sinceDays === null && keepDays === null) continue;
    let start = endpoints[name]?.startDate ?? config.sync.startDate;
    if (sinceDays !== null) {
      const first = known.get(FIRST_ASKED + name) ?? '';
      start = maxDay(start, addDays(isDay(first) ? first : today, -sinceDays));
    }
    if (keepDays !== null) start = maxDay(start, addDays(today, -keepDays));
    endpoints[name] = { ...endpoints[name], startDate: start };
  }
  return { ...config, sync: { ...config.sync, endpoints } };
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
