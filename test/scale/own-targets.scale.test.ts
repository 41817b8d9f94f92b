import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Config } from '../../src/config/config.ts';
import { secretOf } from '../../src/secret.ts';
import { openRig, SMALL } from '../flow/rig.ts';
import { newDatabase } from './fleet.ts';
import { differences as ofLake, EXTENSIONS, LakeReader, placeIn } from './lake-reader.ts';
import { connect, differences as ofPostgres } from './target-content.ts';

const OWN = {
  teams: 'path: /own/teams\nkey: [id]\ncolumns: { text: [name], integer: [n] }\neach: { tags: text }\n',
  counts: 'path: /own/counts\nask: series\ncolumns: { integer: [n] }\n',
};
const VIEWS = {
  team_names: '-- Teams that are listed\nselect project_id, id, name from own.teams where removed_at is null',
  // A name that is no number fails when rows are computed, not when the view is created.
  team_numbers: 'select project_id, id, cast(name as integer) as number from own.teams',
};
const ENDPOINTS = ['projects', 'visibility', ...Object.keys(OWN)];

/** What a target holds of a statement, and what of it is otherwise than in the published file. */
interface Reader {
  rows: (sql: string) => Promise<unknown[]>;
  differences: (published: string) => Promise<string[]>;
}

/** Nights in which rows of one's own change and vanish, and a view fails and works again. Gives what differs at the end. */
async function overNights(
  warehouse: (config: Config) => Partial<Config['warehouse']>,
  read: (config: Config) => Promise<Reader>,
): Promise<string[]> {
  await using rig = await openRig({
    ...SMALL,
    own: OWN,
    change: (config) => ({ ...config, warehouse: { ...config.warehouse, ...warehouse(config) } }),
  });
  const { config, folder } = rig;
  const views = join(folder, 'views');
  mkdirSync(views);
  for (const [name, sql] of Object.entries(VIEWS)) writeFileSync(join(views, `${name}.sql`), sql);
  let teams = ['1', '2', '3'].map((name, index) => ({ id: `t${name}`, name, n: index, tags: [name, 'x'] }));
  let counts = ['2026-07-11', '2026-07-12', '2026-07-13'].map((date, n) => ({ date, n }));
  rig.answer('/own/teams', () => ({ status: 200, body: teams }));
  rig.answer('/own/counts', ({ query }) => {
    const { startDate = '', endDate = '' } = Object.fromEntries(query);
    return { status: 200, body: counts.filter(({ date }) => startDate <= date && date <= endDate) };
  });
  const night = async (day: string): Promise<readonly string[]> => {
    const { exit_code: code, failures, warnings } = await rig.night(day, { endpoints: ENDPOINTS });
    expect([day, code, failures]).toEqual([day, 0, []]);
    return warnings;
  };
  await night('2026-07-14');
  const reader = await read(config);
  const numbers = async () => await reader.rows('select id, number from own.team_numbers order by id');
  expect(await reader.differences(config.warehouse.path)).toEqual([]);
  const first = await numbers();
  expect(first).toHaveLength(3);

  teams = [
    { id: 't1', name: 'one', n: 7, tags: ['y'] },
    { id: 't2', name: '2', n: 1, tags: [] },
  ];
  counts = [
    { date: '2026-07-11', n: 5 },
    { date: '2026-07-13', n: 2 },
  ];
  await night('2026-07-15');
  const warnings = await night('2026-07-16');
  expect(warnings.join('\n')).toMatch(/team_numbers/);
  expect(await numbers()).toEqual(first);
  expect(
    await reader.rows(
      'select id, name, cast(n as varchar) as n, removed_at is not null as is_removed from own.teams order by id',
    ),
  ).toEqual([
    { id: 't1', name: 'one', n: '7', is_removed: false },
    { id: 't2', name: '2', n: '1', is_removed: false },
    { id: 't3', name: '3', n: '2', is_removed: true },
  ]);
  expect(await reader.rows('select id, value from own.teams_tags where removed_at is null')).toEqual([
    { id: 't1', value: 'y' },
  ]);
  expect(await reader.rows('select cast(n as varchar) as n from own.counts order by date')).toEqual([
    { n: '5' },
    { n: '2' },
  ]);
  expect(await reader.rows('select id from own.team_names order by id')).toEqual([
    { id: 't1' },
    { id: 't2' },
  ]);

  teams = teams.map((team, index) => ({ ...team, name: String(index) }));
  rmSync(join(views, 'team_names.sql'));
  await night('2026-07-17');
  expect(await numbers()).toEqual(await rig.rows('select id, number from own.team_numbers order by id'));
  await expect(reader.rows('select 1 from own.team_names')).rejects.toThrow(/does not exist/);
  return await reader.differences(config.warehouse.path);
}

describe('rows and views of your own, changed, vanished and failing over nights', () => {
  it('are in PostgreSQL what they are in the file, a view that fails there with its last rows', async () => {
    const url = await newDatabase();
    const found = await overNights(
      () => ({ target: 'postgres', url: secretOf('env:WAREHOUSE_URL', url) }),
      async () => {
        const client = await connect(url);
        return {
          rows: async (sql) => (await client.query(sql)).rows as unknown[],
          differences: (published) => ofPostgres(published, url),
        };
      },
    );
    expect(found).toEqual([]);
  });

  it.skipIf(EXTENSIONS === '')('are in a lake what they are in the file', async () => {
    const found = await overNights(
      ({ directory }) => ({ target: 'ducklake', lake: placeIn(directory) }),
      async ({ directory }) => ({
        rows: async (sql) => {
          await using reader = await LakeReader.open(placeIn(directory));
          return await reader.connection.rows(sql.replace('own.', 'lake.own.'));
        },
        differences: (published) => ofLake(published, placeIn(directory)),
      }),
    );
    expect(found).toEqual([]);
  });
});
