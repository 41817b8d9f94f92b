import { expect, it } from 'vitest';
import { contentOf } from './file-content.ts';
import { MANY, publishChanges, wholeContent } from './publish-changes.ts';
import { withPublished } from './rig.ts';
import { changeFile } from '../support/file-reader.ts';

it.each([
  ['with another value', `update core.visibility set visibility = 99`],
  ['with a view less', `drop view main.daily_kpis`],
])(
  'a publish of changes writes the whole file and warns when another program changed it: %s',
  async (_what, sql) => {
    await withPublished(MANY, async (rig) => {
      await changeFile(rig.target, sql);
      await rig.addDay('2025-06-02');
      const report = await publishChanges(rig);
      expect(report.strategy).toBe('full');
      expect(report.warning).toContain('was not the one that answerlake wrote last');
      expect(await contentOf(rig.target)).toEqual(await wholeContent(rig));
    });
  },
);
