import { describe, expect, test } from 'vitest';
import { addDays } from '../../src/day.ts';
import type { LedgerEntry } from '../../src/load/ledger.ts';
import type { ArchivedAnswer } from '../../src/slice.ts';
import { answerOf, SYNC_DAY, WEEK } from '../support/answers.ts';
import { documentedBodies } from '../support/fixtures.ts';
import { WarehouseFile } from '../support/warehouse-file.ts';
import { action, eventList, promptList } from './lists.ts';

/** 0 to 6 without some. */
const left = (without: readonly number[]): number[] =>
  [0, 1, 2, 3, 4, 5, 6].filter((n) => !without.includes(n));

/** The week with a row of each day but those left out. */
function week(
  without: readonly number[],
  value: (day: number) => number | null = (day) => day + 1,
): ArchivedAnswer {
  const body = left(without).map((day) => ({ date: addDays(WEEK.start, day), value: value(day) }));
  return answerOf('visibility', body);
}

function mentions(without: readonly number[]): ArchivedAnswer {
  const body = left(without).map((n) => ({ competitor: `c${n}`, count: n + 1, percentage: 1 }));
  return answerOf('competitor_mentions', body);
}

function prompts(without: readonly number[]): ArchivedAnswer {
  return promptList(...left(without).map((n) => ({ id: `p${n}` })));
}

const KINDS: readonly (readonly [string, (without: readonly number[]) => ArchivedAnswer, string])[] = [
  ['series', week, 'select count(*) as n from core.visibility'],
  ['window', mentions, 'select count(*) as n from core.competitor_mentions'],
  ['list', prompts, 'select count(*) as n from core.prompts where removed_at is null'],
];

/** Loads an answer on the night `number`; the first is night 1. */
async function night(
  file: WarehouseFile,
  number: number,
  ...[answer, more]: [answer: ArchivedAnswer, more?: { runId?: string; acceptShrink?: boolean }]
): Promise<LedgerEntry | undefined> {
  return (await file.night(number, [answer], more))[0];
}

describe.each(KINDS)('a %s', (_, answer, left) => {
  test('a row that one night lacks stays, and goes when a later night lacks it too', async () => {
    await using file = await WarehouseFile.open();
    await night(file, 1, answer([]));
    expect(await night(file, 2, answer([2]))).toMatchObject({
      status: 'loaded',
      counts: { deleted: 0, held: 1 },
    });
    expect(await file.rows(left)).toEqual([{ n: 7 }]);
    expect(await file.rows('select change, witnessed_on, run_id from meta.vanishing')).toEqual([
      { change: 'gone', witnessed_on: '2026-03-11', run_id: 'run-2' },
    ]);
    expect(await night(file, 3, answer([2]))).toMatchObject({ status: 'loaded', counts: { deleted: 1 } });
    expect(await file.rows(left)).toEqual([{ n: 6 }]);
    expect(await file.rows('select * from meta.vanishing')).toEqual([]);
  });

  test('two answers of one day are one witness', async () => {
    await using file = await WarehouseFile.open();
    await night(file, 1, answer([]));
    for (const runId of ['a', 'b', 'c']) await night(file, 2, answer([2]), { runId });
    expect(await file.rows(left)).toEqual([{ n: 7 }]);
  });

  test('a row that comes back in between takes two more nights to go', async () => {
    await using file = await WarehouseFile.open();
    await night(file, 1, answer([]));
    await night(file, 2, answer([2]));
    await night(file, 3, answer([]));
    expect(await file.rows('select * from meta.vanishing')).toEqual([]);
    await night(file, 4, answer([2]));
    expect(await file.rows(left)).toEqual([{ n: 7 }]);
    await night(file, 5, answer([2]));
    expect(await file.rows(left)).toEqual([{ n: 6 }]);
  });

  test('an answer that lacks more than half is suspicious, unless shrinking is accepted', async () => {
    await using file = await WarehouseFile.open();
    await night(file, 1, answer([]));
    expect(await night(file, 2, answer([1, 2, 4, 5]))).toMatchObject({
      status: 'suspicious',
      counts: { held: 4 },
    });
    expect(await file.rows(left)).toEqual([{ n: 7 }]);
    expect(await night(file, 2, answer([1, 2, 4, 5]), { runId: 'c', acceptShrink: true })).toMatchObject({
      status: 'loaded',
      counts: { deleted: 4 },
    });
    expect(await file.rows(left)).toEqual([{ n: 3 }]);
  });
});

test('a server that keeps less than half of the days is suspicious three nights, and removes none', async () => {
  await using file = await WarehouseFile.open();
  await night(file, 1, week([]));
  const statuses: (string | undefined)[] = [];
  for (const number of [2, 3, 4, 5]) {
    const entry = await night(file, number, week([0, 1, 2, 3]));
    statuses.push(entry?.status);
  }
  expect(statuses).toEqual(['suspicious', 'suspicious', 'suspicious', 'loaded']);
  expect(await file.rows('select count(*) as n from core.visibility')).toEqual([{ n: 7 }]);
});

