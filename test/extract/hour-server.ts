import type { Effects } from '../../src/effects.ts';
import { json, openScriptedServer, type ScriptedServer } from '../support/scripted-server.ts';
import { toldHour } from './rig.ts';

const HOUR_MS = 3_600_000;

export interface HourServer extends ScriptedServer {
  /** Hour (epoch hours) → requests that were refused with 429. */
  readonly refused: Map<number, number>;
  /** Hour → requests that were answered. */
  readonly answered: Map<number, number>;
}

/** A server that counts the requests of each UTC hour, ours and other people's. */
export async function openHourServer(options: {
  effects: Effects;
  limit: number;
  /** Whether good answers carry the headers. */
  headers: boolean;
  /** Requests that other people send before our n-th one. */
  others?: (number: number) => number;
  /** What one request takes on the virtual clock. */
  tick?: () => void;
}): Promise<HourServer> {
  const { effects, limit } = options;
  const used = new Map<number, number>();
  const refused = new Map<number, number>();
  const answered = new Map<number, number>();
  const add = (counts: Map<number, number>, hour: number, by = 1): number => {
    const next = (counts.get(hour) ?? 0) + by;
    counts.set(hour, next);
    return next;
  };
  const server = await openScriptedServer((number) => {
    options.tick?.();
    const nowMs = effects.now();
    const hour = Math.floor(nowMs / HOUR_MS);
    const resetMs = (hour + 1) * HOUR_MS;
    const before = add(used, hour, options.others?.(number) ?? 0);
    const retryAfter = Math.ceil((resetMs - nowMs) / 1000);
    if (before >= limit) {
      add(refused, hour);
      const body = { error: 'Too Many Requests', message: 'quota', retryAfter, limit, remaining: 0 };
      return json(body, 429, { 'retry-after': String(retryAfter) });
    }
    add(answered, hour);
    const remaining = limit - add(used, hour);
    return json({ number }, 200, options.headers ? toldHour(limit, remaining, resetMs) : {});
  });
  return Object.assign(server, { refused, answered });
}
