import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openSmallWorld, TODAY } from '../cli/small-world.ts';
import { runSync } from '../../src/run/sync.ts';
import { syncRequest } from '../../src/run/sync-request.ts';
import { daysOf, openOwn, serve, withFile } from './served.ts';

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
  const more = ['visibility', 'sentiment', 'share_of_voice', 'events'];
  expect((await rig.sync({ endpoints: [...endpoints, ...more] })).exit_code).toBe(5);
  expect(rig.asked('/own/notes')).toEqual([]);
});

test('lists of several projects are suspected only where they are equal', async () => {
  const files = { topics_of: `path: /own/topics\n${LIST}`, labels_of: `path: /own/labels\n${LIST}` };
  await using rig = await openOwn(files, { world: 'demo' });
  const [first = ''] = rig.projectIds;
  const items = ['a', 'b'].map((id) => ({ id, name: id }));
  // All have two labels in common, and the first project has one more.
  rig.answer('/own/labels', ({ projectId }) => {
    const own = projectId === first ? 'c' : projectId;
    return { status: 200, body: [...items, { id: own, name: 'x' }] };
  });
  rig.answer('/own/topics', () => ({ status: 200, body: items }));
  const { failures, exit_code: code } = await rig.night('2026-07-14', { endpoints: Object.keys(files) });
  const failed = failures.map(({ endpoint }) => endpoint);
  expect([code, failed.join()]).toEqual([3, 'topics_of,topics_of,topics_of']);
  const stored = 'select count(*) as n, count(distinct project_id) as projects from own.labels_of';
  expect(await rig.rows(stored)).toEqual([{ n: 9, projects: 3 }]);
});

test('export has the tables and views of one’s own', async () => {
  const { simulator, run, folder } = await openSmallWorld({ startDate: '2025-02-08' });
  simulator.override('/own/tags', () => ({ status: 200, body: [{ id: 'a', name: 'A', marks: ['x', 'y'] }] }));
  for (const name of ['endpoints', 'views']) mkdirSync(join(folder, name));
  writeFileSync(join(folder, 'endpoints', 'labels.yaml'), `path: /own/tags\n${LIST}each: { marks: text }\n`);
  writeFileSync(join(folder, 'views', 'marks.sql'), 'select project_id, value from own.labels_marks');
  expect((await run(['sync', '--today', TODAY, '--endpoint', 'prompts,labels'])).code).toBe(0);
  const out = join(folder, 'out');
  const broken = "select error('no rows today') as broken from own.labels";
  writeFileSync(join(folder, 'views', 'broken.sql'), broken);
  expect((await run(['publish'])).code).toBe(0);
  const made = await run(['export', '--schema', 'own', '--output', out]);
  expect(made.stderr).toContain('own.broken keeps its last rows: Invalid Input Error: no rows today');
  expect([made.code, existsSync(out)], made.stderr).toEqual([0, true]);
  const found = readdirSync(out, { recursive: true, encoding: 'utf8' });
  expect(found).toEqual(expect.arrayContaining(['labels', 'labels_marks', 'marks']));
});

/** Rows of a day in the worlds of the next test, and how many requests its nights take; each answer ends after twelve rows. */
const LIMITED: Readonly<Record<string, { rowsOf: (day: string) => number; asked: readonly number[] }>> = {
  every_day_cut: { rowsOf: () => 14, asked: [55, 8, 8, 8] },
  two_days_cut: { rowsOf: () => 7, asked: [55, 8, 8, 8] },
  one_day_cut: { rowsOf: (day) => (day === '2026-07-12' ? 20 : 1), asked: [13, 3, 3, 3] },
  grown: { rowsOf: (day) => (day < '2026-07-15' ? 1 : 14), asked: [3, 8, 11, 4] },
  // After a Monday, the days that follow may be like it.
  once_a_week: { rowsOf: (day) => (new Date(day).getUTCDay() === 1 ? 5 : 0), asked: [3, 5, 1, 1] },
};

test('a series that is cut off by its limit asks no more than the days of the look-back alone from the second night on', async () => {
  const words = 'ask: series\nkey: [id]\ncolumns: { integer: [rank] }\nlimit: { limit: 12 }\n';
  const files = Object.keys(LIMITED).map((name) => [name, `path: /own/${name}\n${words}`]);
  await using rig = await openOwn(Object.fromEntries(files), { startDate: '2026-06-26' });
  for (const [name, { rowsOf }] of Object.entries(LIMITED))
    rig.answer(`/own/${name}`, ({ query }) => {
      const { startDate = '', endDate = '', limit = '' } = Object.fromEntries(query);
      const body = daysOf(startDate, endDate).flatMap((date) =>
        Array.from({ length: rowsOf(date) }, (_, id) => ({ date, id: String(id), rank: id })),
      );
      return { status: 200, body: body.slice(0, Number(limit)) };
    });
  const endpoints = Object.keys(LIMITED);
  const counts: Record<string, number[]> = Object.fromEntries(endpoints.map((name) => [name, []]));
  for (const day of ['2026-07-14', '2026-07-15', '2026-07-16', '2026-07-17']) {
    const { exit_code: code, failures } = await rig.night(day, { endpoints });
    expect([code, failures]).toEqual([0, []]);
    for (const name of endpoints) counts[name]?.push(rig.asked(`/own/${name}`).length);
  }
  expect(counts).toEqual(Object.fromEntries(endpoints.map((name) => [name, LIMITED[name]?.asked])));
  const rows = 'select count(*) as n, count(distinct date) as days from own.';
  expect(await rig.rows(`${rows}every_day_cut`)).toEqual([{ n: 22 * 12, days: 22 }]);
  expect(await rig.rows(`${rows}two_days_cut`)).toEqual([{ n: 22 * 7, days: 22 }]);
  const gaps = await rig.gaps();
  const lacking = (name: string): unknown[] => gaps.filter(({ endpoint }) => endpoint === name);
  expect([lacking('every_day_cut').length, lacking('two_days_cut').length]).toEqual([21, 0]);
  expect(lacking('one_day_cut')).toMatchObject([{ date: '2026-07-12' }]);

  // A higher limit asks for all of them again.
  const context = withFile(rig, 'every_day_cut', `path: /own/every_day_cut\n${words.replace('12', '20')}`);
  rig.simulator.resetRequests();
  await runSync({ ...syncRequest({ maxWaitMs: 0 }), today: rig.simulator.today, endpoints }, context);
  expect(await rig.rows(`${rows}every_day_cut`)).toEqual([{ n: 22 * 14, days: 22 }]);
  expect(rig.asked('/own/every_day_cut')).toHaveLength(22);
  expect((await rig.gaps()).filter(({ endpoint }) => endpoint === 'every_day_cut')).toEqual([]);
});
