import { readFileSync } from 'node:fs';
import type { Client } from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { secretOf } from '../../src/secret.ts';
import { openRig } from '../flow/rig.ts';
import { newDatabase } from './fleet.ts';
import { withPublished } from '../publish/warehouse-files.ts';
import { bringTo, connect, rounded, targetAt } from './target-content.ts';

const TEMPLATE = readFileSync(
  new URL('../../integrations/postgres/row-level-security.sql', import.meta.url),
  'utf8',
);
const READER = `reader_${String(process.pid)}`;

/** A database, its owner, and a role that reads `organization`. */
async function openAccess(organization: string): Promise<{ url: string; enter: () => Promise<Client> }> {
  const server = await connect(process.env['DATABASE_URL'] ?? '');
  onTestFinished(async () => void (await server.query(`drop role if exists ${READER}, answerlake_reader`)));
  const url = await newDatabase();
  return {
    url,
    enter: async () => {
      const owner = await connect(url);
      await owner.query(TEMPLATE);
      await owner.query(`create role ${READER} login; grant answerlake_reader to ${READER}`);
      await owner.query('insert into access.readers values ($1, $2)', [READER, organization]);
      return await connect(url, READER);
    },
  };
}

it('a reader sees its organization alone in every table and view, and what the owner sees of it', async () => {
  const { url, enter } = await openAccess('org-1');
  await using rig = await openRig({
    world: 'demo',
    today: '2026-07-14',
    startDate: '2026-06-01',
    change: (config) => ({
      ...config,
      warehouse: { ...config.warehouse, target: 'postgres', url: secretOf('env:WAREHOUSE_URL', url) },
    }),
  });
  await rig.sync();
  const owner = await connect(url);
  const { rows: projects } = await owner.query<{ id: string }>(
    'select project_id as id from core.projects order by 1',
  );
  const own = projects[0]?.id ?? '';
  expect(projects.length).toBeGreaterThan(1);
  await owner.query(
    "update core.projects set organization_id = case project_id when $1 then 'org-1' else 'org-2' end",
    [own],
  );
  const reader = await enter();
  const { rows: relations } = await owner.query<{ name: string; has_project: boolean }>(
    `select c.oid::regclass::text as name,
       exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'project_id' and not a.attisdropped) as has_project
     from pg_class c where c.relkind in ('r', 'v') and c.relnamespace in ('core'::regnamespace, 'meta'::regnamespace, 'main'::regnamespace)`,
  );
  const seen = new Map<string, string[]>();
  for (const { name, has_project: hasProject } of relations) {
    const sql = hasProject
      ? `select distinct project_id as id from ${name}`
      : `select '(all)' as id from ${name} limit 1`;
    seen.set(
      name,
      (await reader.query<{ id: string }>(sql)).rows.map(({ id }) => id),
    );
  }
  const ids = [...seen].flatMap(([name, found]) => found.map((id) => `${id} ${name}`));
  const others = ids.filter((text) => projects.some(({ id }) => id !== own && text.startsWith(`${id} `)));
  expect(others).toEqual([]);
  expect(seen.get('meta.runs')).toEqual([]);
  expect(seen.get('core.visibility')).toEqual([own]);
  for (const view of ['daily_kpis', 'kpi_changes', 'citation_rank_trend', 'sync_coverage']) {
    const sql = `select * from main.${view} where project_id = '${own}'`;
    const sorted = async (client: Client): Promise<string[]> =>
      (await client.query(sql)).rows.map((row) => JSON.stringify(row, rounded)).toSorted();
    const wanted = await sorted(owner);
    expect(wanted.length, view).toBeGreaterThan(0);
    expect(await sorted(reader), view).toEqual(wanted);
  }
});

it('a reader gets nothing from a table that an upgrade created again, until the template is run again', async () => {
  const { url, enter } = await openAccess('org-1');
  await withPublished('select 1', async ({ connection, target }) => {
    await bringTo(targetAt(url), connection, target);
    const reader = await enter();
    await reader.query('select * from core.sentiment');
    const owner = await connect(url);
    await owner.query(
      "alter table core.sentiment add column odd text; update meta.target_settings set value = 'older' where name = 'structure'",
    );
    await bringTo(targetAt(url), connection, target);
    await expect(reader.query('select * from core.sentiment')).rejects.toThrow(/permission denied/);
    await owner.query(TEMPLATE);
    await reader.query('select * from core.sentiment');
  });
});
