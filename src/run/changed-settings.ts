import { z } from 'zod';
import { askedWithByEndpoint, type AskedSettings } from '../plan/selection.ts';
import type { Connection } from '../warehouse/connection.ts';
import { haveSame } from '../warehouse/sql.ts';
import { writeSettings } from '../warehouse/tables.ts';

/** Prefix of the settings with today's digest of each endpoint, which the views compare answers with. */
const ASKED_WITH = 'asked_with:';

/** Keeps today's digests for the views. Returns a sentence when answers no longer count because a setting was changed. */
export async function changedSettings(connection: Connection, settings: AskedSettings): Promise<string[]> {
  const today = [...askedWithByEndpoint(settings)];
  await writeSettings(
    connection,
    Object.fromEntries(today.map(([name, digest]) => [`${ASKED_WITH}${name}`, digest])),
  );
  const changed = await connection.rowsAs(
    z.object({ endpoint: z.string() }),
    `select distinct d.endpoint from meta.asked_days d
     join (select unnest($1::varchar[]) as endpoint, unnest($2::varchar[]) as asked_with) n on ${haveSame(['endpoint'], 'n', 'd')}
     where d.asked_with <> n.asked_with and d.window_kind is null order by 1`,
    [today.map(([name]) => name), today.map(([, digest]) => digest)],
  );
  if (changed.length === 0) return [];
  const list = changed.map(({ endpoint }) => endpoint).join(', ');
  return [
    `the path, parameter names, end_date or timezone of ${list} was changed: answers to the earlier question no longer count and are asked again`,
  ];
}
