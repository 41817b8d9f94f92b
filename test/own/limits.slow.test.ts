import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openSmallWorld, TODAY } from '../cli/small-world.ts';
import { openOwn, serve } from './served.ts';

const LIST = 'key: [id]\ncolumns: { text: [name] }\n';
const NOTES =
  'path: /own/notes\nask: dated\ndate: at\nkey: [id]\nstart_date: 2026-07-05\nrows: items\npages: number\n';
const HOUR_MS = 3_600_000;

test('a short quota ends with 5 only where a built-in slice is owed, and what is own goes on in the next run', async () => {
  await using rig = await openOwn({ notes: NOTES }, { quota: { perHour: 8 } });
  serve(rig, '/own/notes', { rows: () => [], date: 'at' });
  const endpoints = ['prompts', 'notes'];
  const first = await rig.night('2026-07-14', { endpoints });
  expect(first).toMatchObject({ exit_code: 0, failures: [] });
  expect(rig.asked('/own/notes').length).toBeLessThan(10);
  expect((await rig.gaps()).map(({ endpoint }) => endpoint)).toContain('notes');
  rig.simulator.resetRequests();
  await rig.effects.sleep(HOUR_MS + 60_000);
  const second = await rig.sync({
    endpoints: [...endpoints, 'visibility', 'sentiment', 'share_of_voice', 'events'],
  });
  expect(second.exit_code).toBe(5);
  expect(rig.asked('/own/notes')).toEqual([]);
});

test('lists of several projects are suspected only where they are equal', async () => {
  const files = { topics_of: `path: /own/topics\n${LIST}`, labels_of: `path: /own/labels\n${LIST}` };
  await using rig = await openOwn(files, { world: 'demo' });
  const [first = ''] = rig.projectIds;
  const items = ['a', 'b'].map((id) => ({ id, name: id }));
  // All have two labels in common, and the first project has one more.
  rig.answer('/own/labels', ({ projectId }) => {
    return {
      status: 200,
      body:
        projectId === first ? [...items, { id: 'c', name: 'c' }] : [...items, { id: projectId, name: 'x' }],
    };
  });
  rig.answer('/own/topics', () => ({ status: 200, body: items }));
  const { failures, exit_code: code } = await rig.night('2026-07-14', { endpoints: Object.keys(files) });
  expect([code, failures.map(({ endpoint }) => endpoint)]).toEqual([
    3,
    ['topics_of', 'topics_of', 'topics_of'],
  ]);
  expect(
    await rig.rows('select count(*) as n, count(distinct project_id) as projects from own.labels_of'),
  ).toEqual([{ n: 9, projects: 3 }]);
});

test('export has the tables and views of one’s own', async () => {
  const { simulator, run, folder } = await openSmallWorld({ startDate: '2025-02-08' });
  simulator.override('/own/tags', () => ({ status: 200, body: [{ id: 'a', name: 'A', marks: ['x', 'y'] }] }));
  for (const name of ['endpoints', 'views']) mkdirSync(join(folder, name));
  writeFileSync(join(folder, 'endpoints', 'labels.yaml'), `path: /own/tags\n${LIST}each: { marks: text }\n`);
  writeFileSync(join(folder, 'views', 'marks.sql'), 'select project_id, value from own.labels_marks');
  expect((await run(['sync', '--today', TODAY, '--endpoint', 'prompts,labels'])).code).toBe(0);
  const out = join(folder, 'out');
  writeFileSync(
    join(folder, 'views', 'broken.sql'),
    "select error('no rows today') as broken from own.labels",
  );
  expect((await run(['publish'])).code).toBe(0);
  const made = await run(['export', '--schema', 'own', '--output', out]);
  expect(made.stderr).toContain('own.broken keeps its last rows: Invalid Input Error: no rows today');
  expect([made.code, existsSync(out)], made.stderr).toEqual([0, true]);
  const found = readdirSync(out, { recursive: true, encoding: 'utf8' });
  expect(found).toEqual(expect.arrayContaining(['labels', 'labels_marks', 'marks']));
});
