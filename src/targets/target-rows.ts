import { createHash } from 'node:crypto';
import { z } from 'zod';
import { computedViews, type SomeRows, VIEW } from '../publish/computed-views.ts';
import { ANSWERS_SETTING, readViewFiles } from '../publish/published-file.ts';
import { type Connection, computeOwnRows, nameRow } from '../warehouse/connection.ts';
import {
  countPieces,
  differences,
  type Differences,
  groupOf,
  hasProject,
  partOf,
  type Parts,
  projectOf,
  readParts,
  shardOf,
  shardsOf,
} from '../warehouse/parts.ts';
import { readSqlData } from '../files.ts';
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

/** What differs of a relation, and the place of its rows. */
export interface TargetChange extends Omit<Differences, 'shards'> {
  relation: TargetRelation;
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

/** Increases when targets store the same content differently. */
const VERSION = 2;

/** The views whose rows of a project depend on other projects too. */
const acrossProjects = z.array(z.string());

/** Settings with the state of publishes and targets: no view of ours reads them. */
const OF_PUBLISH = /^published_|^lake_id$/;

/** More projects than this share of all are computed like all: a filter would cost more than it saves. */
const MAX_SHARE = 0.5;

/** SQL: whether a row `r` of a target is of a piece of `temp.target_stale`. */
export function isStale(relation: Relation): string {
  const piece = `select 1 from temp.target_stale c where c.part is not distinct from ${partOf(relation)}`;
  return `(exists (${piece} and c.shard = ${shardOf(relation)}) or exists (${piece} and c.shard is null))`;
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
 * Gives a target the rows of the published file, computing those of views here; null if it has that content already. Writes only what
 * differs by the digests that the target stores, and computes a view only if a table that it reads has changed, of the projects of that change.
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
  const report = { parts: 0, rows: 0, computed: 0, leftOut };
  const computed = changedViews(source, content);
  await connection.run(`use ${quoteIdentifier(source.catalog)}`);
  try {
    for (const [index, relation] of computed.relations.entries()) {
      const name = nameOf(relation);
      const only = isSame && relation.isView ? await computed.shardsToCompute(relation) : null;
      if (leftOut.has(name) || only?.size === 0) continue;
      const rows = await computed.rowsOf(relation, only);
      const wanted = await readParts(connection, { relation, rows });
      if (relation.isView) report.computed += countPieces(wanted);
      const found = differences(relation, { wanted, held: held.get(name) ?? new Map() }, only);
      if (!relation.isView) computed.note(relation, wanted, found);
      if (found.stale.length > 0) {
        const query = await freshRows(connection, relation, { rows, fresh: found.fresh });
        report.rows += await store.write({ ...found, relation, freshRows: query });
        report.parts += found.digests.size;
      }
      await computed.dropUnread(computed.relations.slice(index + 1).map(nameOf));
    }
  } finally {
    await other.run(`detach ${OWN_ROWS}`);
  }
  await store.writeSettings({ structure, published_at: publishedAt });
  return report;
}

/** SQL: lists as rows of `part` and another column. */
export const unnested = (other: string): string =>
  `(select unnest($1::varchar[]) as part, unnest($2::varchar[]) as ${other})`;

/** The query of the fresh rows `r`, by the values that they have in common: a text for each would take longer. */
async function freshRows(
  connection: Connection,
  relation: Relation,
  at: { rows: string; fresh: Differences['fresh'] },
): Promise<string> {
  await connection.run(
    `create or replace temp table target_fresh as select value, project from temp.target_groups g
     where exists (from ${unnested('shard')} p where p.part is not distinct from g.part and p.shard = g.shard)`,
    [at.fresh.map(({ part }) => part), at.fresh.map(({ shard }) => shard)],
  );
  const [value, project] = groupOf(relation);
  return `from ${at.rows} r where exists (from temp.target_fresh c where c.value is not distinct from ${value} and c.project is not distinct from ${project})`;
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

/** Shards whose rows changed; null: any may have. */
type Shards = ReadonlySet<string> | null;

/** The rows of our views: of all projects, or of those that changed. */
function changedViews({ connection, catalog, settings }: PublishedSource, content: TargetContent) {
  const views = computedViews(connection, settings.get(ANSWERS_SETTING));
  const { order, readsOf } = views;
  const place = (relation: Relation): number =>
    !relation.isView ? -1 : isOwn(relation) ? order.length : order.indexOf(nameOf(relation));
  const relations = content.relations.toSorted((one, other) => place(one) - place(other));
  const across = new Set(acrossProjects.parse(readSqlData('across-projects')));
  const ofProjects = new Map(
    relations.filter((one) => !one.isView && projectOf(one) !== null).map((one) => [nameOf(one), one]),
  );
  const changed = new Map<string, Shards>();
  let all: ReadonlySet<string> = new Set();
  let some: Shards | undefined;
  const ofChanged: SomeRows = {
    prefix: 'changed ',
    ofTable: (name) => {
      const table = ofProjects.get(name);
      return table === undefined
        ? null
        : `from ${name} r where ${shardOf(table)} in (from temp.changed_shards)`;
    },
  };
  /** The shards in which a view may have other rows after the changes of tables. */
  const affected = (name: string): Shards => {
    const found = new Set<string>();
    for (const read of readsOf(name) ?? []) {
      const shards = readsOf(read) === undefined ? changed.get(read) : affected(read);
      if (shards === null) return null;
      for (const shard of shards ?? []) found.add(shard);
    }
    return found;
  };
  /** The shards that changed in any table; null where they are most of all. */
  const changedShards = async (): Promise<Shards> => {
    if (some !== undefined) return some;
    const found = new Set([...changed.values()].flatMap((shards) => [...(shards ?? [])]));
    some = found.size > MAX_SHARE * all.size ? null : found;
    if (some === null) return null;
    await connection.run('create temp table changed_shards (shard varchar)');
    const rows = [...some].map((shard) => ({ shard }));
    await connection.appendRows({ catalog: 'temp', schema: 'main', table: 'changed_shards', rows });
    return some;
  };
  return {
    /** Tables first, then our views in order. */
    relations,
    /** Notes what changed of a table. */
    note: (relation: Relation, wanted: Parts, { shards, digests }: Differences): void => {
      const name = nameOf(relation);
      if (name === 'core.projects') all = shardsOf(wanted);
      const isOfPublish = (part: string | null): boolean =>
        name === 'meta.settings' && OF_PUBLISH.test(part ?? '');
      if ([...digests.keys()].every(isOfPublish)) return;
      changed.set(name, ofProjects.has(name) ? shards : null);
    },
    /** Null: all; none: the view has the rows that it had. */
    shardsToCompute: async (view: Relation): Promise<Shards> => {
      // A user's own view may read anything.
      const shards = isOwn(view) ? null : affected(nameOf(view));
      if (shards?.size === 0) return shards;
      const isApart = hasProject(view) && !across.has(nameOf(view));
      return shards === null || !isApart ? null : await changedShards();
    },
    /** The place of a relation's rows. */
    rowsOf: async (relation: Relation, only: Shards): Promise<string> => {
      if (!relation.isView) return inCatalog(catalog, relation);
      if (isOwn(relation)) return ownRows(nameOf(relation));
      return await views.rowsOf(nameOf(relation), only === null ? undefined : ofChanged);
    },
    dropUnread: views.dropUnread,
  };
}
