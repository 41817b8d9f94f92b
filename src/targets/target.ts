import { z } from 'zod';
import { AnswerlakeError, storageError } from '../errors.ts';
import type { Connection } from '../warehouse/connection.ts';
import { quoteIdentifier, quoteLiteral } from '../warehouse/sql.ts';
import type { TableColumns } from '../warehouse/tables.ts';
import { counted } from '../quantity.ts';
import type { OwnFailures } from '../publish/own-views.ts';
import type { PublishReport } from '../publish/publish.ts';

/** The published file, attached to a connection. */
export interface PublishedSource {
  connection: Connection;
  /** The name under which the file is attached; it has all tables, views and comments. */
  catalog: string;
  /** `meta.settings` of the file, for example `published_at` and `published_views`. */
  settings: ReadonlyMap<string, string>;
}

/** The statements that comment a table and its columns, in DuckDB and PostgreSQL alike. @param as the quoted name of the table */
export function commentOn({ comment, columns }: TableColumns, as: string): string {
  const text = (value: string | null): string => (value === null ? 'null' : quoteLiteral(value));
  return [
    `comment on table ${as} is ${text(comment)};`,
    ...columns.map(
      (column) => `comment on column ${as}.${quoteIdentifier(column.name)} is ${text(column.comment)};`,
    ),
  ].join('\n');
}

/**
 * @throws AnswerlakeError (storage) when a target has runs that the published file lacks: it would overwrite the work of another copy
 * of the warehouse, or of this one before a backup was restored
 */
export async function requireKnownRuns(
  { connection, catalog }: PublishedSource,
  held: readonly { name: string }[],
  { setting, rid }: { setting: string; rid: string },
): Promise<void> {
  const names = new Set(await connection.values(z.string(), `select run_id from ${catalog}.meta.runs`));
  // Runs before the newest common one may have been pruned from the published file.
  const missing = held.slice(1 + held.findLastIndex(({ name }) => names.has(name)));
  const newest = missing.at(-1);
  if (newest === undefined) return;
  throw storageError([
    `${setting} holds ${counted(missing.length, 'run')} that the published file lacks (the newest is ${newest.name}): another copy of this warehouse writes there, or this one was restored from a backup. Nothing was changed.`,
    `Give this copy an address of its own, or ${rid}, and run answerlake publish.`,
  ]);
}

/** The changes of a target. */
export interface TargetReport {
  /** Parts (days, windows, runs) whose rows were written or deleted. */
  parts: number;
  /** Rows that were written. */
  rows: number;
  /** Parts of views, by shard, that were computed. */
  computed: number;
  /** Users' own views that failed; they keep their last rows. */
  leftOut: OwnFailures;
}

/** A database with the content of the published file, for other programs to read. */
export interface PublishTarget {
  /** For messages and logs; no secret. */
  readonly name: string;
  /**
   * Makes the content equal to the published file, as a whole or not at all; null if it was equal already.
   * @throws AnswerlakeError (storage, locked, configuration); the target is then as it was
   */
  bringUpToDate(source: PublishedSource): Promise<TargetReport | null>;
  /** Checks that a publish could write the target, and changes nothing. @throws AnswerlakeError that says why not */
  inspect(): Promise<TargetStatus>;
}

/** A target, described without reading its rows. */
export interface TargetStatus {
  /** Database and version, for messages. */
  what: string;
  /** Instant (ISO) of the publish whose content it has; null before the first. */
  publishedAt: string | null;
}

/** The published file is in place, but the target is outdated. The next publish updates it. */
export class TargetError extends AnswerlakeError {
  /** The report of the file; null if it was unchanged. */
  readonly published: PublishReport | null;

  constructor(error: AnswerlakeError, published: PublishReport | null) {
    super(error.parts, { class: error.class, exitCode: error.exitCode, cause: error });
    this.name = 'TargetError';
    this.published = published;
  }
}
