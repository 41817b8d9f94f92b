import type { Effects } from '../effects.ts';
import { AnswerlakeError } from '../errors.ts';
import type { Log } from '../log.ts';

const GIVEN_UP_TO_OPEN = 8;
/** One broken endpoint, or a neighbour of it, is no dead origin. */
const FAMILIES_TO_OPEN = 4;
const OPEN_MS = 30_000;

/** Stops asking an origin that answers nobody. */
export interface Circuit {
  /** True while every call fails at once. */
  isOpen(): boolean;
  /** Asked right before sending; true for one trial when the time to look again has come. */
  allows(): boolean;
  /** The origin answered sensibly: also a 4xx. */
  succeeded(): void;
  /** An attempt failed; `final` when its call was given up, `unreachable` when no connection came about. */
  failed(fault: { path: string; final: boolean; unreachable: boolean }): void;
  /** An attempt that was let through ended without telling anything. */
  withdrew(): void;
}

export function openCircuit(effects: Effects, log: Log): Circuit {
  let streak = 0;
  let unreachable = 0;
  const families = new Set<string>();
  let openUntilMs: number | null = null;
  let trial = false;
  const open = (): void => {
    openUntilMs = effects.now() + OPEN_MS;
    trial = false;
    log.info('circuit.opened', { failures: streak, retryAt: new Date(openUntilMs).toISOString() });
  };
  return {
    isOpen: () => openUntilMs !== null && (trial || effects.now() < openUntilMs),
    allows: () => {
      if (openUntilMs === null) return true;
      if (trial || effects.now() < openUntilMs) return false;
      trial = true;
      return true;
    },
    succeeded: () => {
      if (openUntilMs !== null) log.info('circuit.closed', {});
      streak = 0;
      unreachable = 0;
      families.clear();
      openUntilMs = null;
      trial = false;
    },
    failed: (fault) => {
      if (trial) open();
      if (!fault.final) return;
      streak += 1;
      unreachable += fault.unreachable ? 1 : 0;
      families.add(familyOf(fault.path));
      if (openUntilMs !== null || streak < GIVEN_UP_TO_OPEN) return;
      if (unreachable === streak || families.size >= FAMILIES_TO_OPEN) open();
    },
    withdrew: () => {
      trial = false;
    },
  };
}

/** The path without its ids: look-ups of many things are one endpoint. */
export function familyOf(path: string): string {
  return path
    .split('/')
    .map((part) => (/\d/.test(part) && !/^v\d$/.test(part) ? '{id}' : part))
    .join('/');
}

/** The error of a call that an open circuit keeps back. */
export function unavailable(origin: string): AnswerlakeError {
  return new AnswerlakeError(
    `upstream unavailable: ${origin} has not answered for a while, so no more requests are sent for now; run again later`,
    { class: 'transient', scope: 'run' },
  );
}
