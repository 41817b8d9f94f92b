import { z } from 'zod';

/**
 * A JSON value a line, so that warehouses read it as a table. It is written after the files that it names, and readers of Parquet
 * do not take it for one.
 */
export const MANIFEST = 'manifest.ndjson';

const VERSION = 3;

const inside = z.string().regex(/^(?!.*(?:^|\/)\.\.(?:\/|$))[^/\\]+(?:\/[^/\\]+)*$/);

const tableSchema = z.object({
  table: z.string(),
  /** The levels of folders inside. */
  partitions: z.array(z.string()),
  /** With DuckDB's types. */
  columns: z.array(z.object({ name: z.string(), type: z.string() })),
});

const fileSchema = z.object({
  /** `deleted`: replaced or gone, and perhaps still there. `pending`: the next export may have written it. */
  kind: z.enum(['file', 'deleted', 'pending']),
  table: z.string(),
  /** Its name is the hash of its rows, so a file never changes: `daily_kpis/<project id>/2025-01/<hash>.parquet`. */
  path: inside,
  rows: z.number(),
  bytes: z.number(),
});

const lineSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('export'),
    version: z.literal(VERSION),
    /** Id of the project that alone is in it; null for all. */
    project: z.string().nullable().default(null),
  }),
  tableSchema.extend({ kind: z.literal('table') }),
  fileSchema,
]);

/** One view or table of an export. */
export type ManifestTable = z.output<typeof tableSchema>;
export type ManifestFile = z.output<typeof fileSchema>;

/** What an export wrote: it removes nothing else. */
export interface ExportManifest {
  project: string | null;
  tables: ManifestTable[];
  files: ManifestFile[];
}

/** Null: the text is not a manifest of answerlake. */
export function parseManifest(text: string): ExportManifest | null {
  try {
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line) => lineSchema.parse(JSON.parse(line)));
    const [head] = lines;
    if (head?.kind !== 'export') return null;
    return {
      project: head.project,
      tables: lines.flatMap((line) => (line.kind === 'table' ? [tableSchema.parse(line)] : [])),
      files: lines.flatMap((line) => (line.kind === 'export' || line.kind === 'table' ? [] : [line])),
    };
  } catch {
    return null;
  }
}

export function manifestText({ project, tables, files }: ExportManifest): string {
  const lines = [
    { kind: 'export', version: VERSION, ...(project === null ? {} : { project }) },
    ...tables.map(({ table, partitions, columns }) => ({ kind: 'table', table, partitions, columns })),
    ...files,
  ];
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}
