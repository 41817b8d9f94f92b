import pLimit from 'p-limit';
import { expect, test } from 'vitest';
import { AnswerlakeError, exitCodeOf, messageOf } from '../../src/errors.ts';
import { organizationAsker, type OrganizationAskerRequest } from '../../src/scale/loader/queued-run.ts';
import { DamagedPartError } from '../../src/scale/landing/part.ts';
import { takenNothing } from '../../src/scale/loader/intake.ts';
import type { SentRound } from '../../src/scale/loader/round-dispatcher.ts';
import { problemOf, type RoundEnd } from '../../src/scale/queue/round.ts';
import type { Problem, SliceResult } from '../../src/run/outcome.ts';
import type { Slice } from '../../src/slice.ts';
import type { Connection } from '../../src/warehouse/connection.ts';
import { jobOf } from '../plan/input.ts';
import { days, sliceOf } from '../support/answers.ts';
import { FIRST_RUN, WarehouseFile } from '../support/warehouse-file.ts';
import { stubZone } from '../landing/zones.ts';
import { ROUND_END } from './round-end.ts';

const NOW = Date.parse('2026-03-10T02:00:00Z');
const WEEKS = [sliceOf('visibility'), sliceOf('sentiment')];
const [FIRST_WEEK, LAST_WEEK] = [WEEKS.slice(0, 1), WEEKS.slice(1)];
const END: RoundEnd = { ...ROUND_END, at: NOW };

type Reply = Partial<SentRound> & { answered?: Slice[] };

interface Asked {
  problems: Problem[];
  /** Slices of each round that was sent, and how long it waits. */
  slices: number[];
  waits: number[];
  loaded: SliceResult[];
}

/** Asks for two slices; each round gets the next reply. */
async function ask(
  replies: readonly Reply[],
  { maxWaitMs = 0, connection }: { maxWaitMs?: number; connection?: Connection } = {},
): Promise<Asked> {
  const asked: Asked = { problems: [], slices: [], waits: [], loaded: [] };
  const { signal } = new AbortController();
  const run = { run: FIRST_RUN, clients: { quotas: new Map() }, signal, connection };
  const asker = organizationAsker({
    organization: 'o1',
    run: run as unknown as OrganizationAskerRequest['run'],
    dispatch: async (round, afterMs) => {
      const reply = replies[asked.slices.length];
      asked.slices.push(round.slices.length);
      asked.waits.push(afterMs);
      if (reply === undefined) throw new Error('a round too many');
      const { answered = [], ...own } = reply;
      return { end: END, reason: null, taken: { ...takenNothing(), answered }, ...own };
    },
    limitWrites: pLimit(1),
    probed: [],
    maxWaitMs,
    onLoaded: (results) => void asked.loaded.push(...results),
  });
  asked.problems = await asker(WEEKS.map(jobOf));
  return asked;
}

const RESET = NOW + 600_000;

/** A round that ends because the key waits. */
function waiting(of: 'quota' | 'transient', waitUntilMs: number, at = NOW): RoundEnd {
  const error = new AnswerlakeError('the key waits', { class: of, scope: 'key', waitUntilMs });
  return { ...END, problems: [problemOf(error, 'acme')], at };
}

const usedUp = waiting('quota', RESET);
const askedToWait = waiting('transient', NOW + 3_900_000, NOW + 3_600_000);

test.each([
  ['an hour that is used up parks the rest until just after the reset', usedUp, 601_000],
  ['a Retry-After parks the rest for as long, by the clock of the worker', askedToWait, 301_000],
])('%s', async (_, end, afterMs) => {
  const replies = [{ end, answered: FIRST_WEEK }, { answered: LAST_WEEK }];
  const { problems, slices, waits } = await ask(replies, { maxWaitMs: afterMs });
  expect({ problems, slices, waits }).toEqual({ problems: [], slices: [2, 1], waits: [0, afterMs] });
});

