/** One request as it reached the simulator. */
export interface RequestRecord {
  /** Counts from 0, in order of arrival. */
  ordinal: number;
  method: string;
  path: string;
  query: [name: string, value: string][];
  apiKey: string | undefined;
  projectId: string | undefined;
  contentType: string | undefined;
  /** The parsed JSON body, undefined when none was sent. */
  body: unknown;
  /** The status of the answer; 0 until there is one, and forever when no status line is sent. */
  status: number;
  /** Milliseconds since the epoch, by the simulator's clock. */
  at: number;
}
