import { setMaxListeners } from 'node:events';
import type { Access } from './access.ts';
import { openContext, type ApiClientOptions, type CallContext } from './call-context.ts';
import { type ApiAnswer, runCall } from './call.ts';
import type { Quota } from './quota.ts';
import type { Call } from './transport.ts';

export type GetRequest = Omit<Call, 'method' | 'body'>;

type PostRequest = Pick<Call, 'path' | 'projectId' | 'signal'> & { body: unknown };

/** The API, asked with the key of one account. */
export interface ApiClient extends AsyncDisposable {
  /**
   * Asks until there is a usable answer or no hope of one.
   * @throws ApiError · AnswerlakeError of class `quota`, `transient` or `stopped` · the signal's reason
   */
  get(request: GetRequest): Promise<ApiAnswer>;
  /** Sends once, whatever happens. @throws as `get`; `ApiError.outcomeUnknown` says whether it may have had its effect */
  post(request: PostRequest): Promise<ApiAnswer>;
  /** Joins the quota of the organization that the key turned out to belong to. */
  useQuota(quota: Quota): void;
  readonly quota: Quota;
  /** May this be asked (again) with the key? */
  readonly access: Access;
  readonly totals: Readonly<CallContext['totals']>;
  /** Milliseconds that the server's clock is ahead of ours, by its last good answer; null when none had a date. */
  readonly serverAheadMs: number | null;
}

/** @throws AnswerlakeError of class `configuration` for a key or an address that cannot be sent safely */
export function openApiClient(options: ApiClientOptions): ApiClient {
  const context = openContext(options);
  const send = (call: Call): Promise<ApiAnswer> => {
    // One signal stops every call of a run; Node warns of a leak from the eleventh listener on.
    if (call.signal !== undefined) setMaxListeners(0, call.signal);
    return runCall(context, call);
  };
  return {
    get: (request) => send({ ...request, method: 'GET', body: null }),
    post: ({ body, ...request }) =>
      send({ ...request, method: 'POST', query: [], withKey: true, body: JSON.stringify(body) }),
    useQuota: (quota) => {
      if (quota === context.quota) return;
      quota.takeOver(context.quota);
      context.quota = quota;
    },
    get quota() {
      return context.quota;
    },
    access: context.access,
    totals: context.totals,
    get serverAheadMs() {
      return context.serverAheadMs;
    },
    [Symbol.asyncDispose]: async () => {
      context.isClosed = true;
      await context.transport[Symbol.asyncDispose]();
    },
  };
}
