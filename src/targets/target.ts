import { AnswerlakeError } from '../errors.ts';
import type { Connection } from '../warehouse/connection.ts';
import type { PublishReport } from '../publish/publish.ts';

/** The published file, attached to a connection: what a target is brought up to. */
export interface PublishedSource {
  connection: Connection;
  /** The name that the file is attached by; its tables, views and comments are all there. */
  catalog: string;
  /** What the file says of itself in `meta.settings`, for example `published_at` and `published_views`. */
  settings: ReadonlyMap<string, string | null>;
  schemaVersion: number;
}

/** What was done to a target. */
export interface TargetReport {
  /** Parts (days, windows, runs) whose rows were written or deleted. */
  parts: number;
  /** Rows that were written. */
  rows: number;
  /** What people should know of it, a sentence each. */
  warnings: readonly string[];
}

/** A database that is to hold what the published file holds, and that other programs read. */
export interface PublishTarget {
  /** For messages and logs; no secret. */
  readonly name: string;
  /**
   * Makes the target hold what the published file holds, as a whole or not at all; null when it does already.
   * @throws AnswerlakeError (storage, locked, configuration); the target is then as it was
   */
  bringUpToDate(source: PublishedSource): Promise<TargetReport | null>;
  /** Whether a publish could write it; changes nothing. @throws AnswerlakeError that says why not */
  look(): Promise<TargetLook>;
}

/** What a target is, without its rows. */
export interface TargetLook {
  /** Database and version, for people. */
  what: string;
  /** Instant (ISO) of the publish that it holds; null when it holds none yet. */
  publishedAt: string | null;
}

/** The published file is in place, and the target is not up to date. The next publish brings it up to date. */
export class TargetError extends AnswerlakeError {
  /** What became of the file; null when it was up to date already. */
  readonly published: PublishReport | null;

  constructor(error: AnswerlakeError, published: PublishReport | null) {
    super(error.message, { class: error.class, exitCode: error.exitCode, cause: error });
    this.name = 'TargetError';
    this.published = published;
  }
}
