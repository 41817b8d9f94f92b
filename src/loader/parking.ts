import type { Effects } from '../effects.ts';
import type { Log } from '../log.ts';
import type { RoundEnd } from '../queue/round.ts';

/** Rounds that bring nothing, before an organization is given up for this run. */
export const MOST_IDLE_ROUNDS = 3;
/** The hour is over on every clock. */
const AFTER_RESET_MS = 1_000;

/** How long it is until the hours that a worker told are over, never negative; null when it told none. @param now for a worker that does not tell its clock */
export function msToReset({ quotas, at }: Pick<RoundEnd, 'quotas' | 'at'>, now: number): number | null {
  if (quotas.length === 0) return null;
  const resetAt = Math.max(...quotas.map(([, quota]) => quota.resetAt));
  return Math.max(0, resetAt + AFTER_RESET_MS - (at ?? now));
}

export function logParked(
  { log, effects }: { log: Log; effects: Pick<Effects, 'now'> },
  { organization, afterMs }: { organization: string; afterMs: number },
): void {
  log.info('organization.parked', {
    organization,
    until: new Date(effects.now() + afterMs).toISOString(),
  });
}
