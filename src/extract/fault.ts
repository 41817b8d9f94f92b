import { AnswerlakeError, codeOf, messageOf, type ErrorClass, type ErrorScope } from '../errors.ts';

/** First ceiling of the full jitter, its growth and its cap (AWS builders' library, "Timeouts, retries and backoff with jitter"). */
const BASE_MS = 500;
const FACTOR = 2;
const CAP_MS = 30_000;
/** An unreadable answer is asked for again at most twice: it is more often a bug than an accident. */
const UNREADABLE_RETRIES = 2;
/** The limit per address counts minutes. */
const MINUTE_LIMIT_PAUSE_MS = 60_000;

/** Why one attempt gave no usable answer; decides whether it is tried again. */
export type FaultKind =
  /** No connection, or it broke. */
  | 'connection'
  /** The deadline of one attempt passed. */
  | 'timeout'
  /** 408, 425, 5xx. */
  | 'server'
  /** 429 of the short window per address. */
  | 'minute_limit'
  /** 429 of the organization's hour. */
  | 'hourly_limit'
  /** An answer that cannot be read: broken, cut, empty, too large, or of another status than 200. */
  | 'unreadable'
  /** 3xx: it is never followed, and asking again changes nothing. */
  | 'redirect'
  /** 4xx: asking again changes nothing. */
  | 'refused';

/** One attempt that gave no usable answer. */
export interface Fault {
  kind: FaultKind;
  /** What happened, without where. */
  message: string;
  status?: number;
  code?: string | null;
  serverMessage?: string | null;
  /** The body's `details`: which parameter was wrong, and how. */
  details?: string | null;
  /** What the server asked us to wait, milliseconds. */
  retryAfterMs?: number | null;
  /** True when the request cannot have reached the server. */
  neverSent?: boolean;
  cause?: unknown;
}

const ONLY_THIS_PATH = 'the key still validates, so only this path waits';

export interface VerdictQuestion {
  fault: Fault;
  /** Attempts made so far, 1 or more. */
  attempt: number;
  /** Unreadable answers so far, this one included. */
  unreadable: number;
  /** Attempts allowed in all. */
  attempts: number;
  /** Set when the request was about one project. */
  projectId?: string | undefined;
  /** Uniform in [0, 1). */
  random: number;
  /** True when a 429 is the path's own: the key still validates. */
  isOfPath?: boolean;
}

/** Everything that follows from one fault. */
export interface Verdict {
  again: boolean;
  /** Our own delay before the next attempt, milliseconds; the pause of the whole key comes on top. */
  delayMs: number;
  /** Whether the repeat is charged to the retry budget; one that the server asked for is not. */
  isCharged: boolean;
  /** How long the whole key stays silent, milliseconds. */
  pauseMs: number;
  /** What the fault teaches about the server. */
  learned: { origin: 'up' | 'down' | 'unknown'; isOverloaded: boolean };
  /** What the caller is told when the request is given up. */
  consequence: { class: ErrorClass; scope: ErrorScope; advice: string };
}

