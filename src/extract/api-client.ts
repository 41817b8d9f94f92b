import type { RateLimit } from './headers.ts';
import type { Quota } from './quota.ts';

export interface GetRequest {
  path: string;
  /** Sent in this order; a repeated name is an array. */
  query: readonly (readonly [name: string, value: string])[];
  projectId?: string | undefined;
  /** False only where the key must not travel. */
  withKey: boolean;
  /** Statuses besides 2xx that are returned (with a JSON body), not thrown. */
  answeredStatuses?: readonly number[] | undefined;
  signal?: AbortSignal | undefined;
}

export interface PostRequest {
  path: string;
  body: unknown;
  projectId?: string | undefined;
  signal?: AbortSignal | undefined;
}

export interface ApiAnswer {
  status: number;
  body: unknown;
  /** Epoch milliseconds. */
  fetchedAt: number;
  /** Requests that were sent for it, repeats included. */
  requests: number;
  /** Size of the body on the wire. */
  bytes: number;
  headers: {
    /** The server's clock, epoch milliseconds; null when it did not say. */
    serverTime: number | null;
    requestId: string | null;
    rateLimit: RateLimit | null;
  };
}

/** What a client has done since it was opened. */
export interface RequestTotals {
  requests: number;
  retries: number;
  bytes: number;
}

/** One account's way to the API. */
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
  readonly totals: Readonly<RequestTotals>;
}
