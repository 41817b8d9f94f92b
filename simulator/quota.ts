import type { QuotaOptions } from './options.ts';
import { Refusal } from './refusal.ts';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const DEFAULT_PER_HOUR = 50_000;

/** Counts requests as the service does: per minute and client, and per UTC hour and organization. */
export interface Quota {
  /** @throws Refusal (429) when the client sent too many requests in this minute */
  countClient(address: string): void;
  /** Counts one authenticated request and returns its headers. @throws Refusal (429) when the hour is used up */
  countOrganization(): Record<string, string>;
  /** Uses up requests of this hour, as another client would. */
  spend(requests: number): void;
}

export function createQuota(options: QuotaOptions, now: () => number): Quota {
  const hourMs = options.hourMs ?? HOUR_MS;
  // Read for each request: a plan can be raised while the server runs.
  const hourlyLimit = (): number => options.perHour ?? DEFAULT_PER_HOUR;
  const minutes = new Map<string, { minute: number; used: number }>();
  let hour = -1;
  let used = 0;

  function turnHour(): void {
    const current = Math.floor(now() / hourMs);
    if (current === hour) return;
    hour = current;
    used = options.otherUse ?? 0;
  }

  return {
    countClient(address) {
      if (options.perMinute === undefined) return;
      const minute = Math.floor(now() / MINUTE_MS);
      const before = minutes.get(address);
      const count = (before?.minute === minute ? before.used : 0) + 1;
      minutes.set(address, { minute, used: count });
      if (count <= options.perMinute) return;
      const retryAfter = Math.ceil(((minute + 1) * MINUTE_MS - now()) / 1000);
      const body = { code: 'RATE_LIMITED', message: 'Too many requests, slow down.', statusCode: 429 };
      throw new Refusal(429, body, { 'retry-after': String(retryAfter) });
    },
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
      const message = `The hourly limit of ${perHour} requests is used up.`;
      const body = { error: 'Too Many Requests', message, retryAfter, limit: perHour, remaining: 0 };
      throw new Refusal(429, body, { ...headers, 'retry-after': String(retryAfter) });
    },
    spend(requests) {
      turnHour();
      used += requests;
    },
  };
}
