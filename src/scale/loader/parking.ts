import type { Effects } from '../../effects.ts';
import type { Log } from '../../log.ts';
import type { RoundEnd, RoundProblem } from '../queue/round.ts';

/** Rounds that bring nothing, before an organization is given up for this run. */
export const MOST_IDLE_ROUNDS = 3;
/** The hour, or the silence that the server asked for, is over on every clock. */
const AFTER_RESET_MS = 1_000;

/** How long a problem lasts that time alone solves, never negative; null for any other. @param now as for `msToReset` */
export function msToWait(
  { class: problemClass, waitUntilMs }: RoundProblem,
  end: Pick<RoundEnd, 'quotas' | 'at'>,
  now: number,
): number | null {
  if (waitUntilMs !== null) return Math.max(0, waitUntilMs + AFTER_RESET_MS - (end.at ?? now));
  return problemClass === 'quota' ? msToReset(end, now) : null;
}

/** How long it is until the hours that a worker told are over, never negative; null when it told none. @param now for a worker that does not tell its clock */
function msToReset({ quotas, at }: Pick<RoundEnd, 'quotas' | 'at'>, now: number): number | null {
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
