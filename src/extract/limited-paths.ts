import type { Effects } from '../effects.ts';
import { AnswerlakeError } from '../errors.ts';
import type { Log } from '../log.ts';
import { familyOf } from './circuit.ts';
import type { Fault } from './fault.ts';
import { SOON_MS } from './headers.ts';
import type { Call } from './wire-request.ts';

/** A path that is refused so often, each time after the wait that the server named, is asked no more. */
const MAX_SHORT_LIMITS = 3;

/** The key validation, a second path; true when it is answered. */
export interface Validates {
  path: string;
  ask: (signal: AbortSignal | undefined) => Promise<boolean>;
}

/** The paths of a key that alone answer 429. A second one shows that the limit is the key's. */
export class LimitedPaths {
  readonly #effects: Effects;
  readonly #log: Log;
  /** Path without ids → end of the limit, milliseconds since the epoch. */
  readonly #untilMs = new Map<string, number>();
  readonly #validates: Validates | null;
  #validation: Promise<boolean> | null = null;

  /** @param options.validates null: each 429 is the key's */
  constructor({ effects, log, validates }: { effects: Effects; log: Log; validates: Validates | null }) {
    this.#effects = effects;
    this.#log = log;
    this.#validates = validates;
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
  async isOwn(call: Call, fault: Fault, known: { attempt: number; isUsedUp: boolean }): Promise<boolean> {
    const validates = this.#validates;
    if (validates === null || !call.withKey || call.path === validates.path || !mayBeOfPath(fault, known))
      return false;
    const family = familyOf(call.path);
    const limited = this.#limited();
    if (limited.includes(family)) return true;
    if (limited.length > 0) {
      this.#untilMs.clear();
      return false;
    }
    // Refusals under way at the same time share one answer.
    this.#validation ??= validates.ask(call.signal).finally(() => {
      this.#validation = null;
    });
    const isOwn = await this.#validation;
    if (isOwn) this.#limit(family, fault.retryAfterMs ?? null);
    return isOwn;
  }

  #limit(family: string, waitMs: number | null): void {
    this.#untilMs.set(family, waitMs === null ? Infinity : this.#effects.now() + waitMs);
    this.#log.warn('path.limited', { path: family, waitMs });
  }

  #limited(): string[] {
    const nowMs = this.#effects.now();
    return [...this.#untilMs].filter(([, untilMs]) => untilMs > nowMs).map(([family]) => family);
  }
}

/** An hour that is not known to be used up, a long pause, or one pause after another. */
function mayBeOfPath(
  { kind, retryAfterMs }: Fault,
  { attempt, isUsedUp }: { attempt: number; isUsedUp: boolean },
): boolean {
  if (kind === 'hourly_limit') return !isUsedUp;
  return kind === 'minute_limit' && ((retryAfterMs ?? 0) > SOON_MS || attempt >= MAX_SHORT_LIMITS);
}