/** What follows from a fault: whether to try again, when, what was learned and what it means if not. */
export function verdictOf(question: VerdictQuestion): Verdict {
  const { fault } = question;
  if (question.isOfPath === true) {
    return {
      ...repeat(false, { delayMs: 0, isCharged: false }),
      pauseMs: 0,
      learned: { origin: 'up', isOverloaded: false },
      consequence: { class: 'transient', scope: 'slice', advice: ONLY_THIS_PATH },
    };
  }
  const hasAttempts = question.attempt < question.attempts;
  const asked = fault.retryAfterMs ?? null;
  const delayMs = asked === null ? jitterMs(question.attempt, question.random) : 0;
  switch (fault.kind) {
    case 'connection':
    case 'timeout':
    case 'server':
      return {
        ...repeat(hasAttempts, { delayMs, isCharged: true }),
        pauseMs: asked ?? 0,
        learned: { origin: 'down', isOverloaded: fault.kind === 'timeout' || fault.status === 503 },
        consequence: { class: 'transient', scope: 'slice', advice: adviceOf(fault) },
      };
    case 'minute_limit':
      return {
        ...repeat(hasAttempts, { delayMs: 0, isCharged: false }),
        pauseMs: asked ?? MINUTE_LIMIT_PAUSE_MS,
        learned: { origin: 'up', isOverloaded: true },
        consequence: { class: 'transient', scope: 'key', advice: 'lower api.requests_per_minute' },
      };
    case 'hourly_limit':
      // The quota holds the next attempt back until the hour is over.
      return {
        ...repeat(hasAttempts, { delayMs: 0, isCharged: false }),
        pauseMs: 0,
        learned: { origin: 'up', isOverloaded: true },
        consequence: { class: 'quota', scope: 'key', advice: 'run again after the hour' },
      };
    case 'unreadable':
      return {
        ...repeat(hasAttempts && question.unreadable <= UNREADABLE_RETRIES, { delayMs, isCharged: true }),
        pauseMs: asked ?? 0,
        learned: { origin: 'unknown', isOverloaded: false },
        consequence: { class: isOtherSuccess(fault) ? 'transient' : 'contract', scope: 'slice', advice: '' },
      };
    case 'redirect':
      return {
        ...repeat(false, { delayMs: 0, isCharged: false }),
        pauseMs: 0,
        learned: { origin: 'unknown', isOverloaded: false },
        consequence: { class: 'contract', scope: 'slice', advice: '' },
      };
    case 'refused':
      return {
        ...repeat(false, { delayMs: 0, isCharged: false }),
        pauseMs: 0,
        learned: { origin: 'up', isOverloaded: false },
        consequence: refusal(fault, question.projectId),
      };
    default:
      return fault.kind satisfies never;
  }
}

/** 202, 204 and the like: the answer may be ready later. */
function isOtherSuccess({ status }: Fault): boolean {
  return status !== undefined && status > 200 && status < 300;
}

/** What this process ran out of; the server has no part in it. */
const EXHAUSTED = new Set([
  'ENOMEM',
  'ENOBUFS',
  'EMFILE',
  'ENFILE',
  'Z_MEM_ERROR',
  'ERR_MEMORY_ALLOCATION_FAILED',
]);

/** The error for a process that is out of memory, address space or files; null for any other error. */
export function exhaustedError(error: unknown): AnswerlakeError | null {
  const code = codeOf(error) ?? '';
  const isAllocation = error instanceof RangeError && /allocat|out of memory/i.test(error.message);
  if (!EXHAUSTED.has(code) && !isAllocation) return null;
  return new AnswerlakeError(
    `this process is out of memory, address space or open files (${code === '' ? messageOf(error) : code}): raise its limits (ulimit -v, ulimit -n) or lower api.concurrency`,
    { class: 'storage', cause: error },
  );
}

/** Codes and texts of OpenSSL and Node for a certificate that is not trusted. */
const CERTIFICATE = /CERT_|_CERT\b|SELF_SIGNED|UNABLE_TO_VERIFY|ALTNAME/;

/** A host without an address, and https to a server that does not speak it: time alone may not mend them. */
const WRONG_ADDRESS = /\bENOTFOUND\b|WRONG_VERSION_NUMBER|wrong version number/;

function adviceOf({ message }: Fault): string {
  if (CERTIFICATE.test(message))
    return 'name the certificate of its authority in NODE_EXTRA_CA_CERTS, or correct api.base_url';
  return WRONG_ADDRESS.test(message)
    ? 'correct api.base_url if it is wrong, or run again later'
    : 'run again later';
}

/** Full jitter: anywhere between nothing and the ceiling of this attempt, milliseconds. */
export function jitterMs(attempt: number, random: number): number {
  return Math.round(random * Math.min(CAP_MS, BASE_MS * FACTOR ** (attempt - 1)));
}

type Repeat = Pick<Verdict, 'again' | 'delayMs' | 'isCharged'>;

function repeat(again: boolean, how: Omit<Repeat, 'again'>): Repeat {
  return again ? { again, ...how } : { again, delayMs: 0, isCharged: false };
}

function refusal(fault: Fault, projectId: string | undefined): Verdict['consequence'] {
  if (fault.status === 401) {
    return { class: 'auth', scope: 'key', advice: 'the key is missing, wrong or revoked' };
  }
  if (fault.status === 403) {
    const scope = projectId === undefined ? 'key' : 'project';
    return { class: 'auth', scope, advice: 'the key has no access to this' };
  }
  const advice = fault.status === 402 ? 'nothing more of the project is asked in this run' : '';
  return { class: 'contract', scope: 'slice', advice };
}
