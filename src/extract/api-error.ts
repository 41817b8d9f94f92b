import {
  AnswerlakeError,
  codeOf,
  type Message,
  messageOf,
  storageError,
  type AnswerlakeErrorOptions,
} from '../errors.ts';
import type { Fault, Verdict } from './retry.ts';

const LONGEST_QUOTE = 300;

/** What an `ApiError` says besides its message. */
export type ApiErrorFacts = Pick<
  ApiError,
  'status' | 'code' | 'serverMessage' | 'path' | 'requests' | 'outcomeUnknown'
>;

/** A request that was given up; no field ever holds a credential. */
export class ApiError extends AnswerlakeError {
  /** Null when no answer came. */
  declare readonly status: number | null;
  /** The body's `code`, e.g. `DATE_RANGE_TOO_LARGE`. */
  declare readonly code: string | null;
  declare readonly serverMessage: string | null;
  /** Path of the request, query left out. */
  declare readonly path: string;
  /** Requests that were sent for it, repeats included. */
  declare readonly requests: number;
  /** True when the server may have acted although no good answer came: matters for writing calls. */
  declare readonly outcomeUnknown: boolean;

  constructor(
    message: Message,
    { status, code, serverMessage, ...options }: AnswerlakeErrorOptions & ApiErrorFacts,
  ) {
    super(message, options);
    const { path, requests, outcomeUnknown } = options;
    Object.assign(this, { name: 'ApiError', status, code, serverMessage, path, requests, outcomeUnknown });
  }

  /** The server refused the question, not the key: some frameworks answer such a question with 422. */
  get isBadQuestion(): boolean {
    return this.status === 400 || this.status === 422;
  }
}

export interface GivenUp {
  call: { method: 'GET' | 'POST'; path: string; projectId?: string | undefined };
  fault: Fault;
  consequence: Verdict['consequence'];
  account: string;
  requests: number;
}

/** The error that the caller of a given-up request sees. */
export function apiErrorOf({ call, fault, consequence, account, requests }: GivenUp): ApiError {
  const { method, path, projectId } = call;
  const { scope, fact, advice = '' } = consequence;
  const quote = fault.serverMessage ?? null;
  const said = quote === null ? '' : `: ${quote.slice(0, LONGEST_QUOTE)}`;
  const details = fault.details ? ` (details: ${fault.details.slice(0, LONGEST_QUOTE)})` : '';
  const code = fault.code ?? null;
  const where = `${method} ${path} (account ${account}${projectId === undefined ? '' : `, project ${projectId}`})`;
  const tries = requests > 1 ? ` after ${String(requests)} tries` : '';
  const told = `${where}: ${fault.message}${tries}${code === null ? '' : `, ${code}`}${said}${details}`;
  const isAnswered =
    fault.kind === 'refused' || fault.kind === 'minute_limit' || fault.kind === 'hourly_limit';
  return new ApiError(fact === undefined ? withAdvice(told, advice) : withAdvice(told, fact).join(' '), {
    class: consequence.class,
    scope,
    // A key without access to one project still works: that is partial, not "no key worked".
    ...(scope === 'project' ? { exitCode: 3 } : {}),
    status: fault.status ?? null,
    code,
    serverMessage: quote,
    path,
    requests,
    outcomeUnknown: !isAnswered && fault.neverSent !== true,
    cause: fault.cause,
  });
}

/** A server's sentence keeps its full stop, and ours begins after it. */
function withAdvice(told: string, advice: string): string[] {
  if (advice === '') return [told];
  if (!/[.!?]$/.test(told)) return [`${told};`, advice];
  return [told, `${advice.charAt(0).toUpperCase()}${advice.slice(1)}`];
}

/** What a process runs out of; the server has no part in it. */
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
  const what = `this process is out of memory, address space or open files (${code === '' ? messageOf(error) : code})`;
  return storageError(
    [`${what}:`, 'raise its limits (ulimit -v, ulimit -n) or lower api.concurrency'],
    error,
  );
}
