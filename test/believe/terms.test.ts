import { expect, test } from 'vitest';
import { z } from 'zod';
import { addDays, GRAINS, toDay } from '../../src/day.ts';
import {
  isAnswered,
  IS_ANSWERED,
  isWhole,
  isWholeSql,
  lastOf,
  periodEndSql,
  SLICE_STATUSES,
} from '../../src/believe/terms.ts';
import { openMemoryDatabase } from '../../src/warehouse/database.ts';
import { nameRow } from '../../src/warehouse/connection.ts';

test('a slice is answered when its answer is stored, cut off or not', () => {
  expect(SLICE_STATUSES.filter(isAnswered)).toEqual(['loaded', 'empty', 'not_enabled', 'truncated']);
});

test.each([
  ['2026-03-03', 'day', '2026-03-03'],
  ['2026-03-04', 'week', '2026-03-10'],
  ['2026-02-01', 'month', '2026-02-28'],
  ['window', 'month', 'window'],
] as const)('the period of %s by %s ends on %s', (date, grain, end) => {
  expect(lastOf(date, grain)).toBe(end);
});

const DAYS = Array.from({ length: 40 }, (_, index) => addDays(toDay('2024-02-20'), index));

test('SQL says the same of answered slices, of the ends of periods and of whole ones', async () => {
  await using database = await openMemoryDatabase();
  const connection = await database.connect();
  const answered = await connection.rowsAs(
    nameRow,
    `select status as name from (select unnest($1::varchar[]) as status) where ${IS_ANSWERED}`,
    [SLICE_STATUSES],
  );
  expect(answered.map(({ name }) => name)).toEqual(SLICE_STATUSES.filter(isAnswered));
  const ends = await connection.rowsAs(
    z.object({ day: z.string(), grain: z.enum(GRAINS), last: z.string() }),
    `select day, grain, cast(${periodEndSql('cast(day as date)')} as varchar) as last
     from (select unnest($1::varchar[]) as day), (select unnest($2::varchar[]) as grain)`,
    [DAYS, GRAINS],
  );
  const whole = await connection.rowsAs(
    nameRow,
    `select day as name from (select unnest($1::varchar[]) as day) where ${isWholeSql('cast(day as date)', toDay('2024-03-01'))}`,
    [DAYS],
  );
  expect(whole.map(({ name }) => name)).toEqual(DAYS.filter((day) => isWhole(day, toDay('2024-03-01'))));
  expect(ends).toHaveLength(120);
  expect(ends.map(({ last }) => last)).toEqual(ends.map(({ day, grain }) => lastOf(day, grain)));
});
