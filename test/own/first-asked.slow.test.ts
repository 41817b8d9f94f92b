import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { replayArchive } from '../../src/replay/replay.ts';
import { openOwn } from './served.ts';

const NOTES =
  'path: /own/notes\nask: dated\ndate: at\nkey: [id]\ncolumns: { text: [name] }\nmax_window_days: 60\n';

test('a dated endpoint goes back 28 days from the night that asked it first, which a replay of the archive alone finds again', async () => {
  await using rig = await openOwn({ notes: NOTES }, { startDate: '2026-01-01' });
  rig.answer('/own/notes', () => ({ status: 200, body: [] }));
  const setting = async () =>
    await rig.workingRows("select value from meta.settings where name = 'first_asked notes'");
  await rig.night('2026-07-10', { endpoints: ['prompts'] });
  expect(await setting()).toEqual([]);
  await rig.night('2026-07-14', { endpoints: ['notes'] });
  expect(rig.asked('/own/notes').at(-1)).toMatchObject({ startDate: '2026-06-16' });
  await rig.night('2026-07-20', { endpoints: ['notes'] });
  expect(await setting()).toEqual([{ value: '2026-07-14' }]);
  const data = dirname(rig.config.warehouse.path);
  for (const name of ['answers.duckdb', 'answers.work.duckdb', '.answers.journal.json'])
    rmSync(join(data, name), { force: true });
  await replayArchive(rig.context, false);
  expect(await setting()).toEqual([{ value: '2026-07-14' }]);
  expect((await rig.plan({ endpoints: ['notes'] })).by_project_and_endpoint).toMatchObject([{ slices: 1 }]);
});
