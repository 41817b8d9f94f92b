import { cpSync, rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { TargetReport } from '../../src/targets/target.ts';
import type { Connection } from '../../src/warehouse/connection.ts';
import { doDeed, TABLES } from '../publish/random-nights.ts';
import { NOW, withPublished, type WarehouseFiles } from '../publish/warehouse-files.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { newDatabase } from './fleet.ts';
import { bringUp, differences as ofLake, EXTENSIONS, placeIn } from './lake-reader.ts';
import { bringTo, connect, differences as ofPostgres, targetAt } from './target-content.ts';

const HOUR_MS = 3_600_000;
const PROJECTS = 24;

/** Every table has rows of each project; the last two characters of their ids differ. */
async function fill(connection: Connection): Promise<void> {
  for (const [seed, table] of TABLES.entries()) await doDeed(connection, { table, what: 'insert', seed }, 1);
  for (const table of await tablesOfProjects(connection)) {
    await connection.run(`create or replace temp table one as select * exclude (project_id) from core.${table};
      delete from core.${table};
      insert into core.${table} by name select o.*, 'p' || lpad(i::varchar, 2, '0') as project_id from one o, range(${String(PROJECTS)}) r(i)
      qualify row_number() over (partition by i order by hash(o.rowid, i)) <= 5`);
  }
  await connection.run(`delete from core.projects;
    insert into core.projects by name select 'p' || lpad(i::varchar, 2, '0') as project_id, 'Brand ' || i as name, 'run-1' as _run_id,
      timestamp '2026-03-01' as _changed_at from range(${String(PROJECTS)}) r(i);
    insert into meta.settings values ('sync_day', '2026-03-09'), ('lookback_days', '7')`);
}

async function tablesOfProjects(connection: Connection): Promise<string[]> {
  const sql = `select table_name from duckdb_columns() where schema_name = 'core' and column_name = 'project_id'
    and database_name = current_database() and table_name not in ('api_keys', 'projects') order by 1`;
  return await connection.values(z.string(), sql);
}

/** What happens to a project in a publish: rows change, go or come, it has another name, or it is gone. */
async function change(connection: Connection, project: string, random: () => number): Promise<void> {
  const tables = await tablesOfProjects(connection);
  const chosen = tables.filter(() => random() < 0.4);
  const where = `project_id = '${project}'`;
  if (random() < 0.15) {
    for (const table of [...tables, 'projects'])
      await connection.run(`delete from core.${table} where ${where}`);
    return;
  }
  if (random() < 0.3) await connection.run(`update core.projects set name = name || ' again' where ${where}`);
  for (const table of chosen) {
    const columns = await connection.values(
      z.string(),
      `select column_name from duckdb_columns() where schema_name = 'core' and table_name = $1 and data_type in ('DOUBLE', 'BIGINT')`,
      [table],
    );
    const set = columns.map((name) => `${name} = coalesce(${name}, 0) + 1`).join(', ');
    if (set !== '' && random() < 0.7)
      await connection.run(`update core.${table} set ${set} where ${where} and hash(rowid) % 2 = 0`);
    else await connection.run(`delete from core.${table} where ${where} and hash(rowid) % 3 = 0`);
  }
  await connection.run(`insert into meta.restatements select 'visibility', json_object('project_id', '${project}', 'grain', 'day', 'scope', 'project', 'date', '2026-03-02'),
    'updated', '{"visibility":1}', '{"visibility":2}', 'run-1', timestamp '2026-03-03' + to_seconds(${String(Math.floor(random() * 10_000))}), false`);
}

interface Target {
  bring: (connection: Connection, published: string) => Promise<TargetReport | null>;
  differences: (published: string) => Promise<string[]>;
  /** Keeps the state, and brings it back. */
  backup: () => Promise<() => Promise<void>>;
}

/** Publishes in which nothing, some projects or everything changed. Gives what differs at the end. */
async function overPublishes(open: (files: WarehouseFiles) => Promise<Target>): Promise<string[]> {
  let last: string[] = ['not published'];
  await withPublished('select 1', async (files) => {
    const { connection, target: path } = files;
    const target = await open(files);
    const random = seededRandom(7);
    await fill(connection);
    let now = NOW;
    const publish = async (): Promise<TargetReport> => {
      now += HOUR_MS;
      await files.publish({ now });
      const report = await target.bring(connection, path);
      if (report === null) throw new Error('nothing was published');
      return report;
    };
    const isEqual = async (when: string): Promise<void> =>
      expect([when, await target.differences(path)]).toEqual([when, []]);
    const { computed: all } = await publish();
    await isEqual('first');
    expect(all).toBeGreaterThan(PROJECTS * 20);

    // Nothing but the publish itself.
    expect((await publish()).computed).toBe(0);
    await change(connection, 'p01', () => 0.35);
    expect((await publish()).computed).toBeLessThan(all / 8);
    await isEqual('one project');

    const restore = await target.backup();
    for (let night = 0; night < 4; night += 1) {
      const count = [1, 3, 7, 20][night] ?? 1;
      for (let done = 0; done < count; done += 1)
        await change(connection, `p${String(Math.floor(random() * PROJECTS)).padStart(2, '0')}`, random);
      const { computed } = await publish();
      expect(computed).toBeLessThan(count < 8 ? all / 2 : 2 * all);
      await isEqual(`night ${String(night)}`);
    }
    await restore();
    await change(connection, 'p05', random);
    await publish();
    await isEqual('restored');

    // The day of today and the list of models are everybody's.
    await connection.run("update meta.settings set value = '2026-03-10' where name = 'sync_day'");
    expect((await publish()).computed).toBeGreaterThan(all / 3);
    await isEqual('new day');
    await connection.run("update core.models set label = 'other'");
    await publish();
    last = await target.differences(path);
  });
  return last;
}

describe('a target after publishes in which some projects changed', () => {
  it('is in PostgreSQL what the file is, and the parts of the others are not computed', async () => {
    let url = await newDatabase();
    const found = await overPublishes(async () => ({
      bring: (connection, published) => bringTo(targetAt(url), connection, published),
      differences: (published) => ofPostgres(published, url),
      backup: async () => {
        const [kept, owner] = [await newDatabase(), await connect(new URL('postgres', url).href)];
        const name = (one: string): string => new URL(one).pathname.slice(1);
        await owner.query(`drop database ${name(kept)}`);
        await owner.query(`create database ${name(kept)} template ${name(url)}`);
        return async () => void (url = await Promise.resolve(kept));
      },
    }));
    expect(found).toEqual([]);
  });

  it.skipIf(EXTENSIONS === '')(
    'is in a lake what the file is, and the parts of the others are not computed',
    async () => {
      const found = await overPublishes(async ({ scratch }) => {
        // As a backup has it: the catalog and its files.
        const [folder, kept] = [scratch.path('a lake'), scratch.path('kept')];
        const place = placeIn(folder);
        return {
          bring: (connection, published) => bringUp(connection, published, place),
          differences: (published) => ofLake(published, place),
          backup: async () => {
            cpSync(folder, kept, { recursive: true });
            return async () => {
              rmSync(folder, { recursive: true });
              cpSync(kept, folder, { recursive: true });
            };
          },
        };
      });
      expect(found).toEqual([]);
    },
  );

  it('is computed whole after an upgrade, whose views may say other things of every project', async () => {
    await withPublished('select 1', async (files) => {
      const { connection, target } = files;
      await fill(connection);
      await files.publish();
      const url = await newDatabase();
      await bringTo(targetAt(url), connection, target);
      const owner = await connect(url);
      // As a view of before computed it.
      await owner.query(`update detail.daily_kpis set project_name = 'older';
        update meta.target_parts set digest = regexp_replace(digest, '"[0-9a-f]+"]', '"0"]', 'g') where table_name = 'detail.daily_kpis';
        update meta.target_settings set value = 'older' where name = 'structure'`);
      await change(connection, 'p01', () => 0.35);
      await files.publish({ now: NOW + HOUR_MS });
      await bringTo(targetAt(url), connection, target);
      expect(await ofPostgres(target, url)).toEqual([]);
    });
  });

  it('has what the views say of answers that an endpoint of your own lists', async () => {
    await withPublished('select 1', async (files) => {
      const { connection, target } = files;
      await connection.run(`create schema if not exists own;
        create table own.responses (project_id varchar, prompt_id varchar, date date, mentioned_own_brand boolean, removed_at timestamp);
        insert into own.responses select 'p', 'q' || (i // 2), '2025-06-02', i % 2 = 0 or i < 10, null from range(20) t(i);
        insert into core.prompts by name select 'p' as project_id, 'q' || i as prompt_id, 'ORGANIC' as type, 'run-1' as _run_id, timestamp '2025-06-03' as _changed_at from range(10) t(i);
        insert into core.share_of_voice by name select 'p' as project_id, 'day' as grain, date '2025-06-02' as date, 'project' as scope, 'p' as scope_id, 20 as total_responses, 15 as brand_mentions, 'run-1' as _run_id, timestamp '2025-06-03' as _changed_at;
        insert into meta.asked_days by name select 'responses' as endpoint, 'p' as project_id, 'project' as scope, 'p' as scope_id, date '2025-06-02' as date, date '2025-06-04' as asked_on, 'row' as state`);
      await files.publish({ now: NOW + HOUR_MS });
      const url = await newDatabase();
      await bringTo(targetAt(url), connection, target);
      const { rows } = await (
        await connect(url)
      ).query('select like_these_pct is not null as has from detail.share_of_voice_trend');
      expect(rows).toEqual([{ has: true }]);
      expect(await ofPostgres(target, url)).toEqual([]);
    });
  });
});
