import { z } from 'zod';
import type { Secret } from '../secret.ts';
import { LAKE_SETTINGS, lakeOf, lakeShape } from './lake.ts';
import { modeRule, storageVersionRule } from './rules.ts';
import { section, text } from './section.ts';

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
        'where readers find the warehouse: duckdb, the published file alone; postgres, a database beside it; ducklake, a lake of Parquet files beside it',
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
