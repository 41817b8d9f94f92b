import { z } from 'zod';
import { AnswerlakeError } from '../../errors.ts';
import type { Connection } from '../../warehouse/connection.ts';
import { nameRow } from '../../warehouse/name-row.ts';
import { withNewFilesFor } from '../../warehouse/private-umask.ts';
import { transaction } from '../../warehouse/transaction.ts';
import {
  CHANGED_PARTS,
  collectParts,
  dropParts,
  findChanges,
  haveSameTables,
} from '../../publish/changes.ts';
import { nameOf, type Table } from '../../publish/parts.ts';
import { replaceParts } from '../../publish/replace-parts.ts';
import type { PublishedSource, PublishTarget, TargetReport } from '../target.ts';
import { withBucketSecret } from './bucket-secret.ts';
import { compactLake } from './compact-lake.ts';
import { loadExtensions } from './extensions.ts';
import { explainLakeFailure } from './failure.ts';
import { isBucket, type LakeSettings } from './lake-settings.ts';
import { createTables } from './lake-tables.ts';
import { createViews } from './lake-views.ts';
import { lookAtLake } from './look.ts';
import { LAKE, withLake } from './with-lake.ts';

/** A lake of Parquet files with a catalog (https://ducklake.select) that holds what the published file holds. */
export function openDuckLake(settings: LakeSettings): PublishTarget {
  return {
    name: 'ducklake',
    look: () => lookAtLake(settings),
    bringUpToDate: async (source) => {
      try {
        await loadExtensions(source.connection, settings);
        const work = (): Promise<TargetReport | null> => bringUpToDate(source, settings);
        return isBucket(settings.data) ? await withBucketSecret(source.connection, work) : await work();
      } catch (error) {
        throw explainLakeFailure(error, settings);
      }
    },
  };
}

async function bringUpToDate(source: PublishedSource, settings: LakeSettings): Promise<TargetReport | null> {
  const { connection } = source;
  let report: TargetReport | null = null;
  const now = Date.parse(source.settings.get('published_at') ?? '');
  try {
    await withLake(connection, { ...settings, now }, () =>
      withNewFilesFor(settings.mode, async () => {
        report = await transaction(connection, () => change(source));
        if (report !== null) await compactLake(connection, settings.mostFiles);
        return report !== null;
      }),
    );
  } finally {
    await dropParts(connection);
  }
  return report;
}

/** Writes what differs; null when nothing does. */
async function change(source: PublishedSource): Promise<TargetReport | null> {
  const { connection, catalog } = source;
  const stamps = await stampsOf(connection);
  const published = [...source.settings].filter(([name]) => name.startsWith('published'));
  const isStamped = stamps !== null && published.every(([name, value]) => stamps.get(name) === value);
  const hasTables = stamps !== null && (await haveSameTables(connection, catalog, LAKE));
  if (!hasTables) await createTables(connection, catalog);
  const hasViews = hasTables && stamps.get('published_views') === source.settings.get('published_views');
  if (hasViews && isStamped) return null;
  if (!hasViews) await createViews(connection, catalog);
  const compared = await collectParts(connection, catalog);
  const changes = await findChanges(connection, compared, LAKE);
  const [counted] = await connection.rowsAs(
    z.object({ parts: z.number() }),
    `select count(*) as parts from ${CHANGED_PARTS}`,
  );
  const parts = counted?.parts ?? 0;
  await replaceParts(connection, { tables: changes.tables, from: catalog, to: LAKE });
  await stamp(connection, published);
  if (changes.tables.length > 0) await proveSame(connection, changes.tables);
  return { parts, rows: changes.rows, warnings: [] };
}

/** What the lake says of the publish that it holds; null when it holds none. */
async function stampsOf(connection: Connection): Promise<Map<string, string | null> | null> {
  const [found] = await connection.rowsAs(
    nameRow,
    `select table_name as name from duckdb_tables() where database_name = $1 and schema_name = 'meta' and table_name = 'settings'`,
    [LAKE],
  );
  if (found === undefined) return null;
  const rows = await connection.rowsAs(
    z.object({ name: z.string(), value: z.string().nullable() }),
    `select name, value from ${LAKE}.meta.settings`,
  );
  return new Map(rows.map(({ name, value }) => [name, value]));
}

async function stamp(
  connection: Connection,
  published: readonly (readonly [string, string | null])[],
): Promise<void> {
  await connection.run(`delete from ${LAKE}.meta.settings where starts_with(name, 'published')`);
  for (const [name, value] of published) {
    await connection.run(`insert into ${LAKE}.meta.settings (name, value) values ($1, $2)`, [name, value]);
  }
}

async function proveSame(connection: Connection, tables: readonly Table[]): Promise<void> {
  const left = await findChanges(connection, tables, LAKE);
  if (left.tables.length === 0) return;
  throw new AnswerlakeError(
    `the lake: after the changes, ${left.tables.map(nameOf).join(', ')} still differ from the published file; it was left as it was`,
    { class: 'storage' },
  );
}
