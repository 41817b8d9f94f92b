import type { Connection } from './connection.ts';

export type Work = (connection: Connection) => Promise<void>;

/**
 * Does each piece of work once, in the order of the list, one at a time on each connection. After a failure nothing more is begun.
 * @throws the failure of the first piece in the list that failed, once all that was begun has ended
 */
export async function sideBySide(connections: readonly Connection[], list: readonly Work[]): Promise<void> {
  const waiting = list.entries();
  const failures: { place: number; error: unknown }[] = [];
  const workOn = async (connection: Connection): Promise<void> => {
    for (const [place, work] of waiting) {
      try {
        await work(connection);
      } catch (error) {
        failures.push({ place, error });
      }
      if (failures.length > 0) return;
    }
  };
  await Promise.all(connections.map(workOn));
  const [first] = failures.toSorted((a, b) => a.place - b.place);
  if (first !== undefined) throw first.error;
}
