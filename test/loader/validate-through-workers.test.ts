import { expect, test } from 'vitest';
import { FIRST_RUN } from '../support/warehouse-file.ts';
import type { Config } from '../../src/config/config.ts';
import { toDay } from '../../src/day.ts';
import { AnswerlakeError } from '../../src/errors.ts';
import {
  validateThroughWorkers,
  type ValidatedByWorkers,
} from '../../src/scale/loader/validate-through-workers.ts';
import { problemOf, type RoundEnd, type RoundJson } from '../../src/scale/queue/round.ts';
import { secretOf } from '../../src/secret.ts';
import { virtualEffects } from '../support/virtual-effects.ts';
import { ROUND_END } from './round-end.ts';

const NOW = Date.parse('2026-03-10T23:55:00Z');
const DAY = toDay('2026-03-10');
const RESET = NOW + 600_000;
const account = (name: string): Config['accounts'][number] => ({
  name,
  apiKey: secretOf(`env:${name}`, `key of ${name}`),
  projects: 'all',
});
const config = { accounts: ['acme', 'beta', 'gamma'].map(account) } as unknown as Config;

type Reached = NonNullable<RoundEnd['reached']>;
type Reach = Extract<RoundJson, { kind: 'reach' }>;

/** What a worker tells when some accounts answer and the hour of the others is used up until `resetAt`. */
function endOf(
  answering: Readonly<Record<string, readonly string[]>>,
  usedUp: Readonly<Record<string, number>> = {},
  day = DAY,
): RoundEnd {
  const reached: Reached = {
    syncDay: day,
    accounts: Object.entries(answering).map(([name, listed]) => ({
      name,
      organizationId: `organization of ${name}`,
      isOrganizationKey: true,
      listed: [...listed],
    })),
    projects: Object.entries(answering).flatMap(([name, ids]) =>
      ids.map((projectId) => ({ projectId, account: name, projectHeader: projectId })),
    ),
    // The clock of the worker is two seconds ahead of ours.
    serverAheadMs: 0,
  };
  const problems = Object.entries(usedUp).map(([name, waitUntilMs]) => {
    const error = new AnswerlakeError('the hour is used up', {
      class: 'quota',
      scope: 'key',
      waitUntilMs: waitUntilMs + 2_000,
    });
    return problemOf(error, { account: name });
  });
  return { ...ROUND_END, problems, at: NOW + 2_000, reached };
}

interface Dispatched {
  accounts: readonly string[] | null;
  organization: string;
  afterMs: number;
}

async function reach(
  replies: readonly (RoundEnd | null)[],
  { maxWaitMs = 7_200_000, projects = null }: { maxWaitMs?: number; projects?: string[] | null } = {},
): Promise<ValidatedByWorkers & { dispatched: Dispatched[]; days: (string | null)[] }> {
  const dispatched: Dispatched[] = [];
  const days: (string | null)[] = [];
  let names = 0;
  const told = await validateThroughWorkers({
    dispatcher: {
      nextName: () => String((names += 1)),
      dispatch: async (round, { afterMs }) => {
        const { accounts, organization, today } = round as Reach;
        dispatched.push({ accounts: accounts ?? null, organization, afterMs });
        days.push(today);
        const end = replies[dispatched.length - 1];
        if (end === undefined) throw new Error('a round too many');
        const taken = { results: [], answered: [], damages: [], requests: 0, retries: 0 };
        return { end, reason: end === null ? 'the worker is gone' : null, taken };
      },
    },
    request: { projects, today: null, maxWaitMs },
    run: { ...FIRST_RUN, startedAt: NOW, baseUrl: 'https://api.example.com' },
    clients: { quotas: new Map() },
    config,
    effects: virtualEffects(NOW),
    signal: new AbortController().signal,
  });
  return { ...told, dispatched, days };
}

const FIRST: Dispatched = { accounts: null, organization: '*', afterMs: 0 };
const names = ({ reached }: ValidatedByWorkers): string[] =>
  reached.accounts.map(({ config: { name } }) => name);

