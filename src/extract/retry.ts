import type { ErrorClass, ErrorScope } from '../errors.ts';
import { SOON_MS, statusClass } from './headers.ts';

/** First ceiling of the full jitter, its growth and its cap (AWS builders' library, "Timeouts, retries and backoff with jitter"). */
const BASE_MS = 500;
const FACTOR = 2;
const CAP_MS = 30_000;
/** An unreadable answer is more often a bug than an accident. */
const MAX_UNREADABLE_RETRIES = 2;
/** The limit per address counts minutes. */
const MINUTE_LIMIT_PAUSE_MS = 60_000;
/** Consecutive short limits, each after the wait that the server named, that suggest a limit of the path itself. */
const MAX_SHORT_LIMITS = 3;

/** Retries that a run may make before it has earned any. */
export const INITIAL_RETRIES = 30;
/** Maximum number of saved retries. */
const MAX_SAVED_RETRIES = 60;
/** Share of the requests that may be retries. 10 % random errors need 11.1 %, so they never meet it. */
const RETRIES_PER_REQUEST = 0.13;

/** Why an attempt had no usable answer. */
export type FaultKind =
  /** The connection failed or broke. */
  | 'connection'
  /** A certificate was refused or a proxy refuses: nothing was sent, and nothing will be until someone corrects it. */
  | 'setup'
  /** The deadline of one attempt passed. */
  | 'timeout'
  /** 408, 425, 5xx except 501. */
  | 'server'
  /** 429 of the short window per address. */
  | 'minute_limit'
  /** 429 of the organization's hourly quota. */
  | 'hourly_limit'
  /** An unreadable answer: broken, cut off, empty, too large, or with a 2xx status other than 200. */
  | 'unreadable'
  /** 3xx: never followed, and a repetition changes nothing. */
  | 'redirect'
  /** 4xx, 501: a repetition changes nothing. */
  | 'refused';

/** An attempt without a usable answer. */
export interface Fault {
  kind: FaultKind;
  /** What happened, without the place. */
  message: string;
  status?: number;
  code?: string | null;
  serverMessage?: string | null;
  /** The body's `details`: which parameter was wrong, and how. */
  details?: string | null;
  /** The wait that the server requested, in milliseconds. */
  retryAfterMs?: number | null;
  /** True if the body is not the API's own JSON: a gateway's answer is no evidence about the key. */
  isForeign?: boolean;
  /** True if the request cannot have reached the server. */
  neverSent?: boolean;
  /** What to correct if the connection cannot be made otherwise. */
  advice?: string;
  cause?: unknown;
}

/** The kind of a bad answer by its status, except 429. */
export function kindOfStatus(status: number): FaultKind {
  if (statusClass(status) === 2) return 'unreadable';
  // 501: the plan or version of the server lacks it.
  return status === 408 || status === 425 || (statusClass(status) >= 5 && status !== 501)
    ? 'server'
    : 'refused';
}

/** Whether a 429 may belong to the path alone: the quota is not known to be used up, and the pause is long or follows another short one. */
export function mayBeOfPath(
  { kind, retryAfterMs }: Fault,
  { attempt, attempts, isUsedUp }: Attempts & { isUsedUp: boolean },
): boolean {
  if (kind === 'hourly_limit') return !isUsedUp;
  const isLast = attempt >= Math.min(MAX_SHORT_LIMITS, attempts);
  return kind === 'minute_limit' && ((retryAfterMs ?? 0) > SOON_MS || isLast);
}

/** Saved retries after a first attempt: they keep a failing server from consuming the quota. */
export function earnRetry(saved: number): number {
  return Math.min(MAX_SAVED_RETRIES, saved + RETRIES_PER_REQUEST);
}

/** The attempts of one call. */
export interface Attempts {
  /** So far, 1 or more. */
  attempt: number;
  /** Unreadable answers so far, including the last one. */
  unreadable: number;
  /** Allowed in total. */
  attempts: number;
}

interface RetryQuestion extends Attempts {
  fault: Fault;
  /** Retries that the client has saved. */
  savedRetries: number;
  /** Set if the request concerned one project. */
  projectId?: string | undefined;
  /** Uniform in [0, 1). */
  random: number;
  /** True if a 429 belongs to the path alone: the key still validates. */
  isOfPath?: boolean;
}

/** The consequences of a failed attempt. */
export type Verdict = ReturnType<typeof verdictOf>;

export interface Consequence {
  class: ErrorClass;
  scope: ErrorScope;
  /** The remedy. */
  advice?: string;
  /** A fact for the reader if there is no remedy. */
  fact?: string;
}

interface Rule extends Consequence {
  /** `asked`: the server names the time, so the retry has no delay of its own and costs nothing. */
  again: 'asked' | 'saved' | 'never';
  /** Whether the server works, judging by the fault. */
  origin: 'up' | 'down' | 'unknown';
}

