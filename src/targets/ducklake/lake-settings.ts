import type { Secret } from '../../secret.ts';

/** Where a lake is. */
export interface LakePlace {
  /** A file, or the address of PostgreSQL. */
  catalog: string | Secret;
  /** A folder, or `s3://bucket/prefix`; each lake has a folder of its own in it. */
  data: string;
  /** The folder with DuckDB's extensions. */
  extensions: string;
}

/** What it takes to write a lake. */
export interface LakeSettings extends LakePlace {
  /** Who may read the files, as of the published file. */
  mode: number;
  /** Files of a table, from which on few are made of them; for tests. */
  maxFiles?: number;
}

/** The catalog in messages; no secret. */
export function catalogName({ catalog }: Pick<LakeSettings, 'catalog'>): string {
  return typeof catalog === 'string' ? catalog : `the catalog in PostgreSQL (${catalog.origin})`;
}

export const isBucket = (data: string): boolean => data.startsWith('s3://');
