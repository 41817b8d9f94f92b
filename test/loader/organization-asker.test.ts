import pLimit from 'p-limit';
import type { SliceJob } from '../../src/plan/owed.ts';
import { expect, test } from 'vitest';
import { toDay } from '../../src/day.ts';
import { AnswerlakeError } from '../../src/errors.ts';
import {
  organizationAsker,
  type OrganizationAskerRequest,
} from '../../src/scale/loader/organization-asker.ts';
import { DamagedPartError } from '../../src/scale/landing/part.ts';
import type { SentRound } from '../../src/scale/loader/round-dispatcher.ts';
import { problemOf, type RoundEnd } from '../../src/scale/queue/round.ts';
import type { Problem, SliceResult } from '../../src/run/outcome.ts';
import { secretOf } from '../../src/secret.ts';
import type { Slice } from '../../src/slice.ts';
import { days, sliceOf } from '../support/answers.ts';
import { FIRST_RUN, WarehouseFile } from '../support/warehouse-file.ts';
import { stubZone } from '../landing/zones.ts';
import { ROUND_END } from './round-end.ts';

const NOW = Date.parse('2026-03-10T02:00:00Z');
const account = {
  config: { name: 'acme', apiKey: secretOf('env:KEY', 'a-key'), projects: 'all' as const },
  organizationId: 'o1',
  isOrganizationKey: true,
};
const WEEKS = [sliceOf('visibility'), sliceOf('sentiment')];
const JOBS: SliceJob[] = WEEKS.map((slice) => ({
  planned: { slice, asked: null, limit: null, askedWith: '' },
  account,
  projectHeader: undefined,
}));
const END: RoundEnd = { ...ROUND_END, at: NOW };

type Dispatched = { slices: number; afterMs: number };
type Reply = () => Partial<SentRound> & { answered?: Slice[] };

/** What an organization asks with; each round gets the next reply. */
function openAsking(replies: readonly Reply[], maxWaitMs = 0) {
  const dispatched: Dispatched[] = [];
  const loaded: SliceResult[] = [];
  const dispatcher: OrganizationAskerRequest['dispatcher'] = {
    dispatch: async (round, afterMs) => {
      dispatched.push({ slices: round.slices.length, afterMs });
      const reply = replies[dispatched.length - 1];
      if (reply === undefined) throw new Error('a round too many');
      const { answered = [], ...own } = reply();
      const taken = { results: [], answered, damages: [], requests: 0, retries: 0 };
      return { end: END, reason: null, taken, ...own };
    },
  };
  const context = {
    run: { ...FIRST_RUN, syncDay: toDay('2026-03-10') },
    clients: { quotas: new Map() },
    signal: new AbortController().signal,
    config: { sync: { endpoints: {}, timezone: 'UTC' }, api: { endDate: 'inclusive' } },
  };
  const options = {
    organization: 'o1',
    context: context as unknown as OrganizationAskerRequest['context'],
    dispatcher,
    limitWrites: pLimit(1),
    probed: [],
    maxWaitMs,
    onLoaded: (results: readonly SliceResult[]) => void loaded.push(...results),
  };
  return { dispatched, loaded, options };
}

/** Asks for two slices. */
async function ask(
  replies: readonly Reply[],
  maxWaitMs = 0,
): Promise<{ problems: Problem[]; dispatched: Dispatched[] }> {
  const { options, dispatched } = openAsking(replies, maxWaitMs);
  const asker = organizationAsker(options);
  return { problems: await asker(JOBS), dispatched };
}

const RESET = NOW + 600_000;
const usedUp = (waitUntilMs: number): RoundEnd => {
  const error = new AnswerlakeError('the hour is used up', { class: 'quota', scope: 'key', waitUntilMs });
  return { ...END, problems: [problemOf(error, 'acme')] };
};

const askedToWait = (waitUntilMs: number, at = NOW + 3_600_000): RoundEnd => {
  const error = new AnswerlakeError('longer than --max-wait allows', {
    class: 'transient',
    scope: 'key',
    waitUntilMs,
  });
  return { ...END, problems: [problemOf(error, 'acme')], at };
};

test.each([
  ['an hour that is used up parks the rest until just after the reset', usedUp(RESET), 601_000],
  [
    'a Retry-After parks the rest for as long, by the clock of the worker',
    askedToWait(NOW + 3_900_000),
    301_000,
  ],
])('%s', async (_, end, afterMs) => {
  const replies = [() => ({ end, answered: WEEKS.slice(0, 1) }), () => ({ answered: WEEKS.slice(1) })];
  const { problems, dispatched } = await ask(replies, afterMs);
  expect(problems).toEqual([]);
  expect(dispatched).toEqual([
    { slices: 2, afterMs: 0 },
    { slices: 1, afterMs },
  ]);
});

