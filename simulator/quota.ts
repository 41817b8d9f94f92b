import type { QuotaOptions } from './options.ts';
import { Refusal } from './refusal.ts';

const HOUR_MS = 3_600_000;
const DEFAULT_PER_HOUR = 50_000;

/** Counts requests as the service does: per UTC hour and organization. */
export interface Quota {
  /** Counts one authenticated request and returns its headers. @throws Refusal (429) when the hour is used up */
  countOrganization(): Record<string, string>;
  /** Uses up requests of this hour, as another client would. */
  spend(requests: number): void;
}

/** The 429 of an organization that has used up its hour. */
export function hourUsedUp(limit: number, retryAfter: number): Record<string, unknown> {
  const message = `The hourly limit of ${limit} requests is used up.`;
  return { error: 'Too Many Requests', message, retryAfter, limit, remaining: 0 };
}

export function createQuota(options: QuotaOptions, now: () => number): Quota {
  const hourMs = options.hourMs ?? HOUR_MS;
  // Read for each request: a plan can be raised while the server runs.
  const hourlyLimit = (): number => options.perHour ?? DEFAULT_PER_HOUR;
  let hour = -1;
  let used = 0;

  function turnHour(): void {
    const current = Math.floor(now() / hourMs);
    if (current === hour) return;
    hour = current;
    used = options.otherUse ?? 0;
  }

  return {
    countOrganization() {
      turnHour();
      const resetMs = (hour + 1) * hourMs;
      const perHour = hourlyLimit();
      const isUsedUp = used >= perHour;
      if (!isUsedUp) used += 1;
      const headers = {
        'x-ratelimit-limit': String(perHour),
        'x-ratelimit-remaining': String(Math.max(0, perHour - used)),
        'x-ratelimit-reset': String(resetMs / 1000),
      };
      if (!isUsedUp) return headers;
      const retryAfter = Math.max(1, Math.ceil((resetMs - now()) / 1000));
      throw new Refusal(429, hourUsedUp(perHour, retryAfter), {
        ...headers,
        'retry-after': String(retryAfter),
      });
    },
    spend(requests) {
      turnHour();
      used += requests;
    },
  };
}
