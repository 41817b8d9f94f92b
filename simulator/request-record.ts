/** One request as it reached the simulator. */
export interface RequestRecord {
  /** From 0, in order of arrival. */
  ordinal: number;
  method: string;
  path: string;
  query: [name: string, value: string][];
  apiKeySent: boolean;
  apiKey: string | undefined;
  projectId: string | undefined;
  contentType: string | undefined;
  accept: string | undefined;
  acceptEncoding: string | undefined;
  userAgent: string | undefined;
  /** The parsed JSON body, undefined when none was sent. */
  body: unknown;
  /** What was answered; 0 while nothing was, and for ever when no status line was sent. */
  status: number;
  /** Milliseconds since the epoch, by the simulator's clock. */
  at: number;
}
