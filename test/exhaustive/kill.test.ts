import { existsSync, mkdirSync, readdirSync, watch } from 'node:fs';
import { expect, it } from 'vitest';
import pLimit from 'p-limit';
import { toDay } from '../../src/day.ts';
import type { RequestRecord } from '../../simulator/request-record.ts';
import { startSimulator, type Simulator } from '../../simulator/simulator.ts';
import { workingPath } from '../../src/warehouse/working-file.ts';
import { contentHash } from '../support/content-hash.ts';
import type { Ended, Program } from '../support/program.ts';
import { Workspace } from './workspace.ts';
import { fewerInCi } from './fewer-in-ci.ts';
import { recordFigure } from './figures.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { brokenSlices, sliceState, type SliceState } from './slice-state.ts';

/** When a process is killed. */
type Moment =
  | { name: string; request: (request: RequestRecord) => boolean }
  | { name: string; file: RegExp; fresh?: true }
  | { name: string; afterMs: number };

const path = (end: string) => (request: RequestRecord) => request.path.endsWith(end);

const NAMED: readonly Moment[] = [
  { name: 'the key is asked for', request: path('/v2/auth/validate') },
  { name: 'the model list is asked for', request: path('/models') },
  { name: 'the prompt list is asked for', request: path('/prompts') },
  { name: 'the first events are asked for', request: path('/events') },
  { name: 'the first series is asked for', request: path('/visibility-time-series') },
  { name: 'the last series is asked for', request: path('/visitors/trend') },
  { name: 'the first window is asked for', request: path('/competitor-heatmap') },
  { name: 'the last window is asked for', request: path('/responses/summary') },
  {
    name: 'the first finer scope is asked for',
    request: ({ query }) => query.some(([name]) => name === 'models' || name === 'llmMonitorId'),
  },
  { name: 'the working file is being made', file: /\.work\.duckdb\.new-/, fresh: true },
  { name: 'the working file is put in place', file: /\.work\.duckdb$/, fresh: true },
  { name: 'the write-ahead log is written', file: /\.work\.duckdb\.wal$/ },
  { name: 'the working file is copied without its free blocks', file: /\.work\.duckdb\.new-/ },
  { name: 'the raw archive begins', file: /^raw$/, fresh: true },
  { name: 'the copy for readers begins', file: /\.publish-.*\.duckdb$/ },
  { name: 'the copy for readers is put in place', file: /^answers\.duckdb$/ },
];

const START = '2026-07-08';
const FIRST = '2026-07-14';
const SECOND = '2026-07-15';
const LANES = 2;
const RANDOM_MOMENTS = Number(process.env['ANSWERLAKE_KILLS'] ?? fewerInCi({ all: 12, some: 6 }));

interface Side {
  hash: string;
  slices: SliceState;
}

/** One simulator, and what a run without any accident makes of it. */
interface Lane {
  simulator: Simulator;
  base: Workspace;
  fresh: Side;
  before: Side;
  after: Side;
  durationMs: number;
  /** Requests of a second night and of a first run. */
  requests: { second: number; fresh: number };
}

let onRequest: ((request: RequestRecord) => void)[] = [];
/** Requests to each lane; a run always asks for the key and its lists. */
const asked = new Map<number, number>();
const ofEachRun = /\/(validate|models|prompts)$/;

async function openLane(index: number): Promise<Lane> {
  const simulator = await startSimulator({
    world: 'small',
    today: toDay(FIRST),
    faults: (request) => {
      onRequest[index]?.(request);
      if (!ofEachRun.test(request.path)) asked.set(index, (asked.get(index) ?? 0) + 1);
      return undefined;
    },
  });
  const settings = { baseUrl: simulator.url, startDate: START };
  const base = new Workspace(settings);
  await good(base.sync(FIRST));
  const before = await sideOf(base);
  simulator.setToday(toDay(SECOND));
  const project = simulator.world.projects[0]?.id ?? '';
  simulator.restate({ project, days: { start: toDay(START), end: toDay(FIRST) }, by: 0.25 });
  using second = new Workspace(settings);
  second.copyData(base);
  asked.set(index, 0);
  const started = performance.now();
  await good(second.sync(SECOND));
  const durationMs = performance.now() - started;
  const requestsOfSecond = asked.get(index) ?? 0;
  using fresh = new Workspace(settings);
  await good(fresh.sync(SECOND));
  const requests = { second: requestsOfSecond, fresh: (asked.get(index) ?? 0) - requestsOfSecond };
  return {
    simulator,
    base,
    before,
    after: await sideOf(second),
    fresh: await sideOf(fresh),
    durationMs,
    requests,
  };
}

async function good(running: Program): Promise<void> {
  const ended = await running.ended;
  if (ended.code !== 0) throw new Error(`exit ${String(ended.code)}: ${ended.stderr}${ended.stdout}`);
}

async function sideOf(workspace: Workspace): Promise<Side> {
  return {
    hash: await contentHash(workspace.published),
    slices: await sliceState(workingPath(workspace.published)),
  };
}

/** Runs until the moment has come, then no instruction more. */
async function killAt(lane: { index: number }, workspace: Workspace, moment: Moment): Promise<Ended> {
  mkdirSync(workspace.data, { recursive: true });
  const running = workspace.sync(SECOND);
  const kill = (): void => void running.child.kill('SIGKILL');
  if ('afterMs' in moment) {
    const timer = setTimeout(kill, moment.afterMs);
    const ended = await running.ended;
    clearTimeout(timer);
    return ended;
  }
  if ('request' in moment) {
    onRequest[lane.index] = (request) => {
      if (moment.request(request)) kill();
    };
    const ended = await running.ended;
    onRequest[lane.index] = () => undefined;
    return ended;
  }
  const watcher = watch(workspace.data, (_, name) => {
    if (name !== null && moment.file.test(name)) kill();
  });
  const ended = await running.ended;
  watcher.close();
  return ended;
}

