import type { Connection } from '../warehouse/connection.ts';
import { releaseCache, returnFreed, whereItGrows, withinMemory } from '../warehouse/less-memory.ts';
import { sideBySide, type Work } from '../warehouse/side-by-side.ts';
import { workOfChecks, type Check } from './checks.ts';
import { CHECK_MEMORY, SOME_MEMORY } from './fill.ts';

interface Proof {
  checks: readonly Check[];
  /** Comes before the checks, or beside them. */
  first?: Work | undefined;
  /** What several connections may use together. */
  memory?: string;
}

/** Runs `first` and checks, on all connections at once. @throws WarehouseError (storage) */
export async function prove(
  connections: readonly Connection[],
  { checks, first = () => Promise.resolve(), memory = SOME_MEMORY }: Proof,
): Promise<void> {
  const [connection, ...others] = connections;
  if (connection === undefined) return;
  if (others.length > 0) {
    let isFirstDone = false;
    const begin: Work = async (free) => {
      if (!isFirstDone) await first(free);
      isFirstDone = true;
    };
    const giveBack = whereItGrows(returnFreed);
    const work = [begin, ...workOfChecks(checks)].map((one): Work => async (free) => {
      await giveBack(free);
      await one(free);
    });
    return await withinMemory(connection, memory, () => sideBySide(connections, work));
  }
  await first(connection);
  const giveBack = whereItGrows(releaseCache);
  const left = workOfChecks(checks);
  // A check that needs more begins again with more, and so do those after it.
  await withinMemory(connection, CHECK_MEMORY, async () => {
    for (let [next] = left; next !== undefined; [next] = left) {
      await giveBack(connection);
      await next(connection);
      left.shift();
    }
  });
}