test('names of which an answer lacks nothing but zeros make it neither suspicious nor wait', async () => {
  await using file = await WarehouseFile.open();
  const domains = (figures: Record<string, number>): ArchivedAnswer => {
    const series = Object.entries(figures).map(([domain, total]) => ({
      domain,
      data: [total],
      total,
      percentage: 1,
    }));
    return answerOf('domain_citations', { dates: [WEEK.start], series, totalCitations: 9 });
  };
  await night(file, 1, domains({ a: 9, b: 0, c: 0, d: 0 }));
  expect(await night(file, 2, domains({ a: 9 }))).toMatchObject({
    status: 'loaded',
    counts: { deleted: 0, held: 0 },
  });
});

test('a value of a closed day that becomes null needs a second night, and a new figure does not', async () => {
  await using file = await WarehouseFile.open();
  const values = 'select visibility as v from core.visibility order by date limit 2';
  await night(file, 1, week([]));
  expect(
    await night(
      file,
      2,
      week([], (day) => (day === 0 ? null : day + 2)),
    ),
  ).toMatchObject({
    status: 'loaded',
    counts: { updated: 6, held: 1 },
  });
  expect(await file.rows(values)).toEqual([{ v: 1 }, { v: 3 }]);
  expect(await file.rows('select change, date from meta.vanishing')).toEqual([
    { change: 'emptied', date: WEEK.start },
  ]);
  await night(
    file,
    3,
    week([], (day) => (day === 0 ? null : day + 2)),
  );
  expect(await file.rows(values)).toEqual([{ v: null }, { v: 3 }]);
  expect(await file.rows('select * from meta.vanishing')).toEqual([]);
});

test('a count that becomes 0 on a closed day waits with its whole row, and a change to another figure does not', async () => {
  await using file = await WarehouseFile.open();
  const day = (positive: number, unknown: number): ArchivedAnswer =>
    answerOf('response_sentiment', [{ date: WEEK.start, positive, negative: 0, neutral: 0, unknown }]);
  await night(file, 1, day(5, 3));
  expect(await night(file, 2, day(4, 3))).toMatchObject({ counts: { updated: 1, held: 0 } });
  expect(await night(file, 3, day(9, 0))).toMatchObject({ counts: { updated: 0, held: 1 } });
  const stored = 'select positive, unknown from core.response_sentiment';
  expect(await file.rows(stored)).toEqual([{ positive: 4, unknown: 3 }]);
  expect(await night(file, 4, day(9, 0))).toMatchObject({ counts: { updated: 1 } });
  expect(await file.rows(stored)).toEqual([{ positive: 9, unknown: 0 }]);
});

test('a figure of a closed window that two endpoints fill needs a second night to become null', async () => {
  await using file = await WarehouseFile.open();
  const { domain_citation_totals: totals } = documentedBodies;
  const names = ['domain_citation_totals', 'citation_rank_totals'] as const;
  const load = async (
    number: number,
    overallAverageRank: number | null,
  ): Promise<(LedgerEntry | undefined)[]> => {
    const entries: (LedgerEntry | undefined)[] = [];
    for (const name of number % 2 === 0 ? names : names.toReversed())
      entries.push(
        await night(
          file,
          number,
          answerOf(name, name === 'domain_citation_totals' ? totals : { timeSeries: [], overallAverageRank }),
        ),
      );
    return entries;
  };
  const held = async (): Promise<unknown> => await file.rows('select change, witnesses from meta.vanishing');
  const stored = 'select overall_average_rank as rank, total_citations as total from core.citation_totals';
  await load(1, 2.5);
  await load(2, null);
  expect([await held(), await file.rows(stored)]).toEqual([
    [{ change: 'emptied', witnesses: 1 }],
    [{ rank: 2.5, total: 8 }],
  ]);
  await load(3, null);
  expect([await held(), await file.rows(stored)]).toEqual([[], [{ rank: null, total: 8 }]]);
  await load(4, 2.5);
  expect(await file.rows(stored)).toEqual([{ rank: 2.5, total: 8 }]);
});

test('the last digits of a mean are no change, and a bigger difference is one', async () => {
  await using file = await WarehouseFile.open();
  await night(
    file,
    1,
    week([], () => 0.1 + 0.2),
  );
  expect(
    await night(
      file,
      2,
      week([], () => 0.3),
    ),
  ).toMatchObject({ counts: { updated: 0, unchanged: 7 } });
  expect(
    await night(
      file,
      3,
      week([], () => 0.3000001),
    ),
  ).toMatchObject({ counts: { updated: 7 } });
  expect(await file.rows('select count(*) as n from meta.restatements')).toEqual([{ n: 7 }]);
});

test('events of today follow each answer: the day is not over', async () => {
  await using file = await WarehouseFile.open();
  const slice = { window: { start: WEEK.start, end: SYNC_DAY } };
  await night(file, 1, eventList({ [SYNC_DAY]: [action('a', SYNC_DAY)] }, { slice }));
  expect(await night(file, 1, eventList({}, { slice }), { runId: 'b' })).toMatchObject({
    status: 'empty',
    counts: { deleted: 1 },
  });
});
