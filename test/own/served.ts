import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig } from '../../src/config/file.ts';
import type { SyncContext } from '../../src/run/sync-request.ts';
import { addDays, toDay } from '../../src/day.ts';
import { openRig, SMALL, type Rig, type RigOptions } from '../flow/rig.ts';

export type ServedRow = Readonly<Record<string, unknown>>;

/** Serves rows at a path of its own, as a list paged by number, within the days that are asked for. */
export function serve(
  rig: Rig,
  path: string,
  { rows, date = 'createdAt', size = 2 }: { rows: () => readonly ServedRow[]; date?: string; size?: number },
): void {
  rig.answer(path, ({ query, projectId }) => {
    const asked = new Map(query);
    const from = asked.get('from') ?? asked.get('startDate');
    const until = asked.get('until') ?? asked.get('endDate');
    const isAsked = (row: ServedRow): boolean => {
      const at = String(row[date]);
      const end = until?.length === 10 ? `${until}T23:59:59.999Z` : until;
      return (from === undefined || at >= from) && (end === undefined || at <= end);
    };
    const own = rows().filter((row) => isAsked(row) && (row['project'] ?? projectId) === projectId);
    if (!asked.has('page')) return { status: 200, body: own };
    const page = Number(asked.get('page'));
    const items = own.slice((page - 1) * size, page * size);
    const body = { items, total: own.length, page, size, totalPages: Math.ceil(own.length / size) };
    return { status: 200, body };
  });
}

/** The days from the first to the last, as a query names them. */
export function daysOf(start = '', end = ''): string[] {
  const all = [];
  for (let day = toDay(start); day <= end; day = addDays(day, 1)) all.push(day);
  return all;
}

/** A world with endpoints of one's own. */
export async function openOwn(own: Readonly<Record<string, string>>, options: Partial<RigOptions> = {}) {
  return await openRig({ ...SMALL, own, ...options });
}

/** What a run has once the file of an endpoint has another text; null removes the file. */
export function withFile(rig: Rig, name: string, text: string | null): SyncContext {
  const path = join(rig.folder, 'endpoints', `${name}.yaml`);
  if (text === null) rmSync(path);
  else writeFileSync(path, text);
  const config = loadConfig({ path: rig.config.path, env: { ACME_API_KEY: 'small-organization-key' } });
  return { ...rig.context, config };
}
