import { z } from 'zod';
import type { Connection } from '../warehouse/connection.ts';

const zoneRow = z.object({ endpoint: z.string(), timezone: z.string() });

/** An endpoint whose stored days were cut in another zone. */
export type OtherZone = z.output<typeof zoneRow>;

/** Answers whose days are cut in another zone hold other days: they no longer count, so that no table mixes two zones. */
export async function forgetOtherZones(connection: Connection, timezone: string): Promise<OtherZone[]> {
  const found = await connection.rowsAs(
    zoneRow,
    'select distinct endpoint, timezone from meta.slices where timezone <> $1 order by all',
    [timezone],
  );
  if (found.length > 0) await connection.run('delete from meta.slices where timezone <> $1', [timezone]);
  return found;
}

/** What a changed zone means, for people. */
export function otherZonesText(found: readonly OtherZone[], timezone: string): string {
  const endpoints = [...new Set(found.map(({ endpoint }) => endpoint))].join(', ');
  const zones = [...new Set(found.map((row) => row.timezone))].join(', ');
  return `sync.timezone is ${timezone}, and the stored days of ${endpoints} are cut in ${zones}: all of them are asked again`;
}