const BROKEN: Rule = { again: 'saved', origin: 'down', class: 'transient', scope: 'slice' };
const LATER: Rule = { ...BROKEN, advice: 'run again later' };
const FINAL: Rule = { again: 'never', origin: 'unknown', class: 'contract', scope: 'slice' };
const LIMITED: Rule = { again: 'asked', origin: 'up', class: 'transient', scope: 'key' };
const RULES: Readonly<Record<FaultKind, Rule>> = {
  connection: { ...BROKEN, advice: 'correct api.base_url if it is wrong, or run again later' },
  setup: { ...BROKEN, again: 'never', scope: 'key' },
  timeout: LATER,
  server: LATER,
  minute_limit: { ...LIMITED, advice: 'lower api.requests_per_minute' },
  // The quota holds the next attempt back until the hour is over.
  hourly_limit: { ...LIMITED, class: 'quota', advice: 'run again after the hour' },
  unreadable: { ...FINAL, again: 'saved' },
  redirect: FINAL,
  refused: { ...FINAL, origin: 'up' },
};
/** If only one path is limited, it waits while the rest of the key continues. */
const OF_PATH: Rule = {
  ...LIMITED,
  again: 'never',
  scope: 'slice',
  fact: 'the key still validates, so only this path waits',
};

/** Decides on a retry after one failed attempt: by fault and status, attempts, and saved retries. */
export function verdictOf(question: RetryQuestion) {
  const { fault, savedRetries, isOfPath = false } = question;
  const rule = isOfPath ? OF_PATH : RULES[fault.kind];
  const asked = fault.retryAfterMs ?? null;
  const isWanted =
    rule.again !== 'never' &&
    question.attempt < question.attempts &&
    (fault.kind !== 'unreadable' || question.unreadable <= MAX_UNREADABLE_RETRIES);
  const isCharged = isWanted && rule.again === 'saved';
  const again = isWanted && (!isCharged || savedRetries >= 1);
  /** The error if the request is abandoned. */
  const consequence: Consequence = { ...rule, ...(isOfPath ? {} : consequenceOf(question)) };
  return {
    again,
    /** Delay before the next attempt, milliseconds, in addition to the pause of the whole key. */
    delayMs: isCharged && asked === null ? jitterMs(question.attempt, question.random) : 0,
    /** Pause of the whole key, milliseconds. */
    pauseMs: isOfPath ? 0 : pauseOf(fault.kind, asked),
    /** The remaining saved retries; a retry that the server requested costs none. */
    savedRetries: isCharged && again ? savedRetries - 1 : savedRetries,
    origin: rule.origin,
    isOverloaded: !isOfPath && isOverload(fault),
    consequence,
  };
}

/** Full jitter: between zero and the ceiling of this attempt, milliseconds. */
export function jitterMs(attempt: number, random: number): number {
  return Math.round(random * Math.min(CAP_MS, BASE_MS * FACTOR ** (attempt - 1)));
}

function pauseOf(kind: FaultKind, asked: number | null): number {
  if (kind === 'hourly_limit' || kind === 'redirect' || kind === 'refused') return 0;
  return asked ?? (kind === 'minute_limit' ? MINUTE_LIMIT_PAUSE_MS : 0);
}

function isOverload({ kind, status }: Fault): boolean {
  return kind === 'timeout' || kind === 'minute_limit' || kind === 'hourly_limit' || status === 503;
}

/** How the consequence of a fault differs from that of its kind. */
function consequenceOf({ fault, projectId }: RetryQuestion): Partial<Consequence> {
  const { kind, message, status = 0 } = fault;
  if (fault.advice !== undefined) return { advice: fault.advice };
  // On this machine, usually the simulator has ended.
  const [, port] = /ECONNREFUSED (?:127(?:\.\d+){3}|::1):(\d+)$/.exec(message) ?? [];
  if (kind === 'connection' && port !== undefined) {
    const advice = `no server listens there: the simulator (a demo's too) ends with its command: start it again with answerlake simulate --port ${port}, or correct api.base_url`;
    return { advice };
  }
  // 202 and other 2xx: the answer may be ready later.
  if (kind === 'unreadable' && status !== 200 && statusClass(status) === 2) return { class: 'transient' };
  if (kind !== 'refused') return {};
  if (fault.isForeign === true) {
    const fact =
      'this answer is not from the API but from a gateway in front of it, so it is no evidence about the key';
    return { class: 'transient', fact };
  }
  if (status === 401) return { class: 'auth', scope: 'key', fact: 'the key is missing, wrong or revoked' };
  if (status === 403) {
    const scope = projectId === undefined ? 'key' : 'project';
    return { class: 'auth', scope, fact: 'the key has no access to this' };
  }
  return status === 402 ? { fact: 'the plan does not have it' } : {};
}
