import type { Connection } from '../warehouse/connection.ts';
import { openDatabase } from '../warehouse/database.ts';
import { interruptOn } from '../warehouse/interrupt.ts';

/** The published file, open for reading until it is disposed of; `signal` interrupts what runs. */
export async function openPublished(
  path: string,
  { threads, signal }: { threads?: number; signal: AbortSignal },
): Promise<AsyncDisposable & { connection: Connection }> {
  const database = await openDatabase({
    path,
    readOnly: true,
    ...(threads === undefined ? {} : { threads }),
  });
  const connection = await database.connect();
  const interruption = interruptOn(signal, connection.raw);
  return {
    connection,
    [Symbol.asyncDispose]: async () => {
      interruption[Symbol.dispose]();
      await database[Symbol.asyncDispose]();
    },
  };
}
