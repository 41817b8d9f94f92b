import type { RequestRecord } from '../../simulator/request-record.ts';

/** How often the request that was sent most often was sent. */
export function mostRepeated(requests: readonly RequestRecord[]): number {
  const counts = new Map<string, number>();
  for (const { apiKey, projectId, path, query } of requests) {
    const name = JSON.stringify([apiKey, projectId, path, query]);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return Math.max(...counts.values());
}

/** What one hour of one organization saw. */
export interface HourOfKey {
  answered: number;
  /** Answered with 429. */
  refused: number;
}

export function hoursOfKeys(requests: readonly RequestRecord[], hourMs: number): HourOfKey[] {
  const hours = new Map<string, HourOfKey>();
  for (const { apiKey, at, status } of requests) {
    const name = `${apiKey ?? ''} ${String(Math.floor(at / hourMs))}`;
    const hour = hours.get(name) ?? { answered: 0, refused: 0 };
    if (status === 429) hour.refused += 1;
    else hour.answered += 1;
    hours.set(name, hour);
  }
  return [...hours.values()];
}
