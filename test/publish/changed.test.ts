import { chmodSync, copyFileSync, readdirSync, statSync } from 'node:fs';
import { expect, it } from 'vitest';
import { publishNeeded } from '../../src/publish/needed.ts';
import type { PublishReport } from '../../src/publish/publish.ts';
import { openDatabase } from '../../src/warehouse/database.ts';
import { contentOf } from './file-content.ts';
import { readTarget, withPublished, withRig, type Rig } from './rig.ts';

/** Publishes what changed into the last file, however small that is. */
async function publishChanges({ connection, target, publish }: Rig, leastBytes = 0): Promise<PublishReport> {
  const need = await publishNeeded({ connection, targetPath: target, storageVersion: 'v1.0.0' });
  if (need === undefined) throw new Error('nothing changed');
  return await publish({ changes: need.changes, leastBytes });
}

/** The same working file, published whole into another file. */
async function wholeContent({ scratch, publish }: Rig): Promise<Record<string, string>> {
  await publish({ targetPath: scratch.path('whole.duckdb') });
  return await contentOf(scratch.path('whole.duckdb'));
}

const MANY = `insert into core.visibility select v.* replace ('q' || i as project_id, 'q' || i as scope_id, date '2025-05-01' + cast(i % 20 as integer) as date)
  from core.visibility v, range(40) r(i)`;

it.each([
  ['changed', 0],
  ['rewritten', 1e9],
] as const)(
  'a publish of what changed gives the file that a whole publish gives: %s',
  async (way, leastBytes) => {
    await withPublished(MANY, async (rig) => {
      const { connection, addDay, target } = rig;
      await addDay('2025-06-02');
      await connection.run(
        `delete from core.visibility where project_id = 'q1';
         update core.visibility set visibility = 7, _run_id = 'run-2' where project_id = 'q2';
         insert into meta.runs by name select 'run-2' as run_id, timestamp '2025-06-05' as started_at, date '2025-06-05' as sync_day, 'ok' as status;
         insert into meta.settings values ('lookback_days', '9')`,
      );
      const report = await publishChanges(rig, leastBytes);
      expect(report).toMatchObject({ way, warning: null, tables: { 'core.visibility': 41, 'meta.runs': 1 } });
      expect(report.checks).toEqual(['unique_keys', 'unique_meta_keys', 'one_row_per_day']);
      expect(statSync(target).mode & 0o777).toBe(0o444);
      expect(await contentOf(target)).toEqual(await wholeContent(rig));
    });
  },
);

it('a publish of what changed copies nothing but the parts that differ', async () => {
  await withPublished(MANY, async (rig) => {
    await rig.addDay('2025-06-02');
    const { connection, target } = rig;
    const need = await publishNeeded({ connection, targetPath: target, storageVersion: 'v1.0.0' });
    expect(need?.changes).toMatchObject({
      rows: 1,
      days: ['2025-06-02'],
      tables: [{ schema: 'core', name: 'visibility' }],
    });
  });
});

it('a publish of what changed finds a key that is doubled within a touched day and leaves the published file as it is', async () => {
  await withPublished('', async (rig) => {
    const before = await contentOf(rig.target);
    await rig.addDay('2025-06-01', 99);
    await expect(publishChanges(rig)).rejects.toThrow('check unique_keys failed: core.visibility: p | day');
    expect(await contentOf(rig.target)).toEqual(before);
    expect(readdirSync(rig.scratch.folder).filter((name) => name.includes('publish'))).toEqual([]);
  });
});

it.each([
  ['with another value', `update core.visibility set visibility = 99`],
  ['with a view less', `drop view main.daily_kpis`],
])(
  'a publish of what changed is made anew and warns when somebody changed the published file: %s',
  async (_what, sql) => {
    await withPublished(MANY, async (rig) => {
      chmodSync(rig.target, 0o644);
      {
        await using database = await openDatabase({ path: rig.target });
        await (await database.connect()).run(sql);
      }
      await rig.addDay('2025-06-02');
      const report = await publishChanges(rig);
      expect(report.way).toBe('anew');
      expect(report.warning).toContain('was not the one that answerlake wrote last');
      expect(await contentOf(rig.target)).toEqual(await wholeContent(rig));
    });
  },
);

it('a publish of what changed is made anew and warns when the published file is one of another warehouse', async () => {
  await withPublished('', async (rig) => {
    await withRig(async (other) => {
      await other.addDay('2025-05-30');
      await other.publish();
      chmodSync(rig.target, 0o644);
      copyFileSync(other.target, rig.target);
    });
    await rig.addDay('2025-06-02');
    expect((await publishChanges(rig)).warning).toContain('was not the one');
    expect(await readTarget(rig.target, 'select date from daily_kpis order by date')).toEqual([
      { date: '2025-06-01' },
      { date: '2025-06-02' },
    ]);
  });
});

it('a publish of what changed is made anew when a table is another one', async () => {
  await withPublished('', async (rig) => {
    await rig.connection.run(
      `alter table core.visibility add column extra varchar; comment on column core.visibility.extra is 'More.'`,
    );
    expect(await publishChanges(rig)).toMatchObject({ way: 'anew', warning: null });
  });
});
