import type { DuckDBConnection } from '@duckdb/node-api';

/** DuckDB forgets an interrupt that comes between two statements. */
const AGAIN_MS = 50;

/** Interrupts what runs on a connection once the signal is aborted, again and again until it is disposed of (`using`). */
export function interruptOn(signal: AbortSignal | undefined, connection: DuckDBConnection): Disposable {
  let timer: NodeJS.Timeout | undefined;
  const begin = (): void => {
    connection.interrupt();
    timer = setInterval(() => connection.interrupt(), AGAIN_MS).unref();
  };
  if (signal?.aborted === true) begin();
  else signal?.addEventListener('abort', begin);
  return {
    [Symbol.dispose]: () => {
      signal?.removeEventListener('abort', begin);
      clearInterval(timer);
    },
  };
}