interface Trial {
  index: number;
  lane: Lane;
  moments: readonly Moment[];
  isFresh: boolean;
}

interface Outcome {
  kills: number;
  requests: number;
  problems: string[];
}

async function tryOut({ index, lane, moments, isFresh }: Trial): Promise<Outcome> {
  using workspace = new Workspace({ baseUrl: lane.simulator.url, startDate: START });
  if (!isFresh) workspace.copyData(lane.base);
  const after = isFresh ? lane.fresh : lane.after;
  const before = isFresh ? null : lane.before;
  const outcome: Outcome = { kills: 0, requests: 0, problems: [] };
  asked.set(index, 0);
  for (const moment of moments) {
    const ended = await killAt({ index }, workspace, moment);
    if (ended.signal === 'SIGKILL') outcome.kills += 1;
    else if (ended.code !== 0)
      outcome.problems.push(`exit ${String(ended.code)}: ${ended.stderr.slice(-500)}`);
    outcome.problems.push(...(await inspect(workspace, { before, after })));
  }
  const free = await workspace.sync(SECOND).ended;
  if (free.code !== 0)
    outcome.problems.push(`the free run ends with ${String(free.code)}: ${free.stderr.slice(-500)}`);
  else if ((await contentHash(workspace.published)) !== after.hash)
    outcome.problems.push('the free run does not converge');
  outcome.requests = asked.get(index) ?? 0;
  outcome.requests -= lane.requests[isFresh ? 'fresh' : 'second'];
  const left = readdirSync(workspace.data).filter((name) => /\.publish-|\.new-|\.corrupt-/.test(name));
  if (left.length > 0) outcome.problems.push(`left behind: ${left.join(', ')}`);
  const where = `${moments.map(({ name }) => name).join(', then ')} (${isFresh ? 'first run' : 'second night'})`;
  return { ...outcome, problems: outcome.problems.map((problem) => `${where}: ${problem}`) };
}

async function inspect(
  workspace: Workspace,
  { before, after }: { before: Side | null; after: Side },
): Promise<string[]> {
  const problems: string[] = [];
  if (existsSync(`${workspace.published}.wal`)) problems.push('a .wal lies beside the published file');
  try {
    if (existsSync(workspace.published)) {
      const hash = await contentHash(workspace.published);
      if (hash !== after.hash && hash !== before?.hash)
        problems.push('the published file is neither old nor new');
    } else if (before !== null) problems.push('the published file is gone');
    const working = workingPath(workspace.published);
    if (existsSync(working)) {
      const sides = { before: before?.slices ?? null, after: after.slices, day: SECOND };
      problems.push(...brokenSlices(await sliceState(working), sides));
    }
  } catch (error) {
    problems.push(`cannot be opened: ${String(error)}`);
  }
  return problems;
}

it('a process killed at any moment leaves each slice whole, a file that opens and a run that goes on', async () => {
  onRequest = Array.from({ length: LANES }, () => () => undefined);
  const lanes = await Promise.all(onRequest.map((_, index) => openLane(index)));
  const next = seededRandom(20_260_714);
  const moment = (): Moment => {
    const share = 0.1 + 0.8 * next();
    return {
      name: `after ${(share * 100).toFixed(0)} % of a run`,
      afterMs: share * (lanes[0]?.durationMs ?? 2000),
    };
  };
  const trials = [
    ...NAMED.map((named) => ({ moments: [named], isFresh: 'fresh' in named })),
    ...Array.from({ length: RANDOM_MOMENTS }, (_, number) => ({
      moments: [moment(), moment()],
      isFresh: number % 3 === 0,
    })),
  ];
  const free = [...lanes.keys()];
  const limit = pLimit(LANES);
  const outcomes = await Promise.all(
    trials.map((trial) =>
      limit(async () => {
        const index = free.pop() ?? 0;
        const lane = lanes[index];
        if (lane === undefined) throw new Error('no lane');
        try {
          return await tryOut({ index, lane, ...trial });
        } finally {
          free.push(index);
        }
      }),
    ),
  );
  for (const { simulator, base } of lanes) {
    base[Symbol.dispose]();
    await simulator.close();
  }
  const violations = outcomes.flatMap(({ problems }) => problems);
  const named = outcomes.slice(0, NAMED.length);
  const again = Math.max(...outcomes.map(({ requests }) => requests));
  const kills = outcomes.reduce((sum, outcome) => sum + outcome.kills, 0);
  const landed = named.reduce((sum, outcome) => sum + outcome.kills, 0);
  recordFigure({
    order: 5,
    promise:
      'After kill -9 at any moment each slice is entirely old or entirely new, and one run repairs the rest',
    how: 'The built program is killed at named points and at random moments, and after a random moment once more while it recovers. After each kill the published file must open, contain either the old or the new state and have no .wal file; each slice of the working file must match its ledger entry; and one undisturbed run must give the same warehouse as without the kill.',
    cases: kills,
    violations: violations.length,
    details: {
      'named points': NAMED.length,
      'killed at a named point': landed,
      'trials at random moments, each with a second kill during recovery': RANDOM_MOMENTS,
      'killed at a random moment (the others had already ended)': kills - landed,
      'requests that a trial of one or two kills asked twice, at most': again,
      'requests of one first run, of which none was answered twice without a kill':
        lanes[0]?.requests.fresh ?? 0,
    },
  });
  expect(violations).toEqual([]);
  expect(named.map(({ kills: killed }) => killed)).toEqual(NAMED.map(() => 1));
});
