import { createRequire } from 'node:module';

/** The DuckDB library. Node 20 ends the process, past every handler, when an imported CommonJS module throws; one that is required throws an error. */
export const duckdb = createRequire(import.meta.url)(
  '@duckdb/node-api',
) as typeof import('@duckdb/node-api');
