import * as nodeApi from '@duckdb/node-api';

/** DuckDB's client, for which the bundler makes one file of 181. */
export const duckdb = nodeApi;
