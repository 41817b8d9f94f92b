import { z } from 'zod';
import type { Secret } from '../secret.ts';
import { bucketOrFolderRule, localPathRule } from './rules.ts';
import { text } from './section.ts';

/** The settings of `target: ducklake`, as they are written. */
export const LAKE_SETTINGS = ['catalog', 'data', 'extensions'] as const;

/** Where a lake is: its catalog, its files, and the extensions that write it. */
export interface Lake {
  /** A file, or the address of PostgreSQL. */
  catalog: string | Secret;
  /** A folder, or `s3://bucket/prefix`. */
  data: string;
  extensions: string;
}

export interface LakePlaces {
  /** Reads a reference to the address of PostgreSQL. */
  url: z.ZodType<Secret, string>;
  resolvePath: (written: string) => string;
}

/** Null where a setting is left out: its default holds with `target: ducklake` only (see `lakeOf`). */
export function lakeShape({ url, resolvePath }: LakePlaces) {
  return {
    catalog: z
      .string()
      .transform((written, context): string | Secret => {
        const reading = isReference(written)
          ? url.safeParse(written)
          : text(localPathRule).safeParse(written);
        if (reading.success) {
          return typeof reading.data === 'string' ? resolvePath(reading.data) : reading.data;
        }
        context.addIssue({ code: 'custom', message: reading.error.issues[0]?.message ?? 'is wrong' });
        return z.NEVER;
      })
      .nullable()
      .default(null)
      .describe(
        'with target: ducklake, its catalog: a file (default data/lake.ducklake), or PostgreSQL as env:NAME or file:/path',
      ),
    data: text(bucketOrFolderRule)
      .transform((written) => (written.startsWith('s3://') ? written : resolvePath(written)))
      .nullable()
      .default(null)
      .describe(
        'with target: ducklake, where its Parquet files are: a folder (default data/lake), or s3://bucket/prefix',
      ),
    extensions: text(localPathRule)
      .transform(resolvePath)
      .nullable()
      .default(null)
      .describe("with target: ducklake, the folder with DuckDB's extensions (default data/extensions)"),
  };
}

/** What was written, with defaults for the rest. */
export function lakeOf(
  { catalog, data, extensions }: { [Name in keyof Lake]: Lake[Name] | null },
  resolvePath: (written: string) => string,
): Lake {
  return {
    catalog: catalog ?? resolvePath('data/lake.ducklake'),
    data: data ?? resolvePath('data/lake'),
    extensions: extensions ?? resolvePath('data/extensions'),
  };
}

/** Two letters at least: `C:` is a disk. */
function isReference(written: string): boolean {
  return /^[a-z][a-z0-9+.-]+:/i.test(written);
}
