import { readdirSync, statSync } from 'node:fs';
import { expect, it } from 'vitest';
import { contentOf } from './file-content.ts';
import { changesOf, MANY, publishChanges, wholeContent } from './publish-changes.ts';
import { withPublished } from './rig.ts';

it('a publish of what changed gives the file that a whole publish gives', async () => {
  await withPublished(MANY, async (rig) => {
    const { connection, addDay, target } = rig;
    await addDay('2025-06-02');
    await connection.run(
      `delete from core.visibility where project_id = 'q1';
         update core.visibility set visibility = 7, _run_id = 'run-2' where project_id = 'q2';
         insert into meta.runs by name select 'run-2' as run_id, timestamp '2025-06-05' as started_at, date '2025-06-05' as sync_day, 'ok' as status;
         insert into meta.settings values ('lookback_days', '9')`,
    );
    const report = await publishChanges(rig);
    expect(report).toMatchObject({
      strategy: 'changed',
      warning: null,
      tables: { 'core.visibility': 41, 'meta.runs': 1 },
    });
    expect(report.checks).toEqual(['one_row_per_day', 'unique_keys', 'unique_meta_keys']);
    expect(statSync(target).mode & 0o777).toBe(0o444);
    expect(await contentOf(target)).toEqual(await wholeContent(rig));
  });
});

it('a publish of what changed copies nothing but the parts that differ', async () => {
  await withPublished(MANY, async (rig) => {
    await rig.addDay('2025-06-02');
    expect(await changesOf(rig)).toMatchObject({
      rows: 1,
      days: ['2025-06-02'],
      tables: [{ schema: 'core', name: 'visibility' }],
    });
  });
});

it('a publish of changes finds a doubled key in a touched day and leaves the published file unchanged', async () => {
  await withPublished('', async (rig) => {
    const before = await contentOf(rig.target);
    await rig.addDay('2025-06-01', 99);
    await expect(publishChanges(rig)).rejects.toThrow('check unique_keys failed: core.visibility: p | day');
    expect(await contentOf(rig.target)).toEqual(before);
    expect(readdirSync(rig.scratch.folder).filter((name) => name.includes('publish'))).toEqual([]);
  });
});

it('a copy that differs from the working file after its changes is rebuilt with a warning', async () => {
  await withPublished(MANY, async (rig) => {
    await rig.addDay('2025-06-02');
    const { connection, target } = rig;
    const report = await rig.publish({ changes: { ...(await changesOf(rig)), tables: [] } });
    expect(report).toMatchObject({
      strategy: 'full',
      warning: expect.stringContaining('core.visibility still differ from the working file') as string,
    });
    const newest = `select cast(value ->> '$[0].compactBytes' as bigint) as bytes from meta.settings where name = 'published_files'`;
    expect(await connection.rows(newest)).toEqual([{ bytes: report.bytes }]);
    expect(await contentOf(target)).toEqual(await wholeContent(rig));
  });
});
