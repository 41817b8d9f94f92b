import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import type { Config } from '../../src/config/config.ts';
import { addDays } from '../../src/day.ts';
import type { TargetStatus } from '../../src/targets/target.ts';
import { secretOf } from '../../src/secret.ts';
import type { WorldName } from '../../simulator/worlds.ts';
import { openRig } from '../flow/rig.ts';
import { startProgram } from '../support/program.ts';
import { NOW, withPublished } from '../publish/warehouse-files.ts';
import { newDatabase } from './fleet.ts';
import { bringTo, connect, differences, targetAt } from './target-content.ts';

const AWAY = 'postgres://answerlake:hidden-word@127.0.0.1:1/away';

async function openTargetRig(world: WorldName, startDate: string) {
  const url = await newDatabase();
  let current = url;
  const secret = secretOf('env:WAREHOUSE_URL', url, () => current);
  const rig = await openRig({
    world,
    today: '2026-07-14',
    startDate,
    change: (config): Config => ({
      ...config,
      warehouse: { ...config.warehouse, target: 'postgres', url: secret },
    }),
  });
  return {
    ...rig,
    url,
    /** What the target has otherwise than the published file. */
    differences: (options?: { parallel: boolean }) => differences(rig.config.warehouse.path, url, options),
    /** Whether the target can be reached; the rig's later syncs find it or do not. */
    reach: (isThere: boolean): void => {
      current = isThere ? url : AWAY;
      secret.readAgain('', 'the test');
    },
    nextDay: (): void => rig.simulator.setToday(addDays(rig.simulator.today, 1)),
  };
}

/** Settled when a session of the target waits for a lock. */
async function waitsForLock(client: Client): Promise<number> {
  for (;;) {
    const { rows } = await client.query<{ pid: number }>(
      "select pid from pg_stat_activity where application_name = 'answerlake target' and wait_event_type = 'Lock'",
    );
    if (rows[0] !== undefined) return rows[0].pid;
  }
}

