import type { Effects } from '../effects.ts';
import { AnswerlakeError } from '../errors.ts';
import type { Log } from '../log.ts';
import { mayBeOfPath, type Fault } from './retry.ts';
import type { Call } from './transport.ts';

const GIVEN_UP_TO_OPEN = 8;
/** One broken endpoint, or a few of them, do not make an origin dead. */
const FAMILIES_TO_OPEN = 4;

/** Stops requests to an origin that no longer answers, until one that was under way does. */
export function openCircuit(log: Log) {
  let streak = 0;
  let unreachable = 0;
  const families = new Set<string>();
  const isOpen = (): boolean =>
    streak >= GIVEN_UP_TO_OPEN && (unreachable === streak || families.size >= FAMILIES_TO_OPEN);
  return {
    /** True while every call fails at once. */
    isOpen,
    /** The origin answered sensibly: also a 4xx. */
    succeeded: (): void => {
      streak = 0;
      unreachable = 0;
      families.clear();
    },
    /** A call was given up; `isUnreachable` when no connection was made. */
    failed: (path: string, isUnreachable: boolean): void => {
      streak += 1;
      unreachable += isUnreachable ? 1 : 0;
      families.add(familyOf(path));
      if (isOpen()) log.info('circuit.opened', { failures: streak });
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
    `upstream unavailable: ${origin} has not answered for a while, so no more requests are sent; run again later`,
    { class: 'transient', scope: 'run' },
  );
}

interface LimitKnown {
  attempt: number;
  isUsedUp: boolean;
  /** Asks the key validation, a second path; true when it is answered. */
  validates: (path: string) => Promise<boolean>;
}

/** The paths of a key that alone answer 429. A second one shows that the limit is the key's. */
export class LimitedPaths {
  readonly #effects: Effects;
  readonly #log: Log;
  /** Path without ids → end of the limit, milliseconds since the epoch. */
  readonly #untilMs = new Map<string, number>();
  readonly #validatePath: string | null;
  #validation: Promise<boolean> | null = null;

  /** @param options.validatePath null: each 429 is the key's */
  constructor(options: { effects: Effects; log: Log; validatePath: string | null }) {
    this.#effects = options.effects;
    this.#log = options.log;
    this.#validatePath = options.validatePath;
  }

  /** @throws AnswerlakeError (transient, of the slice) while the path is limited */
  assertOpen(path: string): void {
    const untilMs = this.#untilMs.get(familyOf(path));
    if (untilMs === undefined || untilMs <= this.#effects.now()) return;
    const until = untilMs === Infinity ? 'in this run' : `before ${new Date(untilMs).toISOString()}`;
    throw new AnswerlakeError(`${path}: not asked ${until}, because it alone answered 429`, {
      class: 'transient',
      scope: 'slice',
    });
  }

  /** Whether a 429 is the path's own, which is then limited: no other path is, and the key still validates. */
  async isOwn(call: Call, fault: Fault, known: LimitKnown): Promise<boolean> {
    const path = this.#validatePath;
    if (path === null || !call.withKey || call.path === path || !mayBeOfPath(fault, known)) return false;
    const family = familyOf(call.path);
    const nowMs = this.#effects.now();
    const limited = [...this.#untilMs].filter(([, untilMs]) => untilMs > nowMs).map(([one]) => one);
    if (limited.includes(family)) return true;
    if (limited.length > 0) {
      this.#untilMs.clear();
      return false;
    }
    // Refusals under way at the same time share one answer.
    this.#validation ??= known.validates(path).finally(() => {
      this.#validation = null;
    });
    const isOwn = await this.#validation;
    if (!isOwn) return false;
    const waitMs = fault.retryAfterMs ?? null;
    this.#untilMs.set(family, waitMs === null ? Infinity : this.#effects.now() + waitMs);
    this.#log.warn('path.limited', { path: family, waitMs });
    return true;
  }
}
