import { EventEmitter, once } from 'node:events';
import { AnswerlakeError } from '../errors.ts';
import { describeSlice, seriesKey, sliceGrain, type Slice } from '../slice.ts';
import { ApiError } from '../extract/api-error.ts';
import type { Log } from '../log.ts';
import type { Problem } from './outcome.ts';
import { RangeLimits } from '../extract/range-limits.ts';
import type { PlannedSlice } from '../plan/plan.ts';

/** Refused requests of one series, after which a run asks no more of it. */
const MAX_REFUSED = 3;

/** What became of a request. */
export type Verdict = { kind: 'answered' } | { kind: 'refused'; message: string } | { kind: 'other' };

/** The requests of one series in a run. */
interface Series {
  refused: number;
  answered: number;
  /** Requests under way: each of them may be refused. */
  inFlight: number;
  /** What the server said last. */
  message: string;
}

/** The limits of one endpoint for one account, and how many requests try them out. */
interface Limits {
  range: RangeLimits;
  untried: number;
}

/** Keeps an API that refuses a series (a wrong parameter, an expired trial) or a range from being asked for each window. */
export class Refusals {
  readonly #series = new Map<string, Series>();
  readonly #limits = new Map<string, Limits>();
  /** Emits when a request is over. */
  readonly #requests = new EventEmitter().setMaxListeners(0);

  /** Resolves when the next request is over. */
  async nextEnd(): Promise<void> {
    await once(this.#requests, 'over');
  }

  /** What others have shown of a slice. */
  of({ slice, asked }: PlannedSlice, account: string) {
    const series = this.#seriesOf(slice);
    const limits = this.#limitsOf(slice, account);
    const isUntried = (): boolean => asked !== null && limits.range.isUntried(asked);
    return {
      range: limits.range,
      /** True while enough requests under way may be refused like this one. */
      isHeldBack: (): boolean =>
        isHeldBack(series) || (isUntried() && limits.untried >= limits.range.mostUntried),
      /** Why the series is not asked again in this run; null when it is. */
      refused: (): string | null => (series.refused < MAX_REFUSED ? null : series.message),
      /** Begins a request; call what it returns when the request is over. */
      begin: (): ((verdict: Verdict) => void) => {
        const untried = isUntried() ? 1 : 0;
        limits.untried += untried;
        series.inFlight += 1;
        return (verdict) => {
          limits.untried -= untried;
          series.inFlight -= 1;
          if (verdict.kind === 'answered') series.answered += 1;
          if (verdict.kind === 'refused') {
            series.refused += 1;
            series.message = verdict.message;
          }
          this.#requests.emit('over');
        };
      },
    };
  }

  #seriesOf(slice: Slice): Series {
    const grain = sliceGrain(slice);
    const key = `${seriesKey({ ...slice, grain })} ${slice.kind === 'window' ? slice.windowKind : ''}`;
    const series = this.#series.get(key) ?? { refused: 0, answered: 0, inFlight: 0, message: '' };
    this.#series.set(key, series);
    return series;
  }

  #limitsOf({ endpoint }: Slice, account: string): Limits {
    const key = JSON.stringify([endpoint, account]);
    const limits = this.#limits.get(key) ?? { range: new RangeLimits(), untried: 0 };
    this.#limits.set(key, limits);
    return limits;
  }
}

/** Old windows may be refused where new ones were answered: twice as many at a time as were answered, and after a refusal only as many as may still be refused. */
function isHeldBack({ refused, answered, inFlight }: Series): boolean {
  const max = refused > 0 ? MAX_REFUSED - refused : Math.max(MAX_REFUSED, 2 * answered);
  return refused < MAX_REFUSED && inFlight >= max;
}

/** @param why what the server refused */
export function notAsked(slice: Slice, why: string): AnswerlakeError {
  return new AnswerlakeError(`${describeSlice(slice)}: not asked, because the server ${why}`, {
    class: 'contract',
    scope: 'slice',
  });
}

const UNAUTHORIZED = 401;
const PAYMENT_REQUIRED = 402;
/** These refuse a path for everything that is asked there. */
const CLOSING: ReadonlySet<number | null> = new Set([UNAUTHORIZED, PAYMENT_REQUIRED, 403]);
/** One refused path is its own; a second one without an answer in between is the key's or the project's. */
const MAX_PATHS = 2;

