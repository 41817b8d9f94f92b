import { setMaxListeners } from 'node:events';
import { openContext, type ApiClientOptions } from './call-context.ts';
import { type ApiAnswer, runCall } from './call.ts';
import type { Quota } from './quota.ts';
import type { Call } from './transport.ts';

export type GetRequest = Omit<Call, 'method' | 'body'>;

type PostRequest = Pick<Call, 'path' | 'projectId' | 'signal'> & { body: unknown };

/** The API, with the key of one account. */
export type ApiClient = ReturnType<typeof openApiClient>;

export function openApiClient(options: ApiClientOptions) {
  const context = openContext(options);
  const send = (call: Call): Promise<ApiAnswer> => {
    // One signal stops every call of a run; Node warns of a leak from the eleventh listener on.
    if (call.signal !== undefined) setMaxListeners(0, call.signal);
    return runCall(context, call);
  };
  return {
    /**
     * Repeats the request until an answer is usable or further attempts are pointless.
     * @throws ApiError · AnswerlakeError of class `quota`, `transient` or `stopped` · the signal's reason
     */
    get: (request: GetRequest): Promise<ApiAnswer> => send({ ...request, method: 'GET', body: null }),
    /** Sends exactly once. @throws as `get`; `ApiError.outcomeUnknown` means that it may have had its effect */
    post: ({ body, ...request }: PostRequest): Promise<ApiAnswer> =>
      send({ ...request, method: 'POST', query: [], withKey: true, body: JSON.stringify(body) }),
    /** Joins the quota of the key's organization, once known. */
    useQuota: (quota: Quota): void => {
      if (quota === context.quota) return;
      quota.takeOver(context.quota);
      context.quota = quota;
    },
    get quota(): Quota {
      return context.quota;
    },
    /** Decides whether a request may be sent (again) with the key. */
    access: context.access,
    totals: context.totals,
    /** Milliseconds by which the server's clock is ahead of ours, according to its good answers so far; null if none has a date. */
    get serverAheadMs(): number | null {
      return context.serverAheadMs;
    },
    [Symbol.asyncDispose]: async (): Promise<void> => {
      context.isClosed = true;
      await context.transport[Symbol.asyncDispose]();
    },
  };
}
