import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { addDays, toDay, type Day } from '../../src/day.ts';
import type { RunReport } from '../../src/run/run-to-end.ts';
import { syncRequest } from '../../src/run/sync-request.ts';
import { runUnpublished, type Rig } from '../flow/rig.ts';
import { openOwn, serve, withFile } from './served.ts';

const FIRST = toDay('2026-07-14');
const dated = (more: string): string =>
  `path: /own/notes\nask: dated\ndate: at\nrows: items\nkey: [id]\npages: { by: number, size: 9 }\nstart_date: 2026-07-05\n${more}`;

/** A night that publishes nothing. */
async function night(rig: Rig, index: number, endpoints: readonly string[]): Promise<RunReport> {
  rig.simulator.setToday(addDays(FIRST, index));
  rig.simulator.resetRequests();
  return await rig.pull({ endpoints });
}

/** A note on each of some days. */
function notesOn(first: string, count: number) {
  return Array.from({ length: count }, (_, index) => {
    const day = addDays(toDay(first), index);
    return { id: day, at: `${day}T10:00:00Z`, text: 'never kept', by: { name: 'Ann', mail: 'never kept' } };
  });
}

const daysAsked = (rig: Rig): Day[] =>
  [...new Set(rig.asked('/own/notes').map(({ startDate = '' }) => toDay(startDate)))].toSorted();

test('rows older than keep_days go without a restatement, and coverage ends there', async () => {
  await using rig = await openOwn({ notes: dated('keep_days: 6\n') });
  serve(rig, '/own/notes', { rows: () => notesOn('2026-07-05', 12), date: 'at', size: 9 });
  await night(rig, 0, ['notes']);
  const range = async () =>
    await rig.workingRows('select min(date) as first, max(date) as last from own.notes');
  expect(await range()).toEqual([{ first: '2026-07-08', last: '2026-07-14' }]);
  expect(await night(rig, 2, ['notes'])).toMatchObject({ exit_code: 0, rows_deleted: 2 });
  expect(await range()).toEqual([{ first: '2026-07-10', last: '2026-07-16' }]);
  expect(await rig.workingRows('from meta.restatements')).toEqual([]);
  expect(daysAsked(rig)[0]).toBe('2026-07-10');
});

test('most_requests bounds a night, and the rest follows: what is new, then the newest days', async () => {
  await using rig = await openOwn({ notes: dated('most_requests: 4\nlookback_days: 1\n') });
  serve(rig, '/own/notes', { rows: () => notesOn('2026-07-05', 14), date: 'at', size: 9 });
  await night(rig, 0, ['notes']);
  expect(daysAsked(rig)).toEqual(['2026-07-11', '2026-07-12', '2026-07-13', '2026-07-14']);
  await night(rig, 1, ['notes']);
  expect(daysAsked(rig)).toEqual(['2026-07-09', '2026-07-10', '2026-07-14', '2026-07-15']);
  for (const index of [2, 3]) await night(rig, index, ['notes']);
  expect(await rig.workingRows('select count(*) as n from own.notes')).toEqual([{ n: 13 }]);
});

test('leave_out is neither stored nor archived', async () => {
  const text = dated('columns: { text: [by.name] }\nleave_out: [text, by.mail]\n');
  await using rig = await openOwn({ notes: text });
  serve(rig, '/own/notes', { rows: () => notesOn('2026-07-13', 1), date: 'at', size: 9 });
  await night(rig, 0, ['notes']);
  expect(await rig.workingRows('select by_name, rest from own.notes')).toEqual([
    { by_name: 'Ann', rest: null },
  ]);
  const { dir } = rig.config.raw;
  const files = readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.gz'),
  );
  const archived = files.map((file) => gunzipSync(readFileSync(join(dir, file))).toString()).join('');
  expect([archived.includes('Ann'), archived.includes('never kept')]).toEqual([true, false]);
});

test('another query asks again for what is stored', async () => {
  await using rig = await openOwn({ notes: dated('') });
  serve(rig, '/own/notes', { rows: () => notesOn('2026-07-05', 10), date: 'at', size: 9 });
  await night(rig, 0, ['notes']);
  const context = withFile(rig, 'notes', dated('query: { sort: at }\n'));
  rig.simulator.resetRequests();
  const request = syncRequest({ maxWaitMs: 0, today: FIRST, endpoints: ['notes'] });
  const run = await runUnpublished(request, context);
  expect(run.warnings.join()).toContain('of notes was changed');
  expect(daysAsked(rig)).toHaveLength(10);
  expect(run).toMatchObject({ rows_updated: 0, rows_deleted: 0 });
});

test('a plan of a day on which rows are older than keep_days counts its requests', async () => {
  await using rig = await openOwn({ notes: dated('keep_days: 6\n') });
  serve(rig, '/own/notes', { rows: () => notesOn('2026-07-05', 12), date: 'at', size: 9 });
  await rig.night('2026-07-14', { endpoints: ['notes'] });
  rig.simulator.setToday(toDay('2026-07-16'));
  await rig.effects.sleep(2 * 86_400_000);
  const { by_project_and_endpoint: planned } = await rig.plan({ endpoints: ['notes'] });
  expect(planned).toMatchObject([{ endpoint: 'notes' }]);
});
