import type { Effects } from '../effects.ts';
import { AnswerlakeError } from '../errors.ts';
import { ApiError } from './api-error.ts';
import type { Log } from '../log.ts';
import type { WaitBudget } from './pace.ts';
import {
  earnRetry,
  INITIAL_RETRIES,
  mayBeOfPath,
  verdictOf,
  type Attempts,
  type Fault,
  type Verdict,
} from './retry.ts';
import type { Call } from './transport.ts';

const GIVEN_UP_TO_OPEN = 8;
/** A few broken endpoints do not mean that the origin is down. */
const FAMILIES_TO_OPEN = 4;
/** Shorter pauses are part of ordinary retrying and are not charged to `--max-wait`. */
const FREE_PAUSE_MS = 120_000;

const UNAUTHORIZED = 401;
/** Statuses that close a path for a project: a plan may lack several features. 429: the path's own limit. */
const CLOSING: ReadonlySet<number | null> = new Set([UNAUTHORIZED, 402, 403, 429, 501]);

export interface AccessOptions {
  effects: Effects;
  log: Log;
  origin: string;
  /** Path of the key validation; null: each 429 belongs to the key. */
  validatePath: string | null;
}

/** The target of a slice's request. */
export interface AskedAt {
  /** Null for a list without a project. */
  project: string | null;
  path: string;
}

/** Decides whether a request may be sent (again) with this key, based on the server's answers for the origin, the key and single paths. */
export class Access {
  readonly #options: AccessOptions;
  /** Abandoned calls since the last sensible answer, how many of them reached no server, and their endpoints. */
  readonly #unanswered = { calls: 0, unreachable: 0, families: new Set<string>() };
  /** End of the pause that the server requested, milliseconds since the epoch. */
  #silentUntilMs = 0;
  /** Path without ids → end of its own limit, milliseconds since the epoch. */
  readonly #limitedUntilMs = new Map<string, number>();
  #validation: Promise<boolean> | null = null;
  /** Remaining retries; each first attempt earns a fraction of one. */
  #savedRetries = INITIAL_RETRIES;

  /** Why the key is useless for the rest of this run; null while it is not. */
  #blocked: AnswerlakeError | null = null;
  #isTold = false;
  /** Refused paths by project; a path of the whole key has no project. */
  readonly #closed = new Map<string, ApiError>();
  /** Paths that refused the key since the last answer. */
  readonly #unauthorized = new Set<string>();

  constructor(options: AccessOptions) {
    this.#options = options;
  }

  /**
   * Waits until the path may be requested.
   * @throws AnswerlakeError of class `transient` when that is not possible in this run · the signal's reason
   */
  async pass({ path, signal }: Pick<Call, 'path' | 'signal'>, budget: WaitBudget): Promise<void> {
    const { effects } = this.#options;
    this.#requireOpen(path);
    for (let nowMs = effects.now(); nowMs < this.#silentUntilMs; nowMs = effects.now()) {
      const untilMs = this.#silentUntilMs;
      if (untilMs - nowMs > FREE_PAUSE_MS && !budget.book(nowMs, untilMs)) {
        const what = `the server asked us to wait until ${new Date(untilMs).toISOString()}, longer than --max-wait allows;`;
        const todo = 'run again after that, and the sync continues where it stopped';
        throw new AnswerlakeError([what, todo], { class: 'transient', scope: 'key', waitUntilMs: untilMs });
      }
      await effects.sleep(untilMs - nowMs, signal);
    }
    this.#requireOpen(path);
  }

  /** Starts an attempt; only the first one of a call earns a fraction of a retry. */
  began({ attempt }: Attempts): void {
    if (attempt === 1) this.#savedRetries = earnRetry(this.#savedRetries);
  }

  /** The origin gave a sensible answer, which includes 4xx. */
  answered(): void {
    this.#unanswered.calls = 0;
    this.#unanswered.unreachable = 0;
    this.#unanswered.families.clear();
  }

  /** Judges a failed attempt and applies the consequences for the whole key before the next request can pass. */
  failed(
    { path, projectId }: Call,
    progress: Attempts,
    { fault, isOfPath }: { fault: Fault; isOfPath: boolean },
  ): Verdict {
    if (fault.kind === 'unreadable') progress.unreadable += 1;
    const random = this.#options.effects.random();
    const savedRetries = this.#savedRetries;
    const verdict = verdictOf({ ...progress, fault, isOfPath, savedRetries, projectId, random });
    this.#savedRetries = verdict.savedRetries;
    this.#keepSilent(verdict.pauseMs);
    if (verdict.origin === 'up') this.answered();
    if (verdict.origin === 'down' && !verdict.again) this.#gaveUp(path, fault.neverSent === true);
    return verdict;
  }

