import { z } from 'zod';
import { askedWithByEndpoint, type AskedSettings } from '../plan/asked-with.ts';
import { writeSettings } from '../load/settings.ts';
import type { Connection } from '../warehouse/connection.ts';

/** Prefix of the settings with today's digest of each endpoint, which the views compare answers with. */
const ASKED_WITH = 'asked_with:';

const otherRow = z.object({ endpoint: z.string() });

/**
 * Takes over the slices of an older program as if they had been asked with today's settings, and keeps today's digests for
 * the views. Returns a sentence when answers no longer count because a setting was changed.
 */
export async function takeOverSlices(connection: Connection, settings: AskedSettings): Promise<string[]> {
  const today = askedWithByEndpoint(settings);
  const names = [...today.keys()];
  const digests = [...today.values()];
  await connection.run(
    `update meta.slices s set asked_with = n.asked_with
     from (select unnest($1::varchar[]) as endpoint, unnest($2::varchar[]) as asked_with) n
     where s.asked_with is null and s.endpoint = n.endpoint and s.status not in ('failed', 'refused')`,
    [names, digests],
  );
  await writeSettings(
    connection,
    Object.fromEntries(names.map((name, index) => [`${ASKED_WITH}${name}`, digests[index] ?? ''])),
  );
  const others = await connection.rowsAs(
    otherRow,
    `select distinct s.endpoint from meta.slices s
     join (select unnest($1::varchar[]) as endpoint, unnest($2::varchar[]) as asked_with) n on n.endpoint = s.endpoint
     where s.asked_with <> n.asked_with and s.window_start is not null and s.window_kind is null
       and not exists (from meta.slices t where t.endpoint = s.endpoint and t.project_id = s.project_id and t.scope = s.scope
         and t.scope_id = s.scope_id and t.grain is not distinct from s.grain and t.asked_with = n.asked_with
         and t.window_start <= s.window_start and t.window_end >= s.window_end) order by 1`,
    [names, digests],
  );
  if (others.length === 0) return [];
  const list = others.map(({ endpoint }) => endpoint).join(', ');
  return [
    `the path, parameter names, end_date or timezone of ${list} was changed: answers to the earlier question no longer count and are asked again`,
  ];
}
