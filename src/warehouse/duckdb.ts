import { createRequire } from 'node:module';

const requireHere = createRequire(import.meta.url);

/** The DuckDB library. Node 20 ends the process, past every handler, when an imported CommonJS module throws; one that is required throws an error. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what the package exports
export const duckdb = requireHere('@duckdb/node-api') as typeof import('@duckdb/node-api');
