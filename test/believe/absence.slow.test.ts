import { expect, it } from 'vitest';
import { catalogue, endpointNamed } from '../../src/endpoints/catalogue.ts';
import { keepDays, numbersOfDay } from '../attack/day-entries.ts';
import { put } from '../attack/json-places.ts';
import { expectHealed, openNights, PROJECT_ONLY, withSync, type Nights } from './nights.ts';

const SERIES = catalogue.filter(({ cut }) => cut.kind === 'series');
/** Each has a table of its own name. */
const TABLES = SERIES.map(({ name }) => name);
const ALL = { endpoints: TABLES };
/** What the figures of a day become when they say nothing. */
const EMPTIED = {
  visibility: null,
  sentiment: null,
  share_of_voice: 0,
  brand_visibility: 0,
  citation_ranks: 0,
  response_sentiment: 0,
} as const;

async function rowsOf(nights: Nights, day: string): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {};
  for (const table of TABLES) {
    const sql = `select * exclude (_run_id, _changed_at) from core.${table} where date = date '${day}' order by all`;
    found[table] = await nights.rows(sql);
  }
  return found;
}

async function tablesVanishing(nights: Nights): Promise<unknown> {
  return await nights.rows(
    `select distinct table_name, change, witnessed_on from meta.vanishing where table_name <> 'brands' order by all`,
  );
}

function expectedVanishing(tables: readonly string[], change: string, day: string): unknown {
  return tables.toSorted().map((table) => ({ table_name: table, change, witnessed_on: day }));
}

function lack(nights: Nights, missing: string): void {
  for (const { path } of SERIES)
    nights.alter(path, (body) => {
      keepDays(body, (day) => day !== missing);
      return body;
    });
}

function empty(nights: Nights, day: string): void {
  for (const [name, to] of Object.entries(EMPTIED))
    nights.alter(endpointNamed(name).path, (body) => {
      for (const place of numbersOfDay(body, day)) put(place, to);
      return body;
    });
}

it('a day that vanishes on its last look-back night is asked again later, and stands if it comes back', async () => {
  await using nights = await openNights(PROJECT_ONLY);
  await nights.night('2026-07-14', ALL);
  lack(nights, '2026-07-10');
  await nights.night('2026-07-15', ALL);
  expect(await tablesVanishing(nights)).toEqual(expectedVanishing(TABLES, 'gone', '2026-07-15'));
  nights.repair();
  // The look-back of this night begins on 07-14.
  expect(await nights.night('2026-07-20', ALL)).toMatchObject({ exit_code: 0, rows_deleted: 0 });
  for (const { path } of SERIES)
    expect(
      nights.asked(path).some(({ startDate = '' }) => startDate <= '2026-07-10'),
      path,
    ).toBe(true);
  expect(await tablesVanishing(nights)).toEqual([]);
  await expectHealed(nights, { days: ['2026-07-21', '2026-07-22'], tables: TABLES, request: ALL });
  for (const { path } of SERIES)
    expect(
      nights.asked(path).every(({ startDate = '' }) => startDate > '2026-07-10'),
      path,
    ).toBe(true);
});

it('figures of a closed day that one answer empties stand, and two nights empty them', async () => {
  await using nights = await openNights(PROJECT_ONLY);
  await nights.night('2026-07-14', ALL);
  const before = await rowsOf(nights, '2026-07-11');
  empty(nights, '2026-07-11');
  expect(await nights.night('2026-07-15', ALL)).toMatchObject({ exit_code: 0, rows_deleted: 0 });
  expect(await rowsOf(nights, '2026-07-11')).toEqual(before);
  expect(await tablesVanishing(nights)).toEqual(
    expectedVanishing(Object.keys(EMPTIED), 'emptied', '2026-07-15'),
  );
  expect(await nights.night('2026-07-16', ALL)).toMatchObject({ exit_code: 0, rows_deleted: 0 });
  expect(await nights.rows(`select visibility from core.visibility where date = '2026-07-11'`)).toEqual([
    { visibility: null },
  ]);
  expect(
    await nights.rows(`select positive, unknown from core.response_sentiment where date = '2026-07-11'`),
  ).toEqual([{ positive: 0, unknown: 0 }]);
  expect(await tablesVanishing(nights)).toEqual([]);
  await expectHealed(nights, { days: ['2026-07-17', '2026-07-18'], tables: TABLES, request: ALL });
});

const MONTHS = { ...PROJECT_ONLY, change: withSync({ scopes: {}, windows: ['month'] }) } as const;

it('a summary of a closed month that becomes 0 stands until a later day says so too', async () => {
  await using nights = await openNights(MONTHS);
  const request = { endpoints: ['response_summary'] };
  await nights.night('2026-07-02', request);
  const june = `select total_responses from core.response_summary where window_start = '2026-06-01'`;
  const before = await nights.rows(june);
  nights.alter('/responses/summary', (_, { startDate }) =>
    startDate === '2026-06-01'
      ? { totalResponses: 0, totalBrandMentions: 0, brandMentionRate: 0 }
      : undefined,
  );
  expect(await nights.night('2026-07-03', request)).toMatchObject({ exit_code: 0 });
  expect(await nights.rows(june)).toEqual(before);
  expect(await nights.vanishing()).toEqual([
    { table_name: 'response_summary', change: 'emptied', witnessed_on: '2026-07-03' },
  ]);
  await nights.night('2026-07-04', request);
  expect(await nights.rows(june)).toEqual([{ total_responses: 0 }]);
  await expectHealed(nights, { days: ['2026-07-05', '2026-07-06'], tables: ['response_summary'], request });
});
