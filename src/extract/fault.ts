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
  /** An answer that cannot be read: broken, cut, empty, too large, a redirect. */
  | 'unreadable'
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
