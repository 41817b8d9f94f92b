import { createRequire } from 'node:module';

const requireHere = createRequire(import.meta.url);

/** The DuckDB library. If an imported CommonJS module throws, Node 20 ends the process without running any handler; a required one throws a catchable error. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what the package exports
export const duckdb = requireHere('@duckdb/node-api') as typeof import('@duckdb/node-api');
