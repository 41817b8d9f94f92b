import type { ErrorClass, ErrorScope } from '../errors.ts';
import { ApiError } from './api-error.ts';
import type { Fault } from './fault.ts';

const LONGEST_QUOTE = 300;

export interface GivenUp {
  fault: Fault;
  method: 'GET' | 'POST';
  path: string;
  account: string;
  projectId: string | undefined;
  requests: number;
}

/** The error that a caller sees when a request is given up. */
export function giveUp(request: GivenUp): ApiError {
  const { fault, method, path, account, projectId, requests } = request;
  const status = fault.status ?? null;
  const { class: errorClass, scope, advice } = consequenceOf(fault, projectId);
  const quote = fault.serverMessage ?? null;
  const said = quote === null ? '' : `: ${quote.slice(0, LONGEST_QUOTE)}`;
  const code = fault.code ?? null;
  const where = `${method} ${path} (account ${account}${projectId === undefined ? '' : `, project ${projectId}`})`;
  const tries = requests > 1 ? ` after ${String(requests)} tries` : '';
  const told = `${where}: ${fault.message}${tries}${code === null ? '' : `, ${code}`}${said}`;
  return new ApiError(
    // A server's sentence keeps its full stop, and ours begins after it.
    advice === '' ? told : /[.!?]$/.test(told) ? `${told} ${capitalised(advice)}` : `${told}; ${advice}`,
    {
      class: errorClass,
      scope,
      // A key without access to one project still works: that is partial, not "no key worked".
      ...(scope === 'project' ? { exitCode: 3 } : {}),
      status,
      code,
      serverMessage: quote,
      path,
      requests,
      outcomeUnknown: fault.kind !== 'refused' && !isLimit(fault) && fault.neverSent !== true,
      cause: fault.cause,
    },
  );
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function isLimit(fault: Fault): boolean {
  return fault.kind === 'minute_limit' || fault.kind === 'hourly_limit';
}

function consequenceOf(
  fault: Fault,
  projectId: string | undefined,
): { class: ErrorClass; scope: ErrorScope; advice: string } {
  switch (fault.kind) {
    case 'connection':
    case 'timeout':
    case 'server':
      return { class: 'transient', scope: 'slice', advice: 'run again later' };
    case 'minute_limit':
      return { class: 'transient', scope: 'key', advice: 'lower api.requests_per_minute' };
    case 'hourly_limit':
      return { class: 'quota', scope: 'key', advice: 'run again after the hour' };
    case 'unreadable':
      return { class: 'contract', scope: 'slice', advice: '' };
    case 'refused':
      if (fault.status === 401) {
        return { class: 'auth', scope: 'key', advice: 'the key is missing, wrong or revoked' };
      }
      if (fault.status === 403) {
        const scope = projectId === undefined ? 'key' : 'project';
        return { class: 'auth', scope, advice: 'the key has no access to this' };
      }
      return { class: 'contract', scope: 'slice', advice: '' };
    default:
      return fault.kind satisfies never;
  }
}
