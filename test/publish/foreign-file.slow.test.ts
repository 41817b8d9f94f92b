import { chmodSync, copyFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { openDatabase } from '../../src/warehouse/database.ts';
import { contentOf } from './file-content.ts';
import { MANY, publishChanges, wholeContent } from './publish-changes.ts';
import { readTarget, withPublished, withRig } from './rig.ts';

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
      expect(report.strategy).toBe('anew');
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
    expect(await publishChanges(rig)).toMatchObject({ strategy: 'anew', warning: null });
  });
});
