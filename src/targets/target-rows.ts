import { createHash } from 'node:crypto';
import { z } from 'zod';
import { readViewFiles } from '../publish/published-file.ts';
import { type Connection, computeOwnRows, nameRow } from '../warehouse/connection.ts';
import { differences, partOf, readParts } from '../warehouse/parts.ts';
import { quoteIdentifier } from '../warehouse/sql.ts';
import { inCatalog, nameOf, readRelations, type Relation } from '../warehouse/tables.ts';
import { requireKnownRuns, type PublishedSource, type TargetReport } from './target.ts';

/** The settings that a target stores: `structure`, and `published_at` of its content; empty if it is new. */
export type TargetSettings = ReadonlyMap<string, string | null>;

/** What a target holds: rows of relations, and views of them. */
export interface TargetContent {
  /** The tables of the file, the views of `detail` that `main` has too, and the independent views of `main`. */
  relations: readonly TargetRelation[];
  /** The statements that create the other views of `main`, with their comments. */
  viewsSql: string;
  viewNames: readonly string[];
}

export interface TargetRelation extends Relation {
  /** Key columns, never NULL; empty if none are declared. */
  key: readonly string[];
}

/** The parts of a relation that differ, and the place of their rows. */
export interface TargetChange {
  relation: TargetRelation;
  stale: readonly (string | null)[];
  fresh: readonly (string | null)[];
  /** Digests of the fresh parts, in the same order. */
  digests: readonly string[];
  /** The query of the fresh rows `r`, without a select list. */
  freshRows: string;
}

/** A database that holds rows, within the transaction of one publish. */
export interface TargetStore {
  settings: () => Promise<TargetSettings>;
  /** The rows of a query, in which `{target}` precedes the names of schemas. */
  rowsAs: <Row>(row: z.ZodType<Row>, sql: string) => Promise<Row[]>;
  /** Whether all tables and views exist as the last publish created them. */
  isWhole: (content: TargetContent) => Promise<boolean>;
  /** Creates what is new and changes what differs; a relation that is empty afterwards has no digests. */
  changeStructure: (content: TargetContent, known: TargetSettings) => Promise<void>;
  /** Writes the rows of a change and the digests of its parts; returns the number of written rows. */
  write: (change: TargetChange) => Promise<number>;
  /** Runs before the first row is written. */
  prepare?: () => Promise<void>;
  writeSettings: (settings: Readonly<Record<string, string>>) => Promise<void>;
  /** For messages: the setting that names the target, and how to remove its content. */
  where: { setting: string; rid: string };
}

const heldRow = z.object({ table_name: z.string(), part: z.string().nullable(), digest: z.string() });
const keyRow = z.object({ name: z.string(), key: z.array(z.string()) });

const VIEW = /^create view (\w+\.\w+) as\n([^]*?);$/gm;
const NAME = /\b(?:core|own|meta|detail|main)\.\w+/g;

/** Increases when targets store the same content differently. */
const VERSION = 1;

/** The parts of a change, in a temporary table: fresh ones with their digests, stale ones without. */
export const FRESH = '(from temp.target_change where digest is not null)';
export const STALE = '(from temp.target_change where digest is null)';

/** SQL: whether a part, the text of a column, is one of `FRESH` or `STALE`. */
export function isIn(parts: string, part: string): string {
  return `exists (select 1 from ${parts} c where c.part is not distinct from ${part})`;
}

async function readContent({ connection, catalog }: PublishedSource): Promise<TargetContent> {
  // The views of `main` that pick rows and columns of `detail`.
  const viewsSql = readViewFiles().find(({ name }) => name === 'main')?.sql ?? '';
  const viewNames = [...viewsSql.matchAll(VIEW)].map(([, name = '']) => name);
  const keys = await connection.rowsAs(
    keyRow,
    `select schema_name || '.' || table_name as name, key from ${catalog}.meta.tables`,
  );
  const keyOf = new Map(keys.map(({ name, key }) => [name, key]));
  const relations = (await readRelations(connection, catalog)).filter((relation) =>
    // Views of `detail` that `main` lacks are helpers.
    relation.schema === 'detail'
      ? viewNames.includes(`main.${relation.name}`)
      : !viewNames.includes(nameOf(relation)),
  );
  return {
    relations: relations.map((relation) => {
      const key = keyOf.get(nameOf(relation)) ?? [];
      const isNullable = relation.columns.some((column) => column.isNullable && key.includes(column.name));
      return { ...relation, key: isNullable ? [] : key };
    }),
    viewsSql,
    viewNames,
  };
}

/**
 * Gives a target the rows of the published file, computing those of views here; null if it has that content already. Writes only the
 * parts whose digests differ from those that the target stores, and computes a view only if a table that it reads has changed.
 * @param source its connection is for this work alone: it ends with another current database and temporary tables
 */