  /**
   * Whether a 429 belongs to the path alone, which is then limited: no other path is limited, and the key still validates.
   * @param known.validates requests the key validation, a second path; true if it is answered
   */
  async isOfPath(
    call: Call,
    fault: Fault,
    known: Attempts & { isUsedUp: boolean; validates: (path: string) => Promise<boolean> },
  ): Promise<boolean> {
    const { effects, log, validatePath: path } = this.#options;
    if (path === null || !call.withKey || call.path === path || !mayBeOfPath(fault, known)) return false;
    const family = familyOf(call.path);
    const nowMs = effects.now();
    const limited = [...this.#limitedUntilMs].filter(([, untilMs]) => untilMs > nowMs).map(([one]) => one);
    if (limited.includes(family)) return true;
    if (limited.length > 0) {
      // A second limited path shows that the limit is the key's.
      this.#limitedUntilMs.clear();
      return false;
    }
    // Concurrent refusals share one validation.
    this.#validation ??= known.validates(path).finally(() => {
      this.#validation = null;
    });
    const isOwn = await this.#validation;
    if (!isOwn) return false;
    const waitMs = fault.retryAfterMs ?? null;
    this.#limitedUntilMs.set(family, waitMs === null ? Infinity : effects.now() + waitMs);
    log.warn('path.limited', { path: family, waitMs });
    return true;
  }

  /** Whether the key sends no more requests in this run: the slices stay owed, and the next run requests them. */
  get isBlocked(): boolean {
    return this.#blocked !== null;
  }

  /** Why the path is not requested again in this run; null if it is. */
  refusalOf({ project, path }: AskedAt): AnswerlakeError | null {
    if (project === null) return null;
    const error =
      this.#closed.get(keyOf({ project: null, path })) ?? this.#closed.get(keyOf({ project, path }));
    if (error === undefined) return null;
    const what = `not requested, because the server refused the path before: ${error.message}`;
    return new AnswerlakeError(what, { class: error.class, scope: 'slice', cause: error });
  }

  sliceAnswered(project: string | null): void {
    if (project !== null) this.#unauthorized.clear();
  }

  /** Records why a slice failed. True when the key is blocked, so that the slice stays owed. */
  sliceFailed({ project, path }: AskedAt, error: AnswerlakeError): boolean {
    if (isOfWholeKey(error, project === null)) return this.#block(error);
    if (project === null || !(error instanceof ApiError) || !CLOSING.has(error.status)) return false;
    const isOfKey = error.status === UNAUTHORIZED;
    const owner = isOfKey || error.status === 429 ? null : project;
    const key = keyOf({ project: owner, path });
    if (!this.#closed.has(key)) {
      this.#closed.set(key, error);
      this.#options.log.warn('path.blocked', { project: owner, path, error: error.message });
    }
    // A single refused path is at fault itself; a second one without an answer in between means that the key is.
    return isOfKey && this.#unauthorized.add(path).size > 1 && this.#block(error);
  }

  /** Why the key was blocked since the last call; null if it was not. */
  takeProblem(): AnswerlakeError | null {
    if (this.#isTold) return null;
    this.#isTold = this.#blocked !== null;
    return this.#blocked;
  }

  #block(error: AnswerlakeError): true {
    if (this.#blocked !== null) return true;
    this.#blocked = error;
    this.#options.log.warn('account.blocked', { why: error.class, error: error.message });
    return true;
  }

  #requireOpen(path: string): void {
    const { effects, origin } = this.#options;
    const untilMs = this.#limitedUntilMs.get(familyOf(path));
    if (untilMs !== undefined && untilMs > effects.now()) {
      const until = untilMs === Infinity ? 'in this run' : `before ${new Date(untilMs).toISOString()}`;
      throw new AnswerlakeError(`${path}: not requested ${until}, because it alone answered 429`, {
        class: 'transient',
        scope: 'slice',
      });
    }
    if (!this.#isUnavailable()) return;
    const what = `upstream unavailable: ${origin} has not answered for a while, so no more requests are sent;`;
    const todo = 'run again later';
    throw new AnswerlakeError([what, todo], { class: 'transient', scope: 'run' });
  }

  /** True while every call fails at once; ends when a call that was under way is answered. */
  #isUnavailable(): boolean {
    const { calls, unreachable, families } = this.#unanswered;
    return calls >= GIVEN_UP_TO_OPEN && (unreachable === calls || families.size >= FAMILIES_TO_OPEN);
  }

  #gaveUp(path: string, isUnreachable: boolean): void {
    this.#unanswered.calls += 1;
    this.#unanswered.unreachable += isUnreachable ? 1 : 0;
    this.#unanswered.families.add(familyOf(path));
    if (this.#isUnavailable()) this.#options.log.info('circuit.opened', { failures: this.#unanswered.calls });
  }

  #keepSilent(pauseMs: number): void {
    const { effects, log } = this.#options;
    const untilMs = effects.now() + pauseMs;
    if (pauseMs <= 0 || untilMs <= this.#silentUntilMs) return;
    this.#silentUntilMs = untilMs;
    log.info('key.paused', { pauseMs, until: new Date(untilMs).toISOString() });
  }
}

/** The path without its ids: all look-ups share one endpoint. */
function familyOf(path: string): string {
  return path
    .split('/')
    .map((part) => (/\d/.test(part) && !/^v\d$/.test(part) ? '{id}' : part))
    .join('/');
}

/** Whether the whole key is useless for the rest of this run, and not only the path or the slice. */
function isOfWholeKey({ class: kind, scope, waitUntilMs }: AnswerlakeError, isKeyList: boolean): boolean {
  if (kind === 'storage' || kind === 'quota' || waitUntilMs !== null) return true;
  // A failing key list is no evidence about the projects: its path may be closed while others work.
  return !isKeyList && kind === 'transient' && scope !== 'slice';
}

function keyOf({ project, path }: AskedAt): string {
  return JSON.stringify([project, path]);
}
