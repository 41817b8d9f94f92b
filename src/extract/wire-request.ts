import type { Secret } from '../secret.ts';
import { AnswerlakeError } from '../errors.ts';
import type { WireRequest } from './transport.ts';

/** One call as the client takes it. */
export interface Call {
  method: 'GET' | 'POST';
  path: string;
  /** Sent in this order; a repeated name is an array. */
  query: readonly (readonly [name: string, value: string])[];
  projectId?: string | undefined;
  /** False only where the key must not travel. */
  withKey: boolean;
  /** Statuses besides 2xx that are returned (with a JSON body), not thrown. */
  answeredStatuses?: readonly number[] | undefined;
  body: string | null;
  signal?: AbortSignal | undefined;
}

/** The request as it goes over the wire. @throws AnswerlakeError when it would leave the origin or its path */
export function buildWireRequest(
  account: { account: string; origin: string; key: Secret | null; userAgent: string },
  call: Call,
): WireRequest {
  assertInside(account.origin, call.path);
  const query = new URLSearchParams(
    call.query.map(([name, value]): [string, string] => [name, value]),
  ).toString();
  return {
    method: call.method,
    target: query === '' ? call.path : `${call.path}?${query}`,
    headers: {
      accept: 'application/json',
      'accept-encoding': 'gzip, identity',
      'user-agent': account.userAgent,
      ...keyHeader(account, call),
      ...projectHeader(call),
      // The service refuses this header on a request without a body.
      ...(call.body === null ? {} : { 'content-type': 'application/json' }),
    },
    body: call.body,
    signal: call.signal,
  };
}

function keyHeader(account: { account: string; key: Secret | null }, call: Call): Record<string, string> {
  if (!call.withKey) return {};
  if (account.key === null) {
    throw new AnswerlakeError(`account ${account.account} has no API key, and ${call.path} needs one`, {
      class: 'configuration',
      scope: 'key',
    });
  }
  return { 'x-api-key': account.key.reveal() };
}

function projectHeader(call: Call): Record<string, string> {
  if (call.projectId === undefined) return {};
  if (!/^[\u0021-\u007e]+$/.test(call.projectId)) {
    throw new AnswerlakeError(`a project id that no header can carry: ${JSON.stringify(call.projectId)}`, {
      class: 'contract',
      scope: 'project',
    });
  }
  return { 'x-project-id': call.projectId };
}

/** Nothing in it that a URL would read as another place; looking it up as a URL costs 10 µs a request. */
const PLAIN_PATH = /^(?:\/[\w-]+)+$/;

function assertInside(origin: string, path: string): void {
  if (PLAIN_PATH.test(path)) return;
  const isPath = /^\/(?!\/)[^?#\\]*$/.test(path);
  const url = isPath && URL.canParse(origin + path) ? new URL(origin + path) : null;
  if (url?.origin === origin && url.pathname === path) return;
  throw new AnswerlakeError(`not a path on the configured server: ${JSON.stringify(path)}`, {
    class: 'contract',
    scope: 'slice',
  });
}