it('the target has every row, view and comment of a hostile world; NUL becomes U+FFFD', async () => {
  await using rig = await openTargetRig('hostile', '2026-07-08');
  const putBefore = (text: string): void =>
    rig.simulator.override('prompts', (_, answer) => ({
      ...answer,
      body: JSON.parse(JSON.stringify(answer.body).replaceAll(/"prompt":"/g, `"prompt":"${text}`)) as unknown,
    }));
  putBefore(String.raw`\u0000`);
  await rig.sync();
  expect(await rig.differences({ parallel: true })).toEqual([]);

  // Now the text of a restatement has them, next to each other and next to text that only looks like one.
  putBefore(String.raw`\u0000\u0000 \\u0000 `);
  rig.nextDay();
  await rig.sync();
  const [restated] = await rig.rows(
    "select count(*) as rows from main.restated_values where column_name = 'prompt' and contains(old_value, chr(0))",
  );
  expect(Number(restated?.['rows'])).toBeGreaterThan(0);
  expect(await rig.differences()).toEqual([]);
});

it('a target that missed a night catches up, although the file does not change', async () => {
  await using rig = await openTargetRig('small', '2026-07-09');
  expect(await rig.sync()).toMatchObject({ exit_code: 0 });
  rig.reach(false);
  rig.nextDay();
  const missed = await rig.sync();
  expect(missed).toMatchObject({ exit_code: 7, published: rig.config.warehouse.path });
  expect(missed.failures[0]?.message).toMatch(
    /^warehouse\.url \(env:WAREHOUSE_URL\): PostgreSQL cannot .*ECONNREFUSED/,
  );
  expect(JSON.stringify(missed)).not.toContain('hidden-word');
  const [run] = await rig.workingRows(
    'select exit_code, error_message from meta.runs order by started_at desc limit 1',
  );
  expect(run).toMatchObject({ exit_code: 7, error_message: expect.stringContaining('PostgreSQL') });

  rig.reach(true);
  // Without a replica identity, it would refuse to delete rows.
  await (await connect(rig.url)).query('create publication everything for all tables');
  // Nothing is new on this day.
  expect(await rig.sync()).toMatchObject({ exit_code: 0 });
  expect(await rig.differences()).toEqual([]);
});

it('a target whose writer is killed or cut off holds the old state as a whole, until the next run', async () => {
  await using rig = await openTargetRig('empty', '2026-07-13');
  await rig.sync();
  const [reader, blocker] = [await connect(rig.url), await connect(rig.url)];
  const state = async (): Promise<unknown> =>
    (
      await reader.query(
        'select (select max(date) from core.brand_visibility) as day, (select count(*) from meta.target_parts) as parts, (select max(started_at) from meta.runs) as run',
      )
    ).rows[0];
  const old = await state();
  writeFileSync(
    join(rig.folder, 'answerlake.yaml'),
    `version: 1
api: { base_url: '${rig.simulator.url}' }
accounts: [{ name: acme, api_key: env:KEY }]
sync: { start_date: 2026-07-13 }
warehouse: { target: postgres, url: env:WAREHOUSE_URL, path: '${rig.config.warehouse.path}' }
`,
  );
  rig.nextDay();
  // The tables before this one are written by then.
  await blocker.query('begin; lock table meta.runs in exclusive mode');
  const cutOff = rig.sync();
  await blocker.query('select pg_terminate_backend($1)', [await waitsForLock(reader)]);
  expect(await cutOff).toMatchObject({ exit_code: 7, published: rig.config.warehouse.path });
  expect(await state()).toEqual(old);

  const killed = async (): ReturnType<typeof startProgram>['ended'] => {
    const program = startProgram(['publish'], { cwd: rig.folder, env: { WAREHOUSE_URL: rig.url } });
    await Promise.race([waitsForLock(reader), program.ended]);
    program.child.kill('SIGKILL');
    return await program.ended;
  };
  let ended = await killed();
  // On a slow machine DuckDB may hold the working file a moment longer than the sync of this process.
  while (ended.code === 6) ended = await killed();
  expect(ended).toMatchObject({ signal: 'SIGKILL' });
  await blocker.query('commit');
  expect(await state()).toEqual(old);

  expect(await rig.sync()).toMatchObject({ exit_code: 0 });
  expect(await state()).not.toEqual(old);
  expect((await targetAt(rig.url).inspect()).publishedAt).toMatch(/^20\d\d-\d\d-\d\dT/);
  expect(await rig.differences()).toEqual([]);
});

/** What 0.3.0 left in a database: views where there are tables now, stored rows, functions, and parts with a number of rows. */
const OLD = `drop view main.daily_kpis; drop table detail.daily_kpis, main.sync_settings;
  create view detail.daily_kpis as select null::date as date; create view main.daily_kpis as select date from detail.daily_kpis;
  create view main.sync_settings as select 1 as one; create table meta.target_measure_days (odd text);
  create function meta.year(day date) returns bigint language sql return 1;
  drop table meta.target_parts; create table meta.target_parts (table_name text, part text, row_count bigint not null, digest text);
  insert into meta.target_settings values ('stored', '');
  update meta.target_settings set value = value || ',detail.daily_kpis,main.sync_settings' where name = 'views';
  update meta.target_settings set value = (select string_agg(c.oid::regclass::text, ',') from pg_class c where relkind = 'r' and relnamespace in ('core'::regnamespace, 'meta'::regnamespace) and relname not like 'target%') where name = 'tables'`;

const LONG_KEY = `insert into core.crawler_top_pages by name select 'p' as project_id, 'month' as window_kind, date '2025-05-01' as window_start,
  date '2025-05-31' as window_end, 'project' as scope, 'p' as scope_id, (select string_agg(md5(i::varchar), '') from range(200) t(i)) as request_path,
  'run-1' as _run_id, timestamp '2025-06-01' as _changed_at`;

it('a database of 0.3.0 is taken over, a damaged one repaired, views of others stay, and what blocks a change is named', async () => {
  await withPublished(LONG_KEY, async ({ connection, target }) => {
    const url = await newDatabase();
    const bring = (): Promise<unknown> => bringTo(targetAt(url), connection, target);
    await bring();
    const owner = await connect(url);
    const damage = (sql: string): Promise<unknown> =>
      owner.query(`${sql}; update meta.target_settings set value = 'older' where name = 'structure'`);
    await damage(
      'create view public.mine as select date from main.daily_kpis; alter table core.sentiment add column odd text',
    );
    await bring();
    const found = await owner.query('select count(*) >= 0 as found from public.mine');
    expect(found.rows).toEqual([{ found: true }]);
    const isBlocked = async (): Promise<void> =>
      await expect(bring()).rejects.toMatchObject({
        exitCode: 7,
        message: expect.stringMatching(/depends on.*view public\.mine.*Drop it/) as string,
      });
    await damage('alter table detail.daily_kpis add column odd text');
    await isBlocked();
    for (const sql of [
      'drop view public.mine',
      'drop view main.sync_freshness; create view main.sync_freshness as select 1 as odd',
      `create table core.gone (odd text);
       update meta.target_settings set value = value || ',core.gone' where name = 'tables'`,
      `${OLD}; create view public.mine as select date from main.daily_kpis`,
    ]) {
      await damage(sql);
      if (sql.startsWith(OLD)) {
        await isBlocked();
        await owner.query('drop view public.mine');
      }
      await bring();
      expect(await differences(target, url), sql).toEqual([]);
    }
    const { rows } = await owner.query<{ name: string; identity: string }>(
      `select c.oid::regclass::text as name, relreplident as identity from pg_class c where relkind = 'r' and relnamespace in ('core'::regnamespace, 'meta'::regnamespace)`,
    );
    const identityOf = new Map(rows.map(({ name, identity }) => [name, identity]));
    expect(identityOf.get('core.visibility')).toBe('i');
    // Its key has no room in an index.
    expect(identityOf.get('core.crawler_top_pages')).toBe('f');
    expect([...identityOf].filter(([, identity]) => identity === 'n')).toEqual([]);
    expect([...identityOf.keys()].filter((name) => /target_|year/.test(name)).toSorted()).toEqual([
      'meta.target_parts',
      'meta.target_settings',
    ]);
    const functions = await owner.query(
      "select proname from pg_proc where pronamespace = 'meta'::regnamespace",
    );
    expect(functions.rows).toEqual([{ proname: 'target_policies' }]);
  });
});

it('tables and views that somebody dropped or changed in PostgreSQL are made again by the next publish, even with nothing new', async () => {
  await withPublished(LONG_KEY, async ({ connection, target }) => {
    const url = await newDatabase();
    await bringTo(targetAt(url), connection, target);
    const owner = await connect(url);
    await owner.query(`drop table core.crawler_top_pages; alter table core.sentiment add column odd text;
      alter table core.events drop column action_title cascade; drop view main.daily_kpis`);
    expect(await bringTo(targetAt(url), connection, target)).not.toBeNull();
    expect(await differences(target, url)).toEqual([]);
    expect(await bringTo(targetAt(url), connection, target)).toBeNull();
  });
});

it('rows without a digest, as somebody adds them by hand, are replaced when their part is written', async () => {
  await withPublished(LONG_KEY, async ({ connection, target }) => {
    const url = await newDatabase();
    await bringTo(targetAt(url), connection, target);
    const owner = await connect(url);
    await owner.query(`delete from meta.target_parts;
      update meta.target_settings set value = '' where name = 'published_at'`);
    expect(await bringTo(targetAt(url), connection, target)).not.toBeNull();
    expect(await differences(target, url)).toEqual([]);
  });
});

it('each state in which PostgreSQL refuses ends with what its remedy says', async () => {
  const url = await newDatabase();
  const owner = await connect(url);
  const name = new URL(url).pathname.slice(1);
  const guest = `${name}_guest`;
  onTestFinished(async () => void (await owner.query(`drop owned by ${guest}; drop role ${guest}`)));
  const look = async (change: object): Promise<TargetStatus> =>
    await targetAt(Object.assign(new URL(url), change).href).inspect();
  expect(await look({})).toEqual({ what: expect.stringMatching(/^PostgreSQL \d+/), publishedAt: null });
  const refused: [said: RegExp, remedy: string][] = [
    [/refuses the connection.*Check user and password/s, `create role ${guest} login`],
    [/has no connection left.*Raise max_connections/s, `alter role ${guest} connection limit 5`],
    [
      /lacks a right for the user of this address.*grant it CREATE/s,
      `grant create on database ${name} to ${guest}`,
    ],
  ];
  for (const [index, [said, remedy]] of refused.entries()) {
    if (index === 1) await owner.query(`alter role ${guest} connection limit 0`);
    await expect(look({ username: guest })).rejects.toThrow(said);
    await owner.query(remedy);
  }
  expect(await look({ username: guest })).toMatchObject({ publishedAt: null });
  const other = `${name}_other`;
  const at = { pathname: `/${other}` };
  await expect(look(at)).rejects.toThrow(/has no such database.*Create that database/s);
  await owner.query(`create database ${other} template template0 encoding 'SQL_ASCII' locale 'C'`);
  await expect(look(at)).rejects.toThrow(/encoding UTF8/);
  await owner.query(`drop database ${other}`);
  await owner.query(`create database ${other}`);
  expect(await look(at)).toMatchObject({ publishedAt: null });
  await owner.query(`drop database ${other} with (force)`);
});

it('schemas of another program are refused and not changed, and a second writer waits for the first', async () => {
  await withPublished('select 1', async ({ connection, target }) => {
    const url = await newDatabase();
    const bring = (): Promise<unknown> => bringTo(targetAt(url), connection, target);
    const [first, reader] = [await connect(url), await connect(url)];
    await first.query('create schema core; create table core.mine (a integer)');
    await expect(bring()).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringContaining('has a schema core that answerlake did not make') as string,
    });
    expect((await first.query("select to_regnamespace('meta') as meta")).rows).toEqual([{ meta: null }]);

    await first.query('drop schema core cascade; begin; select pg_advisory_xact_lock(7021449120)');
    const second = bring();
    await waitsForLock(reader);
    await first.query('commit');
    expect(await second).not.toBeNull();
  });
});

it('a target with runs that the published file lacks is left alone, and written once its schemas are dropped: a cloned or restored warehouse', async () => {
  const run =
    "insert into meta.runs (run_id, sync_day, started_at, status) values ('own', '2025-06-01', '2025-06-02', 'ok')";
  await withPublished(run, async ({ connection, target, publish }) => {
    const url = await newDatabase();
    await bringTo(targetAt(url), connection, target);
    await connection.run("update meta.runs set run_id = 'of a clone'");
    await publish({ now: NOW + 1 });
    const refused = await bringTo(targetAt(url), connection, target).catch((error: unknown) => error);
    expect(refused).toMatchObject({
      exitCode: 7,
      message: expect.stringContaining('holds 1 run that the published file lacks') as string,
    });
    const [, schemas = ''] =
      /an address of its own, or drop the schemas ([a-z, ]+) there/.exec(String(refused)) ?? [];
    const owner = await connect(url);
    expect((await owner.query('select run_id from meta.runs')).rows).toEqual([{ run_id: 'own' }]);
    await owner.query(`drop schema ${schemas} cascade`);
    expect(await bringTo(targetAt(url), connection, target)).not.toBeNull();
  });
});
