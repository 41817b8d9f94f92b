import { createHash } from 'node:crypto';
import { z } from 'zod';
import { codeOf } from '../../errors.ts';
import { quoteIdentifier, readSql, readSqlFiles, readSqlYaml } from '../../warehouse/sql.ts';
import { type TargetSettings, type TargetSession, createSchemas, SCHEMAS } from './session.ts';
import { nameOf, type TableColumns } from '../../warehouse/tables.ts';
import { commentOn } from '../target.ts';
import { createTable, quoted, columnsText } from './rows.ts';
import { readViewFiles } from '../../publish/published-file.ts';

type Tables = readonly TableColumns[];

const shapeRow = z.object({ name: z.string(), shape: z.string() });

const CREATED = /^create or replace view ((?:main|detail)\.\w+) with/gm;

const textOf = (files: readonly { sql: string }[]): string => files.map(({ sql }) => sql).join('\n');
/** The functions that the views call. */
const createFunctions = (): string => textOf(readSqlFiles('postgres'));
const commentsOn = (table: TableColumns): string => commentOn(table, quoted(table));
const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Changes when tables, views, functions or comments do. */
export function structureDigest(tables: Tables): string {
  const statements = [...tables.map(createTable), createStored(), viewStatements()];
  return digestOf([createFunctions(), ...statements, ...tables.map(commentsOn)].join('\n'));
}

const storedDigest = (): string => digestOf(createStored());

/** Creates or changes schemas, tables, functions and views; returns the names of the tables that are empty now. */
export async function changeStructure(session: TargetSession, tables: Tables, settings: TargetSettings) {
  await session.run(createSchemas());
  await session.run(createFunctions());
  const shapes = await session.rows(shapeRow, readSql('postgres/shapes'), [SCHEMAS]);
  const found = new Map(shapes.map(({ name, shape }) => [name, shape]));
  const changed = tables.filter((table) => found.get(nameOf(table)) !== columnsText(table));
  const known = new Set([...tables.map(nameOf), ...viewNames()]);
  const isGone = (name: string): boolean => !known.has(name);
  const olderViews = listOf(settings.get('views'));
  const goneTables = listOf(settings.get('tables')).filter(isGone);
  const isReplaced =
    changed.some((table) => found.has(nameOf(table))) ||
    goneTables.length > 0 ||
    settings.get('stored') !== storedDigest();
  if (isReplaced) {
    await dropAll(session, 'view', olderViews);
    await dropAll(session, 'table', [...goneTables, ...changed.map(nameOf), ...STORED.map(tableOf)]);
  }
  for (const table of changed) await session.run(createTable(table));
  await session.run(createStored());
  if (isReplaced || !(await replaceViews(session))) {
    await dropAll(session, 'view', olderViews);
    await session.run(viewStatements());
  } else {
    await dropAll(session, 'view', olderViews.filter(isGone));
  }
  await session.run(tables.map(commentsOn).join('\n'));
  return changed.map(nameOf);
}

/** Replaces the views in place, which keeps grants on them and objects that depend on them; false if that is impossible. */
async function replaceViews(session: TargetSession): Promise<boolean> {
  await session.run('savepoint views');
  try {
    await session.run(viewStatements());
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

function viewNames(): string[] {
  return [...viewStatements().matchAll(CREATED)].map(([, name = '']) => name);
}

/** The settings that describe the structure. */
export function structureSettings(tables: Tables) {
  return { tables: tables.map(nameOf).join(','), views: viewNames().join(','), stored: storedDigest() };
}

const STORED = readSqlYaml('postgres/stored-views', z.array(z.string()));

/** A view as the build writes it: its columns with their types, and its query. */
const VIEW = /^create or replace view ((?:main|detail)\.\w+) as select (.*?) from \(\n(.*?)\n\) v;$/gms;
const COLUMN = /cast\(v\."(\w+)" as ([^)]+)\) as "\1"/g;

/** The statements that create all views, those that are stored as views of their rows. */
function viewStatements(): string {
  return textOf(readViewFiles('postgres')).replaceAll(
    VIEW,
    (_, ...[name, columns, query]: [string, string, string]) => {
      const rows = STORED.includes(name) ? tableOf(name) : `(\n${query}\n)`;
      // With the rights of the reader, so that row level security of the tables counts.
      return `create or replace view ${name} with (security_invoker = true) as select ${columns} from ${rows} v;`;
    },
  );
}

/** The statements that create the tables of stored rows. */
function createStored(): string {
  return storedViews()
    .map(({ table, columns }) => {
      const types = [...columns.matchAll(COLUMN)].map(
        ([, name = '', type = '']) => `"${name}" ${type}${type === 'text' ? ' collate "C"' : ''}`,
      );
      const comment = `comment on table ${table} is 'Rows of the view of that name, which each publish stores. Not in the published file.';`;
      return `create table if not exists ${table} (${types.join(', ')});\n${comment}`;
    })
    .join('\n');
}

/** Computes the rows of stored views again; their readers see the old ones until the transaction ends. */
export async function refreshStored(session: TargetSession): Promise<void> {
  // Joins on six columns are estimated at one row: a nested loop of the heatmap took 26 s, its hash join 0.4 s.
  await session.run('set local enable_nestloop = off');
  for (const { table, columns, query } of storedViews()) {
    await session.run(`delete from ${table};
insert into ${table} select ${columns} from (
${query}
) v;
analyze ${table}`);
  }
}

/** Of each, the table of its rows, the select list and the query. */
function storedViews() {
  return readViewFiles('postgres')
    .flatMap(({ sql }) => [...sql.matchAll(VIEW)])
    .filter(([, name = '']) => STORED.includes(name))
    .map(([, name = '', columns = '', query = '']) => ({ table: tableOf(name), columns, query }));
}

function tableOf(name: string): string {
  return `meta.target_${name.replace(/^\w+\./, '')}`;
}
