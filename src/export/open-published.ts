import type { Connection } from '../warehouse/connection.ts';
import { openDatabase } from '../warehouse/database.ts';

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
  const interrupt = (): void => connection.raw.interrupt();
  signal.addEventListener('abort', interrupt);
  return {
    connection,
    [Symbol.asyncDispose]: async () => {
      signal.removeEventListener('abort', interrupt);
      await database[Symbol.asyncDispose]();
    },
  };
}
