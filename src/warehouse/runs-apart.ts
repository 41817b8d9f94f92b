import { z } from 'zod';
import type { Connection } from './connection.ts';
import { WarehouseError } from './failure.ts';
import { PUBLISHED, inspectPublished, resolveTarget } from './published.ts';
import { quoteIdentifier } from './sql.ts';

const countRow = z.object({
  only_published: z.number(),
  only_working: z.number(),
  newest: z.string().nullable(),
});

/**
 * Whether the published file holds runs that the working file lacks, which a restored backup does: then nothing may be published over it.
 * @returns `behind` when the working file holds nothing of its own, so that the published file can take its place
 * @throws WarehouseError (storage) when each file has runs that the other lacks
 */
export async function compareRuns(connection: Connection, publishedPath: string): Promise<'same' | 'behind'> {
  const found = await countRuns(connection, publishedPath);
  if (found === undefined || found.only_published === 0) return 'same';
  if (found.only_working === 0) return 'behind';
  const { only_published: published, only_working: working, newest } = found;
  throw new WarehouseError(
    `has ${runs(published)} that the working file lacks (the newest of ${newest ?? 'an unknown time'} UTC), and lacks ${runs(working)} of the working file: one of the two was restored or copied, and nothing was changed. To keep the published state, move ${connection.path} away; to keep the working file, move the published file away; then run again`,
    { problem: 'apart', path: publishedPath },
  );
}

async function countRuns(
  connection: Connection,
  publishedPath: string,
): Promise<z.output<typeof countRow> | undefined> {
  try {
    return await inspectPublished(connection, resolveTarget(publishedPath), async (_, home) => {
      const [own, published] = [`${quoteIdentifier(home)}.meta.runs`, `${PUBLISHED}.meta.runs`];
      // A backup that was taken in the middle of a run has the run, and not its end.
      const lacked = `from ${published} p anti join ${own} o
        on p.run_id = o.run_id and (o.finished_at is not null or p.finished_at is null)`;
      const [counts] = await connection.rowsAs(
        countRow,
        `select (select count(*) ${lacked}) as only_published,
           (select count(*) from ${own} anti join ${published} using (run_id)) as only_working,
           (select strftime(max(p.started_at), '%Y-%m-%d %H:%M') ${lacked}) as newest`,
      );
      return counts;
    });
  } catch (error) {
    // What is damaged or not ours is judged where it would be replaced.
    if (error instanceof WarehouseError) return undefined;
    throw error;
  }
}

function runs(count: number): string {
  return count === 1 ? '1 run' : `${String(count)} runs`;
}