export async function writeRows(store: TargetStore, source: PublishedSource): Promise<TargetReport | null> {
  const { connection, settings: published } = source;
  const content = await readContent(source);
  const settings = await store.settings();
  // A view may return other rows in the same columns.
  const described = JSON.stringify([VERSION, published.get('published_views'), content]);
  const structure = createHash('sha256').update(described).digest('hex');
  const publishedAt = published.get('published_at') ?? '';
  if (settings.has('structure')) {
    const runs = 'select run_id as name from {target}meta.runs order by sequence nulls first, run_id';
    await requireKnownRuns(source, await store.rowsAs(nameRow, runs), store.where);
  }
  const isSame = settings.get('structure') === structure && (await store.isWhole(content));
  if (isSame && settings.get('published_at') === publishedAt) return null;
  if (!isSame) await store.changeStructure(content, settings);
  await store.prepare?.();
  const held = new Map<string, Map<string | null, string>>();
  const parts = 'select table_name, part, digest from {target}meta.target_parts';
  for (const { table_name: name, part, digest } of await store.rowsAs(heldRow, parts)) {
    held.set(name, (held.get(name) ?? new Map<string | null, string>()).set(part, digest));
  }
  using other = await connection.another();
  const leftOut = await computeOwn(other, source, content);
  const report = { parts: 0, rows: 0, leftOut };
  const computed = computedViews(source);
  const changed = new Set<string>();
  await connection.run(`use ${quoteIdentifier(source.catalog)}`);
  try {
    for (const relation of content.relations) {
      const name = nameOf(relation);
      if (leftOut.has(name)) continue;
      if (isSame && relation.isView && !computed.mayDiffer(name, changed)) continue;
      const rows = await computed.rowsOf(relation);
      const wanted = await readParts(connection, { relation, rows });
      const { stale, fresh } = differences(wanted, held.get(name) ?? new Map());
      if (stale.length > 0) {
        changed.add(name);
        await connection.run(`create or replace temp table target_change (part varchar, digest varchar)`);
        const digests = fresh.map((part) => wanted.get(part) ?? '');
        await connection.appendRows({
          catalog: 'temp',
          schema: 'main',
          table: 'target_change',
          rows: [
            ...stale.map((part) => ({ part, digest: null })),
            ...fresh.map((part, index) => ({ part, digest: digests[index] })),
          ],
        });
        const freshRows = `from ${rows} r where ${isIn(FRESH, partOf(relation))}`;
        report.rows += await store.write({ relation, stale, fresh, digests, freshRows });
        report.parts += stale.length;
      }
      await computed.dropUnread(name);
    }
  } finally {
    await other.run(`detach ${OWN_ROWS}`);
  }
  await store.writeSettings({ structure, published_at: publishedAt });
  return report;
}

/** The catalog of the rows of users' own views. */
const OWN_ROWS = 'own_rows';

const isOwn = ({ isView, schema }: Relation): boolean => isView && schema === 'own';

/** Computes users' own views, each within a minute, outside of any transaction: a failing one costs nothing else. Returns the problems of those that failed, by name. */
async function computeOwn(
  other: Connection,
  { catalog }: PublishedSource,
  { relations }: TargetContent,
): Promise<ReadonlyMap<string, string>> {
  const failures = new Map<string, string>();
  await other.run(`attach ':memory:' as ${OWN_ROWS}; use ${quoteIdentifier(catalog)}`);
  for (const relation of relations.filter(isOwn)) {
    const name = nameOf(relation);
    const made = `create table ${ownRows(name)} as from ${inCatalog(catalog, relation)}`;
    const failure = await computeOwnRows(other, made);
    if (failure !== null) failures.set(name, failure);
  }
  return failures;
}

const ownRows = (name: string): string => `${OWN_ROWS}.main.${quoteIdentifier(name)}`;

/** The rows of our views, each computed once, from the rows of those that it reads. */
function computedViews({ connection, catalog }: PublishedSource) {
  /** Our views: queries and the names that they read. */
  const views = new Map(
    readViewFiles().flatMap(({ sql }) =>
      [...sql.matchAll(VIEW)].map(([, name = '', text = '']) => {
        const query = text.replaceAll(/--.*/g, '');
        return [name, { query, reads: new Set(query.match(NAME)) }] as const;
      }),
    ),
  );
  const made = new Set<string>();
  const temporary = (name: string): string => `temp.main.${quoteIdentifier(name)}`;
  const make = async (name: string): Promise<string> => {
    const view = views.get(name);
    if (view !== undefined && !made.has(name)) {
      for (const read of view.reads) await make(read);
      const query = view.query.replaceAll(NAME, (read) => (views.has(read) ? temporary(read) : read));
      await connection.run(`create temp table ${quoteIdentifier(name)} as ${query}`);
      made.add(name);
    }
    return temporary(name);
  };
  /** Whether a view may have other rows after changes of `changed` tables: a user's own view may read anything. */
  const mayDiffer = (name: string, changed: ReadonlySet<string>): boolean => {
    const reads = views.get(name)?.reads;
    if (reads === undefined) return changed.size > 0;
    return [...reads].some((read) => (views.has(read) ? mayDiffer(read, changed) : changed.has(read)));
  };
  return {
    mayDiffer,
    /** The place of a relation's rows. */
    rowsOf: async (relation: Relation): Promise<string> => {
      if (!relation.isView) return inCatalog(catalog, relation);
      return isOwn(relation) ? ownRows(nameOf(relation)) : await make(nameOf(relation));
    },
    /** Frees the memory of rows that no view reads. */
    dropUnread: async (name: string): Promise<void> => {
      if (!made.has(name) || [...views.values()].some(({ reads }) => reads.has(name))) return;
      await connection.run(`drop table ${temporary(name)}`);
    },
  };
}
