import { inspectPublished, PUBLISHED } from '../../src/warehouse/published.ts';
import type { PublishTarget, TargetReport } from '../../src/targets/target.ts';
import type { Connection } from '../../src/warehouse/connection.ts';

/** What a publish does to a target. */
export async function bringTo(
  target: PublishTarget,
  connection: Connection,
  published: string,
): Promise<TargetReport | null> {
  const report = await inspectPublished(connection, published, (found) =>
    target.bringUpToDate({ connection, catalog: PUBLISHED, ...found }),
  );
  return report ?? null;
}
