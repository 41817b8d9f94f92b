import { z } from 'zod';
import { codeOf } from '../../errors.ts';
import type { Secret } from '../../secret.ts';
import { type Connection, nameRow } from '../../warehouse/connection.ts';
import { quoteIdentifier, readSql } from '../../warehouse/sql.ts';
import { nameOf, SCHEMAS } from '../../warehouse/tables.ts';
import { commentOn, type PublishTarget } from '../target.ts';
import { type TargetContent, type TargetSettings, type TargetStore, writeRows } from '../target-rows.ts';
import { columnsText, createTable, quoted, writeChange } from './rows.ts';
import { createSchemas, inSession, readTarget, requireServer, type TargetSession } from './session.ts';

/** The permissions that a publish needs. */
const TRIAL = `begin;
${createSchemas()}
${SCHEMAS.map((schema) => `create table ${schema}.target_trial ();`).join('\n')}
rollback;`;

/** A PostgreSQL database with the content of the published file. */
export function postgresTarget(url: Secret): PublishTarget {
  return {
    name: `PostgreSQL (${url.origin})`,
    bringUpToDate: (source) =>
      inSession(url, async (session) => {
        await requireServer(session, url);
        await session.run(readSql('postgres/begin'));
        using connection = await source.connection.another();
        const report = await writeRows(storeOf(session, connection), { ...source, connection });
        await session.run(report === null ? 'rollback' : 'commit');
        return report;
      }),
    inspect: () =>
      inSession(url, async (session) => {
        const version = await requireServer(session, url);
        const settings = await readTarget(session);
        await session.run(TRIAL);
        return { what: `PostgreSQL ${version}`, publishedAt: settings.get('published_at') ?? null };
      }),
  };
}

function storeOf(session: TargetSession, connection: Connection): TargetStore {
  return {
    where: { setting: 'warehouse.url', rid: `drop the schemas ${SCHEMAS.join(', ')} there` },
    settings: () => readTarget(session),
    rowsAs: (row, sql) => session.rows(row, sql.replaceAll('{target}', '')),
    isWhole: (content) => isWhole(session, content),
    changeStructure: (content, known) => changeStructure(session, content, known),
    // Before the first row, so that no reader sees a row of another project.
    prepare: () => session.run('select meta.target_policies()'),
    write: (change) => writeChange(session, connection, change),
    writeSettings: (settings) => writeTargetSettings(session, settings),
  };
}

const shapeRow = z.object({ name: z.string(), shape: z.string() });

/** The columns of the tables that are there. */
async function readShapes(session: TargetSession): Promise<Map<string, string>> {
  const shapes = await session.rows(shapeRow, readSql('postgres/shapes'), [SCHEMAS]);
  return new Map(shapes.map(({ name, shape }) => [name, shape]));
}

/** Whether all tables and views exist as the last publish created them. */
async function isWhole(session: TargetSession, { relations, viewNames }: TargetContent): Promise<boolean> {
  const found = await readShapes(session);
  if (relations.some((relation) => found.get(nameOf(relation)) !== columnsText(relation))) return false;
  const lost = 'select name from unnest($1::text[]) as name where to_regclass(name) is null';
  return (await session.rows(nameRow, lost, [viewNames])).length === 0;
}

/** Creates or changes schemas, tables, functions and views; what it drops is ours, and nothing else with it. */
async function changeStructure(
  session: TargetSession,
  { relations, viewsSql, viewNames }: TargetContent,
  known: TargetSettings,
): Promise<void> {
  await session.run(createSchemas());
  const found = await readShapes(session);
  // A database of 0.3.0 stored the rows of some views under other names, and its tables had no keys.
  const isOld = known.has('stored');
  const changed = relations.filter(
    (relation) => isOld || found.get(nameOf(relation)) !== columnsText(relation),
  );
  const wanted = new Set([...relations.map(nameOf), ...viewNames]);
  const views = listOf(known.get('views'));
  const gone = [
    ...listOf(known.get('tables')).filter((name) => !wanted.has(name)),
    ...[...found.keys()].filter((name) => isOld && /^meta\.target_(?!settings$)/.test(name)),
  ];
  const dropped = [...gone, ...changed.map(nameOf).filter((name) => isOld || found.has(name))];
  // Views read `detail` alone, and some may be tables now.
  const areReplaced =
    dropped.some((name) => name.startsWith('detail.')) ||
    changed.some((relation) => views.includes(nameOf(relation)));
  if (areReplaced) await dropAll(session, 'view', views);
  await dropAll(session, 'table', dropped);
  if (isOld) await session.run(readSql('postgres/taken-over'));
  await session.run(readSql('postgres/target'));
  for (const relation of changed) await session.run(createTable(relation));
  const viewStatements = [
    readSql('postgres/text-functions'),
    // With the rights of the reader, so that row level security of the tables counts.
    viewsSql.replaceAll(
      /^create view (\S+) as$/gm,
      'create or replace view $1 with (security_invoker = true) as',
    ),
  ].join('\n');
  if (areReplaced) await session.run(viewStatements);
  else if (await replaceViews(session, viewStatements)) {
    const goneViews = views.filter((name) => !wanted.has(name));
    await dropAll(session, 'view', goneViews);
  } else {
    await dropAll(session, 'view', views);
    await session.run(viewStatements);
  }
  await session.run(relations.map((relation) => commentOn(relation, quoted(relation))).join('\n'));
  await session.run('delete from meta.target_parts where table_name = any($1)', [
    [...gone, ...changed.map(nameOf)],
  ]);
  await writeTargetSettings(session, {
    tables: relations.map(nameOf).join(','),
    views: viewNames.join(','),
  });
}

/** Replaces the views in place, which keeps grants on them and objects that depend on them; false if that is impossible. */
async function replaceViews(session: TargetSession, statements: string): Promise<boolean> {
  await session.run('savepoint views');
  try {
    await session.run(statements);
    await session.run('release savepoint views');
    return true;
  } catch (error) {
    // Class 42: a column was renamed or has another type.
    if (codeOf(error)?.startsWith('42') !== true) throw error;
    await session.run('rollback to savepoint views');
    return false;
  }
}

async function dropAll(session: TargetSession, kind: 'table' | 'view', names: readonly string[]) {
  // In one statement, because views depend on each other; nothing else is dropped with them.
  const list = names.map((name) => name.split('.').map(quoteIdentifier).join('.')).join(', ');
  if (list !== '') await session.run(`drop ${kind} if exists ${list}`);
}

function listOf(value: string | null | undefined): string[] {
  return (value ?? '').split(',').filter((name) => name !== '');
}

async function writeTargetSettings(
  session: TargetSession,
  settings: Readonly<Record<string, string>>,
): Promise<void> {
  await session.run(
    `insert into meta.target_settings (name, value) select * from unnest($1::text[], $2::text[])
     on conflict (name) do update set value = excluded.value`,
    [Object.keys(settings), Object.values(settings)],
  );
}
