import { z } from 'zod';
import type { Secret } from '../secret.ts';
import { bucketOrFolderRule, localPathRule, modeRule, section, storageVersionRule, text } from './rules.ts';

/** Where a warehouse can be besides the published file, which is always written. */
const TARGETS = ['duckdb', 'postgres', 'ducklake'] as const;

/** Settings that only one target has; it cannot do without them. */
const OWN_SETTINGS: Readonly<Record<string, readonly string[]>> = { postgres: ['url'] };

/** The settings of the warehouse; `path` and `url` depend on where the configuration lies. */
export function warehouseSection<Path extends z.core.$ZodType<string>>({
  path,
  url,
  resolvePath,
}: {
  path: Path;
  url: z.ZodType<Secret, string>;
  resolvePath: (written: string) => string;
}) {
  const plain = section({
    target: z
      .enum(TARGETS)
      .default('duckdb')
      .describe(
        'where readers find the warehouse: duckdb, the published file alone; postgres, also a database; ducklake, also a lake of Parquet files',
      ),
    path,
    storage_version: text(storageVersionRule)
      .default('v1.0.0')
      .describe('storage version of the published file; v1.0.0 is readable by DuckDB 1.1 and newer'),
    mode: text(modeRule)
      .default('0444')
      .transform((octal) => Number.parseInt(octal, 8))
      .describe('who may read the published file: "0444" all, "0440" its group, "0400" its owner'),
    url: url
      .nullable()
      .default(null)
      .describe('with target: postgres, the address of the database: env:NAME or file:/path'),
    ...lakeShape({ url, resolvePath }),
  });
  const refined = plain.superRefine(({ target, ...settings }, context) => {
    const given = new Map<string, unknown>(Object.entries(settings));
    for (const [owner, names] of Object.entries(OWN_SETTINGS)) {
      for (const name of names) {
        const isGiven = given.get(name) !== null;
        if (isGiven === (owner === target)) continue;
        const message = isGiven
          ? `belongs to target: ${owner}: set it, or remove this setting`
          : `is missing: target: ${owner} needs it`;
        context.addIssue({ code: 'custom', path: [name], message });
      }
    }
    for (const name of LAKE_SETTINGS) {
      if (target === 'ducklake' || given.get(name) === null) continue;
      const message = 'belongs to target: ducklake: set it, or remove this setting';
      context.addIssue({ code: 'custom', path: [name], message });
    }
  });
  return refined.transform(({ target, catalog, data, extensions, ...settings }) => ({
    ...settings,
    target,
    lake: target === 'ducklake' ? lakeOf({ catalog, data, extensions }, resolvePath) : null,
  }));
}

/** The settings of `target: ducklake` in the file. */
const LAKE_SETTINGS = ['catalog', 'data', 'extensions'] as const;

/** Where a lake is: its catalog, its files, and the extensions that write it. */
interface Lake {
  /** A file, or the address of PostgreSQL. */
  catalog: string | Secret;
  /** A folder, or `s3://bucket/prefix`. */
  data: string;
  extensions: string;
}

interface LakePlaces {
  /** Reads a reference to the address of PostgreSQL. */
  url: z.ZodType<Secret, string>;
  resolvePath: (written: string) => string;
}

/** Null where a setting is left out: its default holds with `target: ducklake` only (see `lakeOf`). */
function lakeShape({ url, resolvePath }: LakePlaces) {
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
function lakeOf(
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
