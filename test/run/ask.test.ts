import { expect, test } from 'vitest';
import { countDays, toDay, type DayRange, type Grain } from '../../src/day.ts';
import type { SliceJob } from '../../src/plan/owed.ts';
import { silentLog } from '../../src/log.ts';
import type { SliceOutcome } from '../../src/load/prepare-answer.ts';
import { SliceAsker, type OutcomeSink } from '../../src/run/ask.ts';
import type { Problem } from '../../src/run/outcome.ts';
import { Progress } from '../../src/run/progress.ts';
import { json, openScriptedServer } from '../support/scripted-server.ts';
import { openRig, type Rig } from '../extract/rig.ts';
import { PLAIN } from '../config/loaded.ts';
import { jobOf } from '../plan/input.ts';
import { days, sliceOf, WEEK } from '../support/answers.ts';
import { virtualEffects } from '../support/virtual-effects.ts';
import { FIRST_RUN } from '../support/warehouse-file.ts';

/** A sink that has room for so many outcomes until it is emptied. */
function sinkOf(capacity: number): OutcomeSink & { taken: SliceOutcome[]; empty: () => void } {
  const taken: SliceOutcome[] = [];
  let left = capacity;
  let open = (): void => undefined;
  const emptied = new Promise<void>((resolve) => (open = resolve));
  return {
    taken,
    empty: () => {
      left = Number.POSITIVE_INFINITY;
      open();
    },
    waitForCapacity: async () => {
      if (taken.length >= left) await emptied;
    },
    push: async (outcome) => void taken.push(outcome),
  };
}

/** Asks for jobs, as if the account had one connection. */
function ask({ client }: Rig, jobs: readonly SliceJob[], sink = sinkOf(9)): Promise<Problem[]> {
  return new SliceAsker({
    config: { ...PLAIN, api: { ...PLAIN.api, concurrency: 1 } },
    effects: virtualEffects(0),
    log: silentLog,
    signal: new AbortController().signal,
    run: FIRST_RUN,
    clients: { of: () => client },
    progress: new Progress(undefined),
    sink,
  }).ask(jobs);
}

test('the slices of one series are asked one after the other, those of two at the same time', async () => {
  const waiting: (() => void)[] = [];
  let expected = 1;
  await using server = await openScriptedServer(() => (response, request) => {
    waiting.push(() => json([])(response, request));
    if (waiting.length >= expected) for (const reply of waiting.splice(0)) reply();
  });
  const ofSeries = (scopeId: string): SliceJob[] =>
    ['2026-03-01', '2026-03-02', '2026-03-03'].map((day) =>
      jobOf(sliceOf('visibility', { scope: 'model', scopeId, window: days(day, day) })),
    );
  await using rig = openRig(server.origin, { api: { concurrency: 3 } });
  await ask(rig, ofSeries('m1'));
  expect([server.seen.length, server.mostOpen()]).toEqual([3, 1]);
  expected = 2;
  await ask(rig, [...ofSeries('m1'), ...ofSeries('m2')]);
  expect([server.seen.length, server.mostOpen()]).toEqual([9, 2]);
});

test('a sink without room keeps requests back, although answers that are read hold no slot', async () => {
  await using server = await openScriptedServer(() => json([]));
  await using rig = openRig(server.origin, { api: { concurrency: 1 } });
  const sink = sinkOf(2);
  const jobs = Array.from({ length: 9 }, (_, index) =>
    jobOf(sliceOf('visibility', { scope: 'model', scopeId: `m${String(index)}` })),
  );
  const asked = ask(rig, jobs, sink);
  while (sink.taken.length < 2) await new Promise(setImmediate);
  for (let turns = 0; turns < 200; turns += 1) await new Promise(setImmediate);
  // Two more tasks had begun while the first two answers were read.
  expect([sink.taken.length, server.seen.length]).toEqual([4, 4]);
  sink.empty();
  expect(await asked).toEqual([]);
  expect([sink.taken.length, server.seen.length]).toEqual([9, 9]);
});

test('rows that a server cuts off below the limit are requested again in halves where it ignores `offset`', async () => {
  const rowsOf = (query: URLSearchParams) =>
    Array.from({ length: 7 }, (_, index) => `2026-03-0${String(2 + index)}`)
      .filter((day) => (query.get('startDate') ?? '') <= day && day <= (query.get('endDate') ?? ''))
      .flatMap((date) => [1, 2, 3, 4, 5].map((brand) => ({ date, brand })));
  await using server = await openScriptedServer((_number, { url = '' }) =>
    json(rowsOf(new URL(url, 'http://a').searchParams).slice(0, 10)),
  );
  await using rig = openRig(server.origin, {});
  const sink = sinkOf(99);
  const job = jobOf(sliceOf('brand_visibility'));
  await ask(rig, [{ ...job, planned: { ...job.planned, asked: WEEK, limit: 1000 } }], sink);
  const stored = sink.taken.flatMap((outcome) =>
    outcome.kind === 'answered' ? outcome.answer.pages.flatMap(({ body }) => body) : [],
  );
  expect(new Set(stored.map((row) => JSON.stringify(row))).size).toBe(35);
});

test('a month of 31 days is loaded from a server whose longest range is 31 days, and a day from one of one day', async () => {
  let longest = 31;
  await using server = await openScriptedServer((_number, { url = '' }) => {
    const asked = new URL(url, 'http://a').searchParams;
    const [start, end] = ['startDate', 'endDate'].map((name) => toDay(asked.get(name) ?? ''));
    return start !== undefined && end !== undefined && countDays(start, end) <= longest
      ? json([])
      : json({ error: 'Bad Request', code: 'DATE_RANGE_TOO_LARGE', message: 'too large' }, 400);
  });
  await using rig = openRig(server.origin, {});
  const load = async (grain: Grain, [window, asked]: [DayRange, DayRange]) => {
    const sink = sinkOf(9);
    const job = jobOf(sliceOf('share_of_voice', { grain, window }));
    await ask(rig, [{ ...job, planned: { ...job.planned, asked } }], sink);
    return sink.taken.map(({ kind }) => kind);
  };
  const may = days('2026-05-01', '2026-05-31');
  expect(await load('month', [may, days('2026-04-01', '2026-06-01')])).toEqual(['answered']);
  longest = 1;
  const day = days('2026-05-01', '2026-05-01');
  expect(await load('day', [day, days('2026-04-30', '2026-05-02')])).toEqual(['answered']);
  // A week may begin on any weekday: without the days after it, it would be missing.
  longest = 7;
  const week = days('2026-05-04', '2026-05-10');
  expect(await load('week', [week, days('2026-05-04', '2026-05-17')])).toEqual(['failed']);
});
