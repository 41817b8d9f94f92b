import { z } from 'zod';
import type { Connection } from '../warehouse/connection.ts';
import { withinMemory } from '../warehouse/memory-limit.ts';
import { quoteIdentifier } from '../warehouse/sql.ts';

/** A copy takes what it may have and is as fast with less (measured: 1.2 million rows; 32 MiB are too few for some). */
export const LITTLE_MEMORY = '64MiB';
/** Enough for checks of whole views, one after the other (measured: 2 million rows; 108 MiB are too few). */
export const CHECK_MEMORY = '112MiB';
/** Enough for putting what changed into a large file (measured: 2 million rows). */
export const CHANGES_MEMORY = '112MiB';
/** Enough for two connections that check what changed in a large file (measured: 2 million rows; 112 MiB are too few). */
export const CHANGED_CHECKS_MEMORY = '128MiB';
/** Enough for two connections that fill or check a whole small file (measured: 240,000 rows; 128 MiB are too few for two checks of views). */
export const SMALL_FILE_MEMORY = '176MiB';
/** Up to so many rows, the work of two connections fits into memory at once (70 MiB more with 600,000 rows). */
const FEW_ROWS = 250_000;

const placeRow = z.object({ place: z.string() });

/** Two connections for a catalog of few rows, else the one. The caller closes them (`using`). */
export class Connections implements Disposable {
  readonly all: readonly Connection[];
  readonly #other: Connection | null;

  private constructor(connection: Connection, other: Connection | null) {
    this.#other = other;
    this.all = other === null ? [connection] : [connection, other];
  }

  static async open(connection: Connection, catalog: string): Promise<Connections> {
    const isSmall = (await rowsOf(connection, catalog)) <= FEW_ROWS;
    return new Connections(connection, isSmall ? await connection.another() : null);
  }

  [Symbol.dispose](): void {
    this.#other?.close();
  }
}

/** Copies all rows into the same tables, which are empty: as one piece, or the largest tables first and as many at a time as there are connections. */
export async function copyRows(
  connections: readonly Connection[],
  { from, to }: { from: string; to: string },
): Promise<void> {
  const [connection, ...others] = connections;
  if (connection === undefined) return;
  const [source, target] = [quoteIdentifier(from), quoteIdentifier(to)];
  if (others.length === 0) {
    return await withinMemory(connection, LITTLE_MEMORY, async () => {
      await connection.run(`copy from database ${source} to ${target} (data)`);
    });
  }
  const waiting = new Set(await tablesBySize(connection, from));
  // A second try, with more memory, finds what the first one copied.
  await withinMemory(connection, SMALL_FILE_MEMORY, async () => {
    const work = [...waiting].map((place): Work => async (free) => {
      await free.run(`insert into ${target}.${place} from ${source}.${place}`);
      waiting.delete(place);
    });
    await sideBySide(connections, work);
  });
}

/** DuckDB then writes to the file only when it is told to: a copy that does so at its end keeps the others waiting. */
export async function withoutCheckpoint(connection: Connection, work: () => Promise<void>): Promise<void> {
  await connection.run("set checkpoint_threshold = '1TB'");
  try {
    await work();
  } finally {
    await connection.run('reset checkpoint_threshold');
  }
}

async function tablesBySize(connection: Connection, catalog: string): Promise<string[]> {
  const tables = await connection.rowsAs(
    placeRow,
    `select schema_name || '.' || table_name as place from duckdb_tables()
     where database_name = $1 and not internal and not temporary order by estimated_size desc, place`,
    [catalog],
  );
  return tables.map(({ place }) => place);
}

async function rowsOf(connection: Connection, catalog: string): Promise<number> {
  const [all] = await connection.rowsAs(
    z.object({ rows: z.number() }),
    'select coalesce(cast(sum(estimated_size) as bigint), 0) as rows from duckdb_tables() where database_name = $1',
    [catalog],
  );
  return all?.rows ?? 0;
}

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
