import { copyFileSync, chmodSync } from 'node:fs';
import { expect, it } from 'vitest';
import { z } from 'zod';
import type { WorldName } from '../../simulator/worlds.ts';
import { addDays, toDay } from '../../src/day.ts';
import type { Connection } from '../../src/warehouse/connection.ts';
import { openDatabase } from '../../src/warehouse/database.ts';
import { readViewFiles } from '../../src/publish/published-file.ts';
import { hasProject, projectOf } from '../../src/warehouse/parts.ts';
import { readSqlData } from '../../src/files.ts';
import { nameOf, readRelations } from '../../src/warehouse/tables.ts';
import { openRig } from '../flow/rig.ts';
import { doDeed, TABLES, WHATS } from '../publish/random-nights.ts';
import { Scratch } from '../support/folder.ts';

const rounded = (_: string, value: unknown): unknown =>
  typeof value === 'number' ? Number(value.toPrecision(9)) : value;

/** What the views of a file say, a text for each row, by view and project. Each view is computed once: a night reads the rows of those before it. */
async function said(connection: Connection, projects: readonly string[]): Promise<Map<string, string>> {
  const names = await connection.values(
    z.string(),
    `select schema_name || '.' || view_name from duckdb_views()
    where database_name = current_database() and schema_name = 'main' and not internal`,
  );
  for (const name of names) await connection.run(`drop view ${name}`);
  await connection.run('drop schema detail cascade; create schema detail');
  for (const { sql } of readViewFiles())
    for (const [, name = '', query = ''] of sql.matchAll(/^create view (\w+\.\w+) as\n([^]*?);$/gm))
      await connection.run(`create table ${name} as ${query}`);
  const found = new Map<string, string>();
  const known = projects.map((project) => `'${project}'`).join(', ');
  const relations = await readRelations(connection, await connection.currentDatabase());
  const views = relations.filter(
    ({ schema, name }) => ['main', 'detail'].includes(schema) && name !== 'figure_days',
  );
  for (const view of views.filter(hasProject)) {
    // Rows of several projects have another word in place of an id.
    const others = await connection.rows(
      `from ${nameOf(view)} where coalesce(project_id, '') not in (${known})`,
    );
    if (others.length > 0) found.set(`${nameOf(view)} *`, String(others.length));
    for (const project of projects) {
      const rows = await connection.rows(
        `select * from ${nameOf(view)} where coalesce(project_id, '') = '${project}'`,
      );
      const texts = rows.map((row) => JSON.stringify(row, rounded)).toSorted();
      found.set(`${nameOf(view)} ${project}`, texts.join('\n'));
    }
  }
  return found;
}

/** The views that say something else of a project in a file that holds this project alone. */
async function acrossProjects(file: string): Promise<Set<string>> {
  using scratch = new Scratch();
  const copyOf = async <T>(use: (connection: Connection) => Promise<T>): Promise<T> => {
    const path = scratch.path('copy.duckdb');
    copyFileSync(file, path);
    await using database = await openDatabase({ path });
    return await use(await database.connect());
  };
  // With '' for rows of no project.
  const projects = await copyOf(async (connection) => {
    const tables = await readRelations(connection, await connection.currentDatabase());
    const ids = tables.flatMap((table) => {
      const of = table.isView ? null : projectOf(table);
      return of === null ? [] : [`select coalesce(${of}, '') from ${nameOf(table)} r`];
    });
    return await connection.values(z.string(), ids.join(' union '));
  });
  const whole = await copyOf((connection) => said(connection, projects));
  const found = new Set<string>();
  for (const project of projects) {
    const alone = await copyOf(async (connection) => {
      for (const table of await readRelations(connection, await connection.currentDatabase())) {
        const of = table.isView ? null : projectOf(table);
        if (of !== null)
          await connection.run(`delete from ${nameOf(table)} r where coalesce(${of}, '') <> '${project}'`);
      }
      return await said(connection, [project]);
    });
    for (const [place, text] of [...alone, ...whole].filter(([one]) => alone.has(one) || one.endsWith(' *')))
      if (whole.get(place) !== text || place.endsWith(' *')) found.add(place.split(' ')[0] ?? '');
  }
  return found;
}

/** What no simulator tells at once: projects of one name, one that no key lists, one that nothing more is asked of. */
const ODD = `
  update core.projects set name = (select min(name) from core.projects);
  delete from meta.settings where name = 'listed:' || (select max(project_id) from core.projects);
  delete from meta.expected_series where project_id = (select max(project_id) from core.projects)`;

/** One brand of three moves as it does one week in thirty: alone that is clear, and beside brands that did not move it is chance. */
const ONE_MOVES = `
  delete from core.events; delete from core.prompt_snapshots; delete from core.share_of_voice; delete from core.sentiment; delete from core.visibility;
  insert into core.visibility by name
  select p.project_id, 'day' as grain, cast(d as date) as date, 'project' as scope, p.project_id as scope_id, 'r' as _run_id, timestamp '2026-07-14' as _changed_at,
    50 + (hash(cast(d as varchar) || p.n) % 1000) / 200.0 + if(d > timestamp '2026-07-07' and p.n = 1, 1.9, 0) as visibility
  from (select project_id, row_number() over (order by project_id) as n from core.projects) p, generate_series(timestamp '2025-09-01', timestamp '2026-07-14', interval 1 day) g(d)`;

async function worldsOf(world: WorldName, startDate: string, use: (file: string) => Promise<void>) {
  using scratch = new Scratch();
  await using rig = await openRig({ world, today: '2026-07-14', startDate });
  const { simulator } = rig;
  await rig.sync();
  const days = { start: addDays(toDay('2026-07-14'), -5), end: addDays(toDay('2026-07-14'), -1) };
  for (const id of rig.projectIds) simulator.restate({ project: id, days, by: 0.2 });
  await rig.night('2026-07-15');
  const file = scratch.path('world.duckdb');
  copyFileSync(rig.config.warehouse.path, file);
  chmodSync(file, 0o644);
  await use(file);
}

it('the views that depend on other projects are those that are declared, and each of them does', async () => {
  const found = new Set<string>();
  const note = async (file: string): Promise<void> => {
    for (const name of await acrossProjects(file)) found.add(name);
  };
  const change = async (file: string, work: (connection: Connection) => Promise<void>): Promise<void> => {
    await using database = await openDatabase({ path: file });
    const connection = await database.connect();
    await work(connection);
    await connection.run('checkpoint');
  };
  await worldsOf('demo', '2026-05-10', async (file) => {
    await note(file);
    for (const sql of [ODD, ONE_MOVES]) {
      await change(file, async (connection) => void (await connection.run(sql)));
      await note(file);
    }
  });
  await worldsOf('hostile', '2026-07-05', async (file) => {
    await note(file);
    for (const seed of [1, 2]) {
      await change(file, async (connection) => {
        for (const [index, table] of TABLES.entries())
          await doDeed(
            connection,
            { table, what: WHATS[(index + seed) % WHATS.length] ?? 'insert', seed },
            seed,
          );
      });
      await note(file);
    }
  });
  const declared = z.array(z.string()).parse(readSqlData('across-projects'));
  expect([...found].toSorted()).toEqual(declared.toSorted());
});
