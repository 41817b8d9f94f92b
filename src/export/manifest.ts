import { z } from 'zod';

/** Readers of a folder skip names that begin with an underscore. */
export const MANIFEST = '_export.json';

const inside = z.string().regex(/^(?!.*(?:^|\/)\.\.(?:\/|$))[^/\\]+(?:\/[^/\\]+)*$/);

const partSchema = z.object({
  /** Where its files are, for example `daily_kpis/<project id>/2025-01`. */
  folder: inside,
  rows: z.number(),
  /** Hash of its rows, in whatever order; null while it is being replaced. */
  content: z.string().nullable(),
  files: z.array(z.object({ name: inside, bytes: z.number() })),
});

const tableSchema = z.object({
  name: z.string(),
  partitions: z.array(z.string()),
  parts: z.array(partSchema),
});

const manifestSchema = z.object({ version: z.literal(2), tables: z.array(tableSchema) });

/** What lies in one folder of an export. */
export type Part = z.output<typeof partSchema>;
/** One view or table of an export, with the levels of folders inside. */
export type ManifestTable = z.output<typeof tableSchema>;
/** What an export wrote: it removes nothing else. */
export type Manifest = z.output<typeof manifestSchema>;

/** Null: the text is not a manifest of answerlake. */
export function parseManifest(text: string): Manifest | null {
  try {
    return manifestSchema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

export function manifestText(tables: readonly ManifestTable[]): string {
  return `${JSON.stringify({ version: 2, tables }, null, 1)}\n`;
}

export function pathsOf(part: Part): string[] {
  return part.files.map(({ name }) => `${part.folder}/${name}`);
}