test('an hour that is over by the time its round is judged parks nothing and gives nothing up', async () => {
  const over = usedUp(NOW - 5_000);
  const { problems, dispatched } = await ask([
    () => ({ end: over, answered: WEEKS.slice(0, 1) }),
    () => ({ end: over }),
    () => ({ answered: WEEKS.slice(1) }),
  ]);
  expect(problems).toEqual([]);
  expect(dispatched.map(({ afterMs }) => afterMs)).toEqual([0, 0, 0]);
});

test('a wait beyond the longest one, alone or with earlier ones, is a problem with exit 5', async () => {
  const end = askedToWait(NOW + 3_900_000);
  for (const [one, maxWaitMs, failed] of [
    [usedUp(RESET), 600_999, 'quota'],
    [end, 300_999, 'transient'],
  ] as const) {
    const short = await ask([() => ({ end: one })], maxWaitMs);
    expect(short.problems).toMatchObject([{ account: 'acme', error: { class: failed, exitCode: 5 } }]);
    expect(short.dispatched).toHaveLength(1);
  }
  const ends = [0, 1, 2].map((round) => {
    const at = NOW + 3_600_000 + round * 301_000;
    return askedToWait(at + 300_000, at);
  });
  const repeated = await ask(
    ends.map((one) => () => ({ end: one })),
    700_000,
  );
  expect(repeated.problems).toMatchObject([{ account: 'acme', error: { exitCode: 5 } }]);
  expect(repeated.dispatched.map(({ afterMs }) => afterMs)).toEqual([0, 301_000, 301_000]);
});

test('a damaged part is told with exit 7, and its slices are asked again', async () => {
  const taken = { results: [], answered: [], damages: [], requests: 0, retries: 0 };
  const zone = stubZone(async () => undefined);
  const damages = [new DamagedPartError(zone, '2026-03-10/run/1-abc', 'it is torn')];
  const { problems, dispatched } = await ask([
    () => ({ taken: { ...taken, answered: WEEKS.slice(0, 1), damages } }),
    () => ({ answered: WEEKS.slice(1) }),
  ]);
  expect(problems).toMatchObject([{ error: { exitCode: 7, message: expect.stringContaining('1-abc') } }]);
  expect(dispatched.map(({ slices }) => slices)).toEqual([2, 1]);
});

test('a round that died after it had landed something is sent again; one that landed nothing is given up', async () => {
  const died = { end: null, reason: 'the worker is gone' };
  const { problems, dispatched } = await ask([() => ({ ...died, answered: WEEKS.slice(0, 1) }), () => died]);
  expect(problems).toMatchObject([
    { error: { exitCode: 5, message: expect.stringContaining('the worker is gone') } },
  ]);
  expect(dispatched.map(({ slices }) => slices)).toEqual([2, 1]);
});

test('an organization is given up after three rounds in a row that brought nothing', async () => {
  const nothing = (): object => ({});
  const { problems, dispatched } = await ask([
    () => ({ answered: WEEKS.slice(0, 1) }),
    nothing,
    nothing,
    nothing,
  ]);
  expect(problems).toMatchObject([
    { error: { exitCode: 5, message: expect.stringContaining('3 rounds in a row brought nothing') } },
  ]);
  expect(dispatched.map(({ slices }) => slices)).toEqual([2, 1, 1, 1]);
});

test('a slice that failed at the worker is entered as failed, and not asked again', async () => {
  await using file = await WarehouseFile.open();
  const problem = problemOf(new AnswerlakeError('no', { class: 'contract', scope: 'slice' }));
  const failed = WEEKS.slice(0, 1).map((slice) => ({
    ...problem,
    slice,
    requests: 2,
    httpStatus: 500,
    at: NOW,
  }));
  const { options, loaded } = openAsking([() => ({ end: { ...END, failed }, answered: WEEKS.slice(1) })]);
  Object.assign(options.context, { connection: file.connection });
  const asker = organizationAsker(options);
  expect(await asker(JOBS)).toEqual([]);
  expect(loaded).toMatchObject([{ slice: WEEKS[0], status: 'failed' }]);
  expect(await file.rows('select status, requests from meta.slices')).toEqual([
    { status: 'failed', requests: 2 },
  ]);
});

test('pieces that make up all days of a slice answer it', async () => {
  const piece = (start: string, end: string): Slice => sliceOf('visibility', { window: days(start, end) });
  const { dispatched } = await ask([
    () => ({
      answered: [piece('2026-02-23', '2026-03-01'), piece('2026-03-02', '2026-03-04'), sliceOf('sentiment')],
    }),
    () => ({ answered: [piece('2026-03-05', '2026-03-08')] }),
  ]);
  expect(dispatched.map(({ slices }) => slices)).toEqual([2, 1]);
});