test('keys whose hour is used up are asked after the reset, on the same day, and the others not again', async () => {
  const run = await reach([endOf({ acme: ['a1'], gamma: ['g1'] }, { beta: RESET }), endOf({ beta: ['b1'] })]);
  expect(run.dispatched).toEqual([
    FIRST,
    { accounts: ['beta'], organization: 'account:beta', afterMs: 601_000 },
  ]);
  expect([run.days, run.syncDay]).toEqual([[null, DAY], DAY]);
  expect(run.reached.serverAheadMs).toBe(2_000);
  expect(names(run)).toEqual(['acme', 'beta', 'gamma']);
  expect(run.reached.projects.map(({ projectId }) => projectId)).toEqual(['a1', 'b1', 'g1']);
  expect(run.reached.problems).toEqual([]);
  expect(run.reached.listed).toEqual(new Set(['a1', 'b1', 'g1']));
  expect(run.waitLeftMs).toBe(7_200_000 - 601_000);
});

test('a run in which no key answers before midnight is one of the next day', async () => {
  const tomorrow = toDay('2026-03-11');
  const usedUp = { acme: RESET, beta: RESET - 60_000, gamma: RESET };
  const run = await reach([endOf({}, usedUp), endOf({ acme: ['a1'], beta: [], gamma: [] }, {}, tomorrow)]);
  expect(run.dispatched[1]).toEqual({
    accounts: ['acme', 'beta', 'gamma'],
    organization: 'account:acme, beta, gamma',
    afterMs: 601_000,
  });
  expect(run.days).toEqual([null, null]);
  expect(run.syncDay).toBe(tomorrow);
});

test('two resets use up the wait together; the third is a problem with exit 5', async () => {
  const run = await reach(
    [
      endOf({ acme: ['a1'], gamma: ['g1'] }, { beta: RESET }),
      endOf({}, { beta: RESET }),
      endOf({}, { beta: RESET }),
    ],
    { maxWaitMs: 2 * 601_000 },
  );
  expect(run.dispatched.map(({ afterMs }) => afterMs)).toEqual([0, 601_000, 601_000]);
  expect(run.waitLeftMs).toBe(0);
  expect(run.reached.problems).toMatchObject([{ account: 'beta', error: { class: 'quota', exitCode: 5 } }]);
  expect(names(run)).toEqual(['acme', 'gamma']);
});

test('an hour that is over already is asked again at once, and not for ever', async () => {
  const over = endOf({}, { beta: NOW - 5_000 });
  const run = await reach([endOf({ acme: [], gamma: [] }, { beta: NOW - 5_000 }), over, over]);
  expect(run.dispatched.map(({ afterMs }) => afterMs)).toEqual([0, 0, 0]);
  expect(run.reached.problems).toMatchObject([{ account: 'beta', error: { exitCode: 5 } }]);
});

test('a wanted project is missed only when no round reached it', async () => {
  const first = endOf({ acme: ['a1'], gamma: [] }, { beta: RESET });
  const found = await reach([first, endOf({ beta: ['b1'] })], { projects: ['b1'] });
  expect(found.reached.problems).toEqual([]);
  const missed = await reach([first, endOf({ beta: ['b1'] })], { projects: ['b1', 'nope'] });
  expect(missed.reached.problems).toMatchObject([{ error: { message: expect.stringContaining('nope') } }]);
});

test('of two rounds, a project belongs to its first account, and refused keys stay refused', async () => {
  const first = endOf({ beta: ['both'] }, { acme: RESET });
  const refused = new AnswerlakeError('the key is refused', { class: 'auth', scope: 'key' });
  const reported = [problemOf(refused, { account: 'gamma' }), problemOf(refused, {})];
  const run = await reach([
    { ...first, problems: [...first.problems, ...reported] },
    endOf({ acme: ['both'] }),
  ]);
  expect(run.reached.problems).toMatchObject([{ account: 'gamma', error: { class: 'auth' } }]);
  expect(run.reached.projects.map(({ account: { config: own } }) => own.name)).toEqual(['acme']);
});

test('accounts that answered go on when the round after the reset is given up', async () => {
  const run = await reach([endOf({ acme: ['a1'], gamma: [] }, { beta: RESET }), null]);
  expect(names(run)).toEqual(['acme', 'gamma']);
  expect(run.reached.problems).toMatchObject([{ account: 'beta', error: { exitCode: 5 } }]);
  await expect(reach([null])).rejects.toThrow('no worker could validate the keys: the worker is gone');
});

test('an account that the worker lacks is reported as not asked, and its projects do not count as gone', async () => {
  const { reached } = await reach([endOf({ acme: ['a1'], beta: [] })]);
  expect(reached).toMatchObject({ listed: null, problems: [{ account: 'gamma', error: { exitCode: 3 } }] });
});
