import type { Config } from '../config/config.ts';
import { addDays, isDay, maxDay, type Day } from '../day.ts';
import type { Connection } from '../warehouse/connection.ts';
import { readSettings } from '../warehouse/tables.ts';

/** Settings with the day on which an endpoint was first asked. */
const FIRST_ASKED = 'first_asked ';

/**
 * The configuration with the first day of each endpoint that does not go back as far as the others, and the settings
 * that keep the days on which they were first asked.
 */
export async function withFirstDays(
  config: Config,
  connection: Connection,
  today: Day,
): Promise<{ config: Config; firstAsked: Record<string, string> }> {
  const known = await readSettings(connection);
  const firstAsked: Record<string, string> = {};
  const endpoints = { ...config.sync.endpoints };
  for (const { name, held } of config.catalogue.asked) {
    const { sinceDays, keepDays } = held;
    if (sinceDays === null && keepDays === null) continue;
    let start = endpoints[name]?.startDate ?? config.sync.startDate;
    if (sinceDays !== null) {
      const text = known.get(FIRST_ASKED + name) ?? '';
      const first = isDay(text) ? text : today;
      firstAsked[FIRST_ASKED + name] = first;
      start = maxDay(start, addDays(first, -sinceDays));
    }
    if (keepDays !== null) start = maxDay(start, addDays(today, -keepDays));
    endpoints[name] = { ...endpoints[name], startDate: start };
  }
  return { config: { ...config, sync: { ...config.sync, endpoints } }, firstAsked };
}
