import type { Connection } from '../warehouse/connection.ts';
import { releaseCache, returnFreed, whereItGrows, withinMemory } from '../warehouse/less-memory.ts';
import { sideBySide, type Work } from '../warehouse/side-by-side.ts';
import { workOfChecks, type Check } from './checks.ts';
import { CHECK_MEMORY } from './fill.ts';

interface Proof {
  checks: readonly Check[];
  /** Comes before the checks, or beside them. */
  first?: Work | undefined;
  /** What DuckDB may use at first where there are several connections. */
  memory: string;
}

/** Runs `first` and checks, on all connections at once. @throws WarehouseError (storage) */
export async function prove(
  connections: readonly Connection[],
  { checks, memory, first = () => Promise.resolve() }: Proof,
): Promise<void> {
  const [connection, ...others] = connections;
  if (connection === undefined) return;
  const isAlone = others.length === 0;
  if (isAlone) await first(connection);
  // A piece that needs more begins again with more; what is done stays done.
  const left = new Set([...(isAlone ? [] : [first]), ...workOfChecks(checks)]);
  const giveBack = whereItGrows(isAlone ? releaseCache : returnFreed);
  await withinMemory(connection, isAlone ? CHECK_MEMORY : memory, async () => {
    const work = [...left].map((one): Work => async (free) => {
      await giveBack(free);
      await one(free);
      left.delete(one);
    });
    await sideBySide(connections, work);
  });
}
