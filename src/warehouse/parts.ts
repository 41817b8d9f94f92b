import { z } from 'zod';
import type { Connection } from './connection.ts';
import { quoteIdentifier } from './sql.ts';
import { type Column, nameOf, type TableColumns } from './tables.ts';

/** SQL: digest of a set of rows `r`, independent of their order. Two versions of DuckDB may give the same rows different digests. */
export const DIGEST = "concat_ws(' ', count(*), sum(cast(hash(r) as hugeint)), bit_xor(hash(r)))";

/** PostgreSQL stores no NUL character, so a part has none in its name. */
export const NUL = ['chr(0)', 'chr(65533)'] as const;

/** The columns that divide a relation, in order of preference: a night touches few days, windows and runs, and years create few parts. */
const DIVIDING = ['date', 'window_start', 'run_id', 'project_id'];

/** The column whose values divide a relation into parts. */
export function partColumn({ columns }: TableColumns): Column {
  const found = DIVIDING.flatMap((name) => columns.filter((column) => column.name === name));
  const column = found[0] ?? columns[0];
  if (column === undefined) throw new Error('a relation has no column');
  return column;
}

/** SQL: the part of a row `r`, as text. */
export function partOf(relation: TableColumns): string {
  return textOf(`r.${quoteIdentifier(partColumn(relation).name)}`);
}

const textOf = (value: string): string => `replace(cast(${value} as varchar), ${NUL.join(', ')})`;

/** Where no column names the project of a row. */
const PROJECTS: Readonly<Record<string, string>> = {
  'meta.restatements': "json_extract_string(r.key, '$.project_id')",
};

/** Whether a column names the project of each row. */
export function hasProject({ columns }: TableColumns): boolean {
  return columns.some(({ name, type }) => name === 'project_id' && type === 'VARCHAR');
}

/** SQL: the project of a row `r`; null for a relation that is not about projects. */
export function projectOf(relation: TableColumns): string | null {
  return hasProject(relation) ? 'r.project_id' : (PROJECTS[nameOf(relation)] ?? null);
}

/** SQL: the shard of a row `r`: its projects share the end of their ids, so that there are some hundred shards of any number of projects. */
export function shardOf(relation: TableColumns): string {
  const project = projectOf(relation);
  return project === null ? "''" : shardOfProject(project);
}

const shardOfProject = (project: string): string => `coalesce(right(${textOf(project)}, 2), '')`;

/** By part: the digests of its shards, as a JSON list of pairs. */
export type Parts = ReadonlyMap<string | null, string>;

const partRow = z.object({ part: z.string().nullable(), digest: z.string() });

/** The parts of a relation with the rows of `rows`, the name of a table or view; the temporary table `target_groups` then has them by the values of their columns. */
export async function readParts(
  connection: Connection,
  { relation, rows }: { relation: TableColumns; rows: string },
): Promise<Parts> {
  const [value, project] = groupOf(relation);
  // Grouped by the plain values: their texts take longer to make than digests.
  await connection.run(
    `create or replace temp table target_groups as
     select value, project, ${textOf('value')} as part, ${shardOfProject('project')} as shard, rows, total, mix from (
       select ${value} as value, ${project} as project, count(*) as rows, sum(cast(hash(r) as hugeint)) as total, bit_xor(hash(r)) as mix
       from ${rows} r group by 1, 2
     )`,
  );
  const parts = await connection.rowsAs(
    partRow,
    `select part, cast(to_json(list([shard, printf('%x', digest)] order by shard)) as varchar) as digest
     from (select part, shard, hash(sum(rows), sum(total), bit_xor(mix)) as digest from temp.target_groups group by 1, 2) group by 1`,
  );
  return new Map(parts.map(({ part, digest }) => [part, digest]));
}

/** SQL: `value` and `project` of a row `r` in `target_groups`. */
export function groupOf(relation: TableColumns): [value: string, project: string] {
  return [`r.${quoteIdentifier(partColumn(relation).name)}`, projectOf(relation) ?? "''"];
}

/** Rows of a part: of one shard, or all. */
export interface Piece {
  part: string | null;
  shard: string | null;
}

const pairs = z.array(z.tuple([z.string(), z.string()]));

/** Digest by shard; null if an older version wrote it. */
function readShards(digest = '[]'): Map<string, string> | null {
  return digest.startsWith('[') ? new Map(pairs.parse(JSON.parse(digest))) : null;
}

/** All shards of a relation. */
export function shardsOf(parts: Parts): ReadonlySet<string> {
  return new Set([...parts.values()].flatMap((digest) => [...(readShards(digest)?.keys() ?? [])]));
}

/** How many shards of parts there are. */
export function countPieces(parts: Parts): number {
  return [...parts.values()].reduce((sum, digest) => sum + digest.split('],[').length, 0);
}

/** What differs between two states of a relation. */
export type Differences = ReturnType<typeof differences>;

/** The rows to remove and to add so that `held` becomes `wanted`. @param only the shards that were computed; null: all */
export function differences(
  relation: TableColumns,
  { wanted, held }: { wanted: Parts; held: Parts },
  only: ReadonlySet<string> | null = null,
) {
  /** Whose rows to remove, and whose to add once the stale ones are gone. */
  const found = { stale: [] as Piece[], fresh: [] as { part: string | null; shard: string }[] };
  /** What to keep of the parts that changed; null: the part is gone. */
  const digests = new Map<string | null, string | null>();
  /** The shards that differ. */
  const shards = new Set<string>();
  for (const part of new Set([...held.keys(), ...wanted.keys()])) {
    if (held.get(part) === wanted.get(part)) continue;
    const old = readShards(held.get(part));
    const isComputed = ([shard]: [string, string]): boolean => only === null || only.has(shard);
    const now = new Map([
      ...[...(readShards(wanted.get(part)) ?? [])].filter(isComputed),
      ...[...(old ?? [])].filter((pair) => !isComputed(pair)),
    ]);
    const differing = [...new Set([...(old?.keys() ?? []), ...now.keys()])].filter(
      (shard) => old?.get(shard) !== now.get(shard),
    );
    if (old !== null && differing.length === 0) continue;
    for (const shard of differing) shards.add(shard);
    // Rows that were added by hand have no digest. A target finds rows by their columns alone.
    const isWhole =
      !hasProject(relation) || [...(old?.keys() ?? [])].every((shard) => differing.includes(shard));
    const stale = isWhole ? [null] : differing;
    found.stale.push(...stale.map((shard) => ({ part, shard })));
    const fresh = isWhole ? [...now.keys()] : differing.filter((shard) => now.has(shard));
    found.fresh.push(...fresh.map((shard) => ({ part, shard })));
    const sorted = [...now].toSorted(([one], [other]) => (one < other ? -1 : 1));
    digests.set(part, sorted.length === 0 ? null : JSON.stringify(sorted));
  }
  return { ...found, digests, shards };
}
