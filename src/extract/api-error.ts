import {
  AnswerlakeError,
  codeOf,
  type Message,
  messageOf,
  storageError,
  type AnswerlakeErrorOptions,
} from '../errors.ts';
import type { Consequence, Fault } from './retry.ts';

const LONGEST_QUOTE = 300;

/** The fields of an `ApiError`. */
export type ApiErrorFacts = Pick<
  ApiError,
  'status' | 'code' | 'serverMessage' | 'path' | 'requests' | 'outcomeUnknown'
>;

/** An abandoned request; no field ever contains a credential. */
export class ApiError extends AnswerlakeError {
  /** Null if no answer arrived. */
  declare readonly status: number | null;
  /** The body's `code`, e.g. `DATE_RANGE_TOO_LARGE`. */
  declare readonly code: string | null;
  declare readonly serverMessage: string | null;
  /** Path of the request, without its query. */
  declare readonly path: string;
  /** True if the server may have acted despite the failure: matters for writing calls. */
  declare readonly outcomeUnknown: boolean;

  constructor(
    message: Message,
    { status, code, serverMessage, ...options }: AnswerlakeErrorOptions & ApiErrorFacts,
  ) {
    super(message, options);
    const { path, requests, outcomeUnknown } = options;
    Object.assign(this, { name: 'ApiError', status, code, serverMessage, path, requests, outcomeUnknown });
  }

  /** The server refused the request, not the key: some frameworks respond to such a request with 422. */
  get isBadQuestion(): boolean {
    return this.status === 400 || this.status === 422;
  }
}

/** The error for the caller of an abandoned request. */
export function apiErrorOf(
  { method, path, projectId }: { method: string; path: string; projectId?: string | undefined },
  fault: Fault,
  { consequence, account, requests }: { consequence: Consequence; account: string; requests: number },
): ApiError {
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

/** The server's sentence keeps its full stop; ours follows it. */
function withAdvice(told: string, advice: string): string[] {
  if (advice === '') return [told];
  if (!/[.!?]$/.test(told)) return [`${told};`, advice];
  return [told, `${advice.charAt(0).toUpperCase()}${advice.slice(1)}`];
}

/** Limits of the process, unrelated to the server. */
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
