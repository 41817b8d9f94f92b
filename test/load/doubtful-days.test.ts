import { expect, test } from 'vitest';
import type { LedgerEntry } from '../../src/load/ledger.ts';
import type { ArchivedAnswer } from '../../src/slice.ts';
import { answerOf } from '../support/answers.ts';
import { WarehouseFile } from '../support/warehouse-file.ts';
import { action, eventList, promptList } from './lists.ts';

/** `a b` on the first day, `c` on the next one; an id in capitals is an event of an unknown kind. */
function events(...perDay: readonly string[]): ArchivedAnswer {
  const days = perDay.map((ids, index) => {
    const day = `2026-03-0${String(2 + index)}`;
    const items = ids.split(' ').map((id) => action(id, day, id === id.toUpperCase() ? 'merged' : 'action'));
    return [day, items] as const;
  });
  return eventList(Object.fromEntries(days));
}

/** Loads an answer on two nights, so that what it lacks is gone; returns the second entry. */
async function twice(
  file: WarehouseFile,
  number: number,
  answer: ArchivedAnswer,
): Promise<LedgerEntry | undefined> {
  await file.night(number, [answer]);
  return (await file.night(number + 1, [answer]))[0];
}

test('an event of an unknown kind is drift and blocks the deletes of its own day alone', async () => {
  await using file = await WarehouseFile.open();
  await file.night(1, [events('a b', 'c d', 'e')]);
  const entry = await twice(file, 2, events('a', 'c X', 'e'));
  expect(entry).toMatchObject({ status: 'loaded', rejects: [] });
  expect(await file.rows('select action_id as id from core.events order by 1')).toEqual(
    ['a', 'c', 'd', 'e'].map((id) => ({ id })),
  );
  expect(await file.rows('select path, kind, sample from meta.drift')).toEqual([
    { path: 'events[].items[].type', kind: 'new_enum_value', sample: 'merged' },
  ]);
});

test('a refused point keeps its own day, and a point of no day keeps all', async () => {
  await using file = await WarehouseFile.open();
  const dates = 'select date from core.visibility order by 1';
  const point = (date: string, value: unknown = 1): unknown => ({ date, value });
  const week = ['2026-03-02', '2026-03-03', '2026-03-04', '2026-03-05', '2026-03-06'];
  const whole = week.map((date) => point(date));
  await file.night(1, [answerOf('visibility', whole)]);
  const rest = [...whole.slice(0, 1), ...whole.slice(3)];
  await twice(file, 2, answerOf('visibility', [...rest, point('soon')]));
  expect(await file.rows(dates)).toHaveLength(5);
  await twice(file, 4, answerOf('visibility', [...rest, point('2026-03-03', 'high')]));
  expect(await file.rows(dates)).toEqual(
    ['2026-03-02', '2026-03-03', '2026-03-05', '2026-03-06'].map((date) => ({ date })),
  );
});

test('a refused prompt blocks the removal mark of that prompt alone', async () => {
  await using file = await WarehouseFile.open();
  const present = 'select prompt_id as id from core.prompts where removed_at is null order by 1';
  // A list with more than a tenth unreadable removes nothing.
  const others = Array.from({ length: 12 }, (_, at) => ({ id: `o${String(at).padStart(2, '0')}` }));
  const [a, b, c, d] = [{ id: 'a' }, { id: 'b' }, { id: 'c' }, { id: 'd' }];
  await file.night(1, [promptList(a, b, c, d, ...others)]);
  const refused = { ...b, amountOfResponses: 'many' };
  const entry = await twice(file, 2, promptList(a, refused, d, ...others));
  expect(entry?.rejects).toHaveLength(1);
  expect(await file.rows(present)).toEqual([a, b, d, ...others]);
  // One without an id may be any of them.
  const nameless = { id: null, amountOfResponses: 'many' };
  await twice(file, 4, promptList(a, b, ...others, nameless));
  expect(await file.rows(present)).toEqual([a, b, d, ...others]);
});
