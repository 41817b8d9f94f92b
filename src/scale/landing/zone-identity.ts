import { randomUUID } from 'node:crypto';
import { usageError } from '../../errors.ts';
import { ZONE_FILE, type Zone } from './zone.ts';

/** Null: the zone has no id yet. @throws AnswerlakeError storage, configuration */
export async function readZoneId(zone: Zone): Promise<string | null> {
  const known = await zone.read(ZONE_FILE);
  return known === null ? null : idOf(known.toString(), zone);
}

/**
 * Reads the id of the zone, or creates it; only the loader may do that. Writing it shows that the zone is writable.
 * @throws AnswerlakeError storage, configuration
 */
export async function identifyZone(zone: Zone): Promise<string> {
  const id = (await readZoneId(zone)) ?? randomUUID();
  // Written even if it exists, so that a read-only zone is noticed before anything is asked.
  await zone.write(ZONE_FILE, Buffer.from(`${JSON.stringify({ answerlake_landing_zone: id })}\n`));
  return id;
}

function idOf(text: string, zone: Zone): string {
  const [, id] = /"answerlake_landing_zone":\s*"([0-9a-f-]{36})"/.exec(text) ?? [];
  if (id !== undefined) return id;
  throw usageError(
    `${zone.place}/${ZONE_FILE} was not written by answerlake: choose another place for landing.`,
  );
}

/** @throws AnswerlakeError (configuration) when two processes of one queue use two zones */
export function requireSameZone(
  zone: Zone,
  { own, queue }: { own: string | null; queue: string | null },
): void {
  if (queue === null || queue === own) return;
  throw usageError(
    `landing: ${zone.place} is not the landing zone of this queue: workers and loader must share one place. Set landing as the other hosts have it; to move a queue, copy the whole landing zone first, with ${ZONE_FILE}; where the old one is lost, run answerlake queue init --new-landing.`,
  );
}
