import { existsSync } from 'node:fs';
import { z } from 'zod';
import { messageOf } from '../../errors.ts';
import type { Connection } from '../../warehouse/connection.ts';
import { openMemoryDatabase } from '../../warehouse/database.ts';
import { quoteLiteral } from '../../warehouse/quote.ts';
import type { TargetLook } from '../target.ts';
import { withBucketSecret } from './extensions.ts';
import { loadExtensions } from './extensions.ts';
import { explainLakeFailure } from './failure.ts';
import { catalogName, isBucket, type LakeSettings } from './lake-settings.ts';
import { catalogAddress, LAKE } from './with-lake.ts';

/** Reads the lake as a reader does. @throws AnswerlakeError that says what is in the way */
export async function lookAtLake(settings: LakeSettings): Promise<TargetLook> {
  const what = `lake of Parquet files in ${settings.data}, ${catalogName(settings)}`;
  await using database = await openMemoryDatabase();
  const connection = await database.connect();
  try {
    await loadExtensions(connection, settings);
    const { catalog, data } = settings;
    if (typeof catalog === 'string' && !existsSync(catalog)) return { what, publishedAt: null };
    const read = (): Promise<string | null> => publishedAt(connection, catalogAddress(catalog));
    return { what, publishedAt: isBucket(data) ? await withBucketSecret(connection, read) : await read() };
  } catch (error) {
    throw explainLakeFailure(error, settings);
  }
}

async function publishedAt(connection: Connection, address: string): Promise<string | null> {
  try {
    await connection.run(`attach ${quoteLiteral(address)} as ${LAKE} (read_only)`);
  } catch (error) {
    // PostgreSQL is there, and holds no lake yet.
    if (address.startsWith('ducklake:postgres:') && /explicitly disabled/.test(messageOf(error))) return null;
    throw error;
  }
  const [row] = await connection.rowsAs(
    z.object({ value: z.string().nullable() }),
    `select value from ${LAKE}.meta.settings where name = 'published_at'`,
  );
  return row?.value ?? null;
}
