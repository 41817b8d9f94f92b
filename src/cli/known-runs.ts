import { z } from 'zod';
import type { PublishedFile } from '../publish/published-file.ts';
import type { Journal } from '../run/journal.ts';
import { quoteIdentifier, quoteLiteral } from '../warehouse/quote.ts';

/** Makes `known_runs` and `known_quotas` for the queries of `status`, with the columns of `meta.runs` and `meta.quotas`. */
export async function addKnownRuns(file: PublishedFile, { runs, quotas }: Journal): Promise<void> {
  await addKnown(file, 'runs', runs);
  await addKnown(file, 'quotas', quotas);
}

async function addKnown(
  file: PublishedFile,
  name: string,
  rows: readonly Readonly<Record<string, unknown>>[],
): Promise<void> {
  const described = await file.rowsAs(
    z.object({ column_name: z.string(), column_type: z.string() }),
    `select column_name, column_type from (describe meta.${quoteIdentifier(name)})`,
  );
  const types = Object.fromEntries(described.map(({ column_name: name, column_type: type }) => [name, type]));
  const columns = Object.keys(types);
  const known = quoteLiteral(JSON.stringify(rows.map((row) => pick(row, columns))));
  const shape = quoteLiteral(JSON.stringify([types]));
  await file.run(
    `create temp table known_${name} as
     select ${columns.map(quoteIdentifier).join(', ')}
     from (select unnest(from_json(${known}, ${shape}), recursive := true))`,
  );
}

function pick(row: Readonly<Record<string, unknown>>, columns: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    columns.map((column) => {
      const value = row[column] ?? null;
      return [column, typeof value === 'string' ? value.replace(INSTANT_END, '') : value];
    }),
  );
}

// An instant of the journal is UTC, and so is a TIMESTAMP of the warehouse.
const INSTANT_END = /(?<=^\d{4}-\d\d-\d\dT[\d:.]+)Z$/;