test('an hour that is over by the time its round is judged parks nothing and gives nothing up', async () => {
  const end = waiting('quota', NOW - 5_000);
  const { problems, waits } = await ask([{ end, answered: FIRST_WEEK }, { end }, { answered: LAST_WEEK }]);
  expect({ problems, waits }).toEqual({ problems: [], waits: [0, 0, 0] });
});

/** Three waits, each of 301 seconds. */
const REPEATED = [0, 1, 2].map((round) => {
  const at = NOW + 3_600_000 + round * 301_000;
  return { end: waiting('transient', at + 300_000, at) };
});

test.each([
  ['of the hour', [{ end: usedUp }], 600_999, [0]],
  ['that the server asks for', [{ end: askedToWait }], 300_999, [0]],
  ['together with earlier ones', REPEATED, 700_000, [0, 301_000, 301_000]],
])(
  'a wait %s beyond the longest one is a problem with exit 5',
  async (...[_title, replies, maxWaitMs, sent]) => {
    const { problems, waits } = await ask(replies, { maxWaitMs });
    expect(problems).toMatchObject([{ account: 'acme', error: { exitCode: 5, message: 'the key waits' } }]);
    expect(waits).toEqual(sent);
  },
);

const damages = [
  new DamagedPartError(
    stubZone(async () => undefined),
    '2026-03-10/run/1-abc',
    'it is torn',
  ),
];
const died = { end: null, reason: 'the worker is gone' };
const nothing = {};
const piece = (start: string, end: string): Slice => sliceOf('visibility', { window: days(start, end) });

test.each<[string, Reply[], number[], unknown[]]>([
  [
    'a damaged part is told with exit 7, and its slices are asked again',
    [{ taken: { ...takenNothing(), answered: FIRST_WEEK, damages } }, { answered: LAST_WEEK }],
    [2, 1],
    [[7, expect.stringContaining('1-abc')]],
  ],
  [
    'a round that died after it had landed something is sent again; one that landed nothing is given up',
    [{ ...died, answered: FIRST_WEEK }, died],
    [2, 1],
    [[5, expect.stringContaining('the worker is gone')]],
  ],
  [
    'an organization is given up after three rounds in a row that brought nothing',
    [{ answered: FIRST_WEEK }, nothing, nothing, nothing],
    [2, 1, 1, 1],
    [[5, expect.stringContaining('3 rounds in a row brought nothing')]],
  ],
  [
    'pieces that make up all days of a slice answer it',
    [
      { answered: [piece('2026-02-23', '2026-03-01'), piece('2026-03-02', '2026-03-04'), ...LAST_WEEK] },
      { answered: [piece('2026-03-05', '2026-03-08')] },
    ],
    [2, 1],
    [],
  ],
  [
    'pieces that overlap answer no day twice',
    [
      { answered: [piece('2026-02-23', '2026-03-04'), piece('2026-02-26', '2026-03-05'), ...LAST_WEEK] },
      { answered: [piece('2026-03-06', '2026-03-08')] },
    ],
    [2, 1],
    [],
  ],
])('%s', async (...[_title, replies, slices, told]) => {
  const asked = await ask(replies);
  expect(asked.problems.map(({ error }) => [exitCodeOf(error), messageOf(error)])).toEqual(told);
  expect(asked.slices).toEqual(slices);
});

test('a slice that failed at the worker is entered as failed, and not asked again', async () => {
  await using file = await WarehouseFile.open();
  const problem = problemOf(new AnswerlakeError('no', { class: 'contract', scope: 'slice' }));
  const failed = FIRST_WEEK.map((slice) => ({ ...problem, slice, requests: 2, httpStatus: 500, at: NOW }));
  const replies = [{ end: { ...END, failed }, answered: LAST_WEEK }];
  const { problems, loaded } = await ask(replies, { connection: file.connection });
  expect(problems).toEqual([]);
  expect(loaded).toMatchObject([{ slice: WEEKS[0], status: 'failed' }]);
  expect(await file.rows('select status, requests from meta.slices')).toEqual([
    { status: 'failed', requests: 2 },
  ]);
});
