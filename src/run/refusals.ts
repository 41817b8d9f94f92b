import { AnswerlakeError } from '../errors.ts';
import { describeSlice, seriesKey, sliceGrain, type Slice } from '../slice.ts';
import { ApiError } from '../extract/api-error.ts';
import type { Log } from '../log.ts';
import type { Problem } from './outcome.ts';
import { RangeLimits } from '../extract/range-limits.ts';

/** Refused requests of one series, after which a run asks no more of it. */
const MAX_REFUSED = 3;

/** The refused requests of one series in a run. */
interface Series {
  refused: number;
  /** What the server said last; null while nothing was refused. */
  error: ApiError | null;
}

/** Keeps an API that refuses a series (a wrong parameter, an expired trial) or a range from being asked for each window. */
export class Refusals {
  readonly #series = new Map<string, Series>();
  /** Account and endpoint → project and filter value → limits. */
  readonly #limits = new Map<string, Map<string, RangeLimits>>();

  /** What others have shown of a slice. */
  of(slice: Slice, account: string) {
    const series = this.#series.get(seriesOf(slice)) ?? { refused: 0, error: null };
    return {
      range: this.#limitsOf(slice, account),
      /** Why the series is not asked again in this run; null when it is. */
      refused: series.refused < MAX_REFUSED ? null : series.error,
      /** Notes that the server refused a request. */
      add: (error: ApiError): void => {
        this.#series.set(seriesOf(slice), { refused: series.refused + 1, error });
      },
    };
  }

  #limitsOf(slice: Slice, account: string): RangeLimits {
    const endpoint = keyOf(account, slice.endpoint);
    const known = this.#limits.get(endpoint) ?? new Map<string, RangeLimits>();
    this.#limits.set(endpoint, known);
    const limitsOf = (key: string, ofProject: RangeLimits | null): RangeLimits => {
      const [sibling] = known.values();
      const limits = known.get(key) ?? new RangeLimits(sibling, ofProject);
      known.set(key, limits);
      return limits;
    };
    const { projectId, scope, scopeId } = slice;
    const ofProject = limitsOf(keyOf(projectId), null);
    return scope === 'project' ? ofProject : limitsOf(keyOf(projectId, scope, scopeId), ofProject);
  }
}

/** Slices of one series are asked one after the other: what one shows is known before the next. */
export function seriesOf(slice: Slice): string {
  const key = seriesKey({ ...slice, grain: sliceGrain(slice) });
  return slice.kind === 'window' ? `${key} ${slice.windowKind}` : key;
}

/** @param why what the server refused @param cause how it refused that */
export function notAsked(slice: Slice, why: string, cause?: ApiError): AnswerlakeError {
  return new AnswerlakeError(`${describeSlice(slice)}: not asked, because the server ${why}`, {
    class: 'contract',
    scope: 'slice',
    cause,
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
      cause: error,
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
