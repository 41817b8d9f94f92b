import { expect, it } from 'vitest';
import { z } from 'zod';
import { addDays, toDay, type Day, daySchema } from '../../src/day.ts';
import { rangesOf } from '../../src/plan/coverage.ts';
import { selectDayBlocks } from '../../src/run/ledger.ts';
import { openDatabase } from '../../src/warehouse/database.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { Scratch } from '../support/folder.ts';

const FIRST = toDay('2024-01-01');
const COUNT = 400;
const blockRow = z.object({ name: z.string().nullable(), block: daySchema, bits: z.number() });

interface Window {
  name: string | null;
  first: Day;
  last: Day;
}

function randomWindows(seed: number): Window[] {
  const random = seededRandom(seed);
  const upTo = (most: number): number => Math.floor(random() * most);
  return Array.from({ length: 40 }, () => {
    const first = addDays(FIRST, upTo(COUNT));
    // One in some ends before it begins: it covers nothing.
    const length = random() < 0.2 ? upTo(160) : upTo(6) - 1;
    return { name: random() < 0.3 ? null : `s${String(upTo(2))}`, first, last: addDays(first, length) };
  });
}

/** Day by day. */
function covered(windows: readonly Window[]): Day[] {
  const last = addDays(FIRST, COUNT + 200);
  const days: Day[] = [];
  for (let day = FIRST; day < last; day = addDays(day, 1)) {
    if (windows.some((window) => window.first <= day && day <= window.last)) days.push(day);
  }
  return days;
}

it.each([1, 2, 3, 4, 5, 6])(
  'days of many windows come back as ranges that neither touch nor overlap (seed %i)',
  async (seed) => {
    using scratch = new Scratch();
    await using database = await openDatabase({ path: scratch.path('days.duckdb') });
    const connection = await database.connect();
    await connection.run('create table windows (name varchar, first_day date, last_day date)');
    const windows = randomWindows(seed);
    await connection.appendRows({
      table: 'windows',
      rows: windows.map(({ name, first, last }) => ({ name, first_day: first, last_day: last })),
    });
    const rows = await connection.rowsAs(blockRow, selectDayBlocks('select * from windows', 'name'));
    for (const name of [null, 's0', 's1']) {
      const ranges = rangesOf(rows.filter((row) => row.name === name));
      const days = ranges.flatMap(({ start, end }) => covered([{ name, first: start, last: end }]));
      expect(days).toEqual(covered(windows.filter((window) => window.name === name)));
      const touching = ranges.filter(({ end }) => ranges.some(({ start }) => start === addDays(end, 1)));
      expect(touching).toEqual([]);
      expect(ranges.map(({ start }) => start)).toEqual(ranges.map(({ start }) => start).toSorted());
    }
  },
);
