import { expect, test } from 'vitest';
import type { LedgerEntry } from '../../src/load/ledger.ts';
import type { ArchivedAnswer } from '../../src/slice.ts';
import { answerOf } from '../support/answers.ts';
import { WarehouseFile } from '../support/warehouse-file.ts';
import { action, eventList, promptList } from './lists.ts';

/** Loads an answer on two nights, so that what it lacks is gone; returns the second entry. */
async function twice(file: WarehouseFile, number: number, answer: ArchivedAnswer): Promise<LedgerEntry> {
  await file.answered(number, answer);
  return await file.answered(number + 1, answer);
}

test('an event of an unknown kind is drift and blocks the deletes of its own day alone', async () => {
  await using file = await WarehouseFile.open();
  const [first, second] = ['2026-03-02', '2026-03-03'];
  const list = (ids: readonly string[], others: readonly object[]): ArchivedAnswer =>
    eventList({ [first]: ids.map((id) => action(id, first)), [second]: others });
  await file.answered(1, list(['a', 'b'], [action('c', second), action('d', second)]));
  const entry = await twice(file, 2, list(['a'], [action('c', second), action('x', second, 'merged')]));
  expect(entry).toMatchObject({ status: 'loaded', rejects: [] });
  expect(await file.column('select action_id from core.events order by 1')).toEqual(['a', 'c', 'd']);
  expect(await file.rows('select path, kind, sample from meta.drift')).toEqual([
    { path: 'events[].items[].type', kind: 'new_enum_value', sample: 'merged' },
  ]);
});

test('a refused point keeps its own day, and a point of no day keeps all', async () => {
  await using file = await WarehouseFile.open();
  const point = (day: number | 'soon', value: unknown = 1): unknown => ({
    date: `2026-03-0${String(day)}`,
    value,
  });
  const days = 'select day(date) from core.visibility order by 1';
  await file.answered(
    1,
    answerOf(
      'visibility',
      [2, 3, 4, 5, 6].map((day) => point(day)),
    ),
  );
  const rest = [2, 5, 6].map((day) => point(day));
  await twice(file, 2, answerOf('visibility', [...rest, point('soon')]));
  expect(await file.column(days)).toEqual([2, 3, 4, 5, 6]);
  await twice(file, 4, answerOf('visibility', [...rest, point(3, 7), point(3, 8)]));
  expect(await file.column(days)).toEqual([2, 3, 5, 6]);
});

test('a list with an entry without an id loads the others and removes nothing', async () => {
  await using file = await WarehouseFile.open();
  const present = 'select prompt_id from core.prompts where removed_at is null order by 1';
  const list = (...ids: readonly unknown[]): ArchivedAnswer => promptList(...ids.map((id) => ({ id })));
  await file.answered(1, list('a', 'b'));
  // It may be any of them.
  const entry = await twice(file, 2, list('a', null, 'c'));
  expect(entry).toMatchObject({
    status: 'loaded',
    rejects: [{ path: 'prompts[1]' }],
    failure: { alarm: 'bad_row' },
  });
  expect(await file.column(present)).toEqual(['a', 'b', 'c']);
  await twice(file, 4, list('a', 'c'));
  expect(await file.column(present)).toEqual(['a', 'c']);
});

test('an action without a readable day stays as it is known, and its list raises no alarm', async () => {
  await using file = await WarehouseFile.open();
  const day = '2026-03-02';
  await file.answered(1, eventList({ [day]: ['a', 'b', 'c'].map((id) => action(id, day)) }));
  const entry = await twice(file, 2, eventList({ [day]: [action('a', day)], soon: [action('b', day)] }));
  expect(entry).toMatchObject({
    failure: null,
    status: 'loaded',
    rejects: [{ reason: 'its day cannot be read' }],
  });
  expect(await file.column('select action_id from core.events order by 1')).toEqual(['a', 'b']);
});
