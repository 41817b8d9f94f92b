import { z } from 'zod';
import type { Secret } from '../secret.ts';
import { bucketOrFolderRule, localPathRule, modeRule, section, storageVersionRule, text } from './rules.ts';

/** Where a warehouse can be besides the published file, which is always written. */
const TARGETS = ['duckdb', 'postgres', 'ducklake'] as const;

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
    catalog: catalogSetting(url, resolvePath)
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
  });
  const refined = plain.superRefine(({ target, url: address, catalog, data, extensions }, context) => {
    for (const [name, value] of Object.entries({ url: address, catalog, data, extensions })) {
      const owner = name === 'url' ? 'postgres' : 'ducklake';
      if (value === null || owner === target) continue;
      const message = `belongs to target: ${owner}: set it, or remove this setting`;
      context.addIssue({ code: 'custom', path: [name], message });
    }
    if (target === 'postgres' && address === null) {
      context.addIssue({ code: 'custom', path: ['url'], message: 'is missing: target: postgres needs it' });
    }
  });
  return refined.transform(({ target, catalog, data, extensions, ...settings }) => ({
    ...settings,
    target,
    /** Where a lake is: its catalog (a file, or the address of PostgreSQL), its files, and the extensions that write it. */
    lake:
      target === 'ducklake'
        ? {
            catalog: catalog ?? resolvePath('data/lake.ducklake'),
            data: data ?? resolvePath('data/lake'),
            extensions: extensions ?? resolvePath('data/extensions'),
          }
        : null,
  }));
}

/** A file, or a reference to the address of PostgreSQL. */
function catalogSetting(url: z.ZodType<Secret, string>, resolvePath: (written: string) => string) {
  return z.string().transform((written, context): string | Secret => {
    // Two letters at least: `C:` is a disk.
    const isReference = /^[a-z][a-z0-9+.-]+:/i.test(written);
    const reading = isReference ? url.safeParse(written) : text(localPathRule).safeParse(written);
    if (reading.success) {
      return typeof reading.data === 'string' ? resolvePath(reading.data) : reading.data;
    }
    context.addIssue({ code: 'custom', message: reading.error.issues[0]?.message ?? 'is wrong' });
    return z.NEVER;
  });
}
