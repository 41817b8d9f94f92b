import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { AnswerlakeError, type ExitCode } from '../../../src/errors.ts';
import { realEffects } from '../../../src/effects.ts';
import { openLog } from '../../../src/log.ts';
import { type Job, openState } from '../../../src/daemon/schedule/jobs.ts';
import { job } from '../jobs.ts';
import { livenessOf } from '../../../src/daemon/serve/service.ts';
import { type JobCall, runSchedule } from '../../../src/daemon/schedule/schedule.ts';

const START = Date.parse('2025-03-05T00:00:00Z');
const MINUTE = 60_000;

beforeEach(() => {
  vi.useFakeTimers({ now: START });
});

afterEach(() => {
  vi.useRealTimers();
});

type Work = (job: Job, call: JobCall) => Promise<ExitCode | null>;

interface Surroundings {
  minutes: number;
  lastSuccess?: Record<string, number>;
  /** Minutes after which the configuration is to be read again. */
  reloadAt?: number;
}

/** What a schedule does in some minutes. */
async function during(
  jobs: readonly Job[],
  work: Work,
  { minutes, lastSuccess = {}, reloadAt }: Surroundings,
) {
  const controller = new AbortController();
  const events: string[] = [];
  const calls: string[] = [];
  const counted: string[] = [];
  const state = openState(jobs);
  for (const one of state.jobs) one.lastLoadMs = lastSuccess[one.name] ?? null;
  const log = openLog({
    level: 'info',
    quiet: false,
    secrets: [],
    destination: {
      write: (line) => {
        const { event, job: name } = JSON.parse(line) as { event: string; job?: string };
        events.push(name === undefined ? event : `${event} ${name}`);
      },
    },
  });
  const reload = reloadAt === undefined ? undefined : new AbortController();
  if (reload !== undefined) setTimeout(() => reload.abort(), (reloadAt ?? 0) * MINUTE);
  const ended = runSchedule({
    state,
    metrics: {
      overrun: (name) => counted.push(`${name} overrun`),
      ended: (name, exitCode, durationMs) => counted.push(`${name} ${exitCode} ${durationMs / MINUTE}`),
    },
    remember: () => undefined,
    run: async (one, call) => {
      const at = new Date().toISOString().slice(11, 19);
      calls.push(`${at} ${one.name} ${call.reason} ${call.gapDays}`);
      return work(one, call);
    },
    effects: realEffects,
    log,
    signal: controller.signal,
    reload: reload?.signal,
  });
  await vi.advanceTimersByTimeAsync(minutes * MINUTE);
  controller.abort(new AnswerlakeError('Stopped.', { class: 'stopped' }));
  await vi.advanceTimersByTimeAsync(5000);
  await ended;
  return { calls, events, counted, state };
}

const sleep = (delayMs: number) => new Promise<void>((resolve) => setTimeout(resolve, delayMs));
const instantly: Work = () => Promise.resolve(0);

it('runSchedule runs each job at its ticks, in its own time zone', async () => {
  const jobs = [job('hourly', '0 * * * *'), job('berlin', '30 2 * * *', { timezone: 'Europe/Berlin' })];
  const { calls } = await during(jobs, instantly, { minutes: 125 });
  expect(calls).toEqual([
    '01:00:00 hourly schedule 0',
    '01:30:00 berlin schedule 0',
    '02:00:00 hourly schedule 0',
  ]);
});

it('runSchedule leaves out a tick while the same job still runs or waits, and says so', async () => {
  const { calls, counted } = await during(
    [job('slow', '*/10 * * * *')],
    async () => {
      await sleep(25 * MINUTE);
      return 0;
    },
    { minutes: 45 },
  );
  expect(calls).toEqual(['00:10:00 slow schedule 0', '00:40:00 slow schedule 0']);
  expect(counted).toEqual(['slow overrun', 'slow overrun', 'slow 0 25']);
});

it('runSchedule goes on after a job that throws', async () => {
  const { calls, events } = await during(
    [job('bad', '0 * * * *')],
    () => Promise.reject(new Error('broken')),
    { minutes: 130 },
  );
  expect(calls).toEqual(['01:00:00 bad schedule 0', '02:00:00 bad schedule 0']);
  expect(events.filter((event) => event === 'job.failed bad')).toHaveLength(2);
});

it.each([
  ['gives the exit code', () => Promise.resolve<ExitCode>(6)],
  ['throws', () => Promise.reject(new AnswerlakeError('busy', { class: 'locked' }))],
])('runSchedule tries again until another process closes the file (%s)', async (_, locked) => {
  let tries = 0;
  const { calls, events } = await during(
    [job('nightly', '0 1 * * *')],
    () => {
      tries += 1;
      return tries < 4 ? locked() : Promise.resolve(0);
    },
    { minutes: 70 },
  );
  expect(calls.map((call) => call.slice(0, 8))).toEqual(['01:00:00', '01:00:30', '01:01:00', '01:01:30']);
  expect(events.filter((event) => event === 'job.locked nightly')).toHaveLength(3);
  expect(events).toContain('job.finished nightly');
});