/** Where a slice is asked for. */
export interface AskedAt {
  account: string;
  /** Null for a list that belongs to no project. */
  project: string | null;
  path: string;
}

/** What a run asks no more of; its remaining slices stay owed, and the next run asks for them. */
export class GivenUp {
  readonly #log: Log;
  readonly #accounts = new Set<string>();
  readonly #projects = new Set<string>();
  readonly #closed = new Map<string, ApiError>();
  /** Paths that were refused since the last answer, by account and by project. */
  readonly #refused = new Map<string, Set<string>>();
  #problems: Problem[] = [];

  constructor(log: Log) {
    this.#log = log;
  }

  has({ account, project }: Omit<AskedAt, 'path'>): boolean {
    return this.#accounts.has(account) || this.#projects.has(keyOf(account, project));
  }

  /** Why the path is not asked again in this run; null when it is. */
  closed({ account, project, path }: AskedAt): AnswerlakeError | null {
    if (project === null) return null;
    const error =
      this.#closed.get(keyOf(account, null, path)) ?? this.#closed.get(keyOf(account, project, path));
    if (error === undefined) return null;
    return new AnswerlakeError(`not asked, because the server refused the path before: ${error.message}`, {
      class: error.class,
      scope: 'slice',
    });
  }

  answered({ account, project }: AskedAt): void {
    if (project === null) return;
    this.#refused.delete(keyOf(account, null));
    this.#refused.delete(keyOf(account, project));
  }

  /** Why accounts were given up since the last call. */
  takeProblems(): Problem[] {
    const problems = this.#problems;
    this.#problems = [];
    return problems;
  }

  /** Records why a slice failed. True when its account is given up, so that the slice stays owed. */
  failed(at: AskedAt, error: AnswerlakeError): boolean {
    const why = reasonToBlock(error, at.project === null);
    if (why !== null) return this.#giveUpAccount(at.account, { why, error });
    if (at.project === null || !(error instanceof ApiError) || !CLOSING.has(error.status)) return false;
    const isOfKey = error.status === UNAUTHORIZED;
    const project = isOfKey ? null : at.project;
    this.#close({ ...at, project }, error);
    const refused = this.#refused.get(keyOf(at.account, project)) ?? new Set();
    this.#refused.set(keyOf(at.account, project), refused.add(at.path));
    if (refused.size < MAX_PATHS) return false;
    if (isOfKey) return this.#giveUpAccount(at.account, { why: 'auth', error });
    // Features that a plan lacks answer 403 one by one.
    if (error.status === PAYMENT_REQUIRED) this.#giveUpProject(at, error);
    return false;
  }

  #close({ account, project, path }: AskedAt, error: ApiError): void {
    const key = keyOf(account, project, path);
    if (this.#closed.has(key)) return;
    this.#closed.set(key, error);
    this.#log.warn('path.blocked', { account, project, path, error: error.message });
  }

  #giveUpAccount(account: string, { why, error }: { why: string; error: AnswerlakeError }): true {
    if (this.#accounts.has(account)) return true;
    this.#accounts.add(account);
    this.#problems.push({ error, account });
    this.#log.warn('account.blocked', { account, why, error: error.message });
    return true;
  }

  #giveUpProject({ account, project }: AskedAt, error: AnswerlakeError): void {
    if (this.has({ account, project })) return;
    this.#projects.add(keyOf(account, project));
    this.#log.warn('project.blocked', { account, project, error: error.message });
  }
}

/** Why the whole key is of no more use in this run; null when only the path or the slice failed. */
function reasonToBlock(
  error: AnswerlakeError,
  isKeyList: boolean,
): 'quota' | 'unavailable' | 'exhausted' | null {
  if (error.class === 'storage') return 'exhausted';
  if (error.class === 'quota') return 'quota';
  if (error.waitUntilMs !== null) return 'unavailable';
  // A key list that fails proves nothing about the projects: its path may be closed while others work.
  if (isKeyList) return null;
  return error.class === 'transient' && error.scope !== 'slice' ? 'unavailable' : null;
}

function keyOf(...parts: (string | null)[]): string {
  return JSON.stringify(parts);
}