it('runSchedule gives up on a file that is locked for an hour', async () => {
  const { calls } = await during([job('nightly', '0 1 * * *')], () => Promise.resolve(6), { minutes: 300 });
  expect(calls).toHaveLength(121);
  expect(calls.at(-1)).toBe('02:00:00 nightly schedule 0');
});

it('runSchedule runs jobs of the same tick one after the other, and keeps how each went', async () => {
  const { state } = await during(
    [job('a', '0 1 * * *'), job('b', '0 1 * * *')],
    async ({ name }) => {
      await sleep(10 * MINUTE);
      return name === 'a' ? 0 : 3;
    },
    { minutes: 90 },
  );
  const at = (time: string): number => Date.parse(`2025-03-05T${time}:00Z`);
  const run = { lastTickMs: at('01:00'), runningSinceMs: null };
  const ends = { a: at('01:10'), b: at('01:20') };
  expect(state).toMatchObject({
    readyMs: START,
    isStopping: true,
    jobs: [
      { ...run, lastEndMs: ends.a, lastSuccessMs: ends.a, lastExitCode: 0, lastLatenessMs: 0 },
      { ...run, lastEndMs: ends.b, lastSuccessMs: null, lastExitCode: 3, lastLatenessMs: 10 * MINUTE },
    ],
  });
});

it('runSchedule ends for a reload once the running job is done, and stops at once at a signal', async () => {
  const slow: Work = async () => {
    await sleep(20 * MINUTE);
    return 0;
  };
  const hourly = [job('a', '0 * * * *')];
  const reloaded = await during(hourly, slow, { minutes: 85, reloadAt: 65 });
  expect(reloaded.events.slice(-3)).toEqual(['job.started a', 'schedule.reloading', 'job.finished a']);
  expect(reloaded.state.isStopping).toBe(false);
  // The clock is at 01:25.
  const stopped = await during(hourly, slow, { minutes: 45, reloadAt: 40 });
  expect(stopped.events.slice(-3)).toEqual(['schedule.reloading', 'schedule.stopping', 'schedule.stopped']);
});

it('runSchedule stays alive for the probe while a reload waits for a long run, and starts nothing', async () => {
  const jobs = [job('hourly', '0 * * * *'), job('long', '10 0 * * *')];
  const work: Work = async ({ name }) => {
    await sleep(name === 'long' ? 200 * MINUTE : 0);
    return 0;
  };
  const { calls, state } = await during(jobs, work, { minutes: 209, reloadAt: 30 });
  expect(calls).toEqual(['00:10:00 long schedule 0']);
  state.isStopping = false;
  expect(livenessOf(state, START, START + 209 * MINUTE)).toEqual([]);
});

it('runSchedule makes up for downtime with one run that knows the gap', async () => {
  const lastSuccess = { nightly: Date.parse('2025-03-01T02:17:05Z') };
  const { calls } = await during([job('nightly', '17 2 * * *')], instantly, { minutes: 180, lastSuccess });
  expect(calls).toEqual(['00:00:00 nightly catch_up 4', '02:17:00 nightly schedule 0']);
});

it('runSchedule makes up for downtime when the last success is one of a clock that was ahead', async () => {
  const lastSuccess = { nightly: Date.parse('2025-06-01T02:17:05Z') };
  const { calls } = await during([job('nightly', '17 2 * * *')], instantly, { minutes: 1, lastSuccess });
  expect(calls).toEqual(['00:00:00 nightly catch_up 0']);
});

it.each([
  ['no tick was missed', job('nightly', '17 23 * * *'), { nightly: Date.parse('2025-03-04T23:17:05Z') }],
  ['the job does not want it', job('nightly', '17 2 * * *', { catchUp: false }), { nightly: 0 }],
  ['the job never ran', job('nightly', '17 2 * * *'), {}],
])('runSchedule starts no catch-up run when %s', async (_, one, lastSuccess) => {
  const { calls } = await during([one], instantly, { minutes: 1, lastSuccess });
  expect(calls).toEqual([]);
});

it('runSchedule tells a running job to stop, and starts none of the waiting ones', async () => {
  const stopped: string[] = [];
  const { calls } = await during(
    [job('a', '0 1 * * *'), job('b', '0 1 * * *')],
    async (one, { signal }) => {
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
      stopped.push(one.name);
      return 130;
    },
    { minutes: 61 },
  );
  expect({ calls: calls.length, stopped }).toEqual({ calls: 1, stopped: ['a'] });
});

it('runSchedule ends within 5 s although a job does not listen', async () => {
  const { events } = await during([job('deaf', '0 1 * * *')], () => new Promise(() => undefined), {
    minutes: 61,
  });
  expect(events.at(-1)).toBe('schedule.stopped');
});

it('a run that a queue took has no end and no success yet', async () => {
  const queued: Work = () => Promise.resolve(null);
  const { calls, counted, state } = await during([job('hourly', '0 * * * *')], queued, { minutes: 61 });
  expect([calls.length, counted]).toEqual([1, []]);
  const none = { runningSinceMs: null, lastEndMs: null, lastSuccessMs: null, lastExitCode: null };
  expect(state.jobs[0]).toMatchObject(none);
});
