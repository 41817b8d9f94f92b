import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { loadConfig } from '../../../src/config/file.ts';
import { realEffects } from '../../../src/effects.ts';
import { silentLog } from '../../../src/log.ts';
import { openState, type DaemonState } from '../../../src/daemon/schedule/jobs.ts';
import { openMetrics } from '../../../src/daemon/serve/metrics.ts';
import { readPublishedFacts } from '../../../src/daemon/serve/published-facts.ts';
import {
  openProcessService,
  openService,
  livenessOf,
  readinessOf,
} from '../../../src/daemon/serve/service.ts';
import { CONFIG, openPublished } from '../../cli/published.ts';
import { openFolder } from '../../support/folder.ts';
import { secretOf } from '../../../src/secret.ts';
import { freePort } from '../../support/scripted-server.ts';
import { job } from '../jobs.ts';

/** What the service of a schedule answers; `settings` are more lines of the configuration. */
async function openAnswers({ isPublished = true, settings = '', ended = null as number | null } = {}) {
  const quotas = ['http://127.0.0.1:9', 'http://127.0.0.1:8'].map(
    (origin) => `('${origin}', 'of ${origin}', 1000, 40, null, '2025-03-05')`,
  );
  const folder = isPublished
    ? (await openPublished(`insert into meta.quotas values ${quotas.join(', ')}`)).folder
    : openFolder();
  const path = join(folder, 'answerlake.yaml');
  writeFileSync(path, `${CONFIG}http: { port: ${await freePort()} }\n${settings}`);
  const env = { ACME_KEY: 'Fernhill', QUEUE: 'postgres://answerlake@127.0.0.1:1/away' };
  const config = loadConfig({ path, env });
  const state = openState([job('yearly', '0 0 1 1 *')]);
  state.readyMs = Date.now();
  const service = await openService(state, openMetrics('1'), {
    config,
    effects: realEffects,
    log: silentLog,
    lookAgain: () => Promise.resolve(void Object.assign(state.jobs[0] ?? {}, { lastExitCode: ended })),
  });
  onTestFinished(() => service?.[Symbol.asyncDispose]());
  return async (path: string) => {
    const answer = await fetch(`${service?.url ?? ''}${path}`);
    return { status: answer.status, body: await answer.text() };
  };
}

const OLD = 'freshness: { max_age: 9999999h }\n';

it('the service is healthy and ready, has metrics and pages, and shows no secret', async () => {
  const ask = await openAnswers({ settings: OLD });
  const ok = { status: 200, body: '{"status":"ok"}\n' };
  expect([await ask('/healthz'), await ask('/readyz')]).toEqual([ok, ok]);
  const { body } = await ask('/metrics');
  expect(body).toContain('answerlake_published_readable 1');
  expect(body.match(/quota_remaining\{.*/g)).toEqual([
    'quota_remaining{organization="of http://127.0.0.1:9"} 40',
  ]);
  expect(body).not.toContain('answerlake_queue_reachable');
  const page = await ask('/?project=p1');
  // The key is the name of the project.
  expect(page.body).toContain('<th scope="row">[secret]</th>');
  expect(page.body).not.toContain('Fernhill');
  expect(page.body).not.toContain('Stale');
  expect(page.body).toContain('data-chart="visibility"');
  expect((await ask('/?project=p2')).status).toBe(404);
});

it('the page says that charts could not be drawn, and has the rest', async () => {
  const ask = await openAnswers({ settings: `${OLD}report: { logo: gone.png }\n` });
  expect(await ask('/')).toEqual({
    status: 200,
    body: expect.stringContaining('The charts could not be drawn: see the log.'),
  });
});

it('the service is not ready once the newest answer is stale, and metrics say so', async () => {
  const ask = await openAnswers();
  const { status, body } = await ask('/readyz');
  const stale = expect.stringContaining('Stale: the newest answer is from 2025-03-05 02:17 UTC') as string;
  expect([status, body]).toEqual([503, stale]);
  expect((await ask('/metrics')).body).toMatch(
    /answerlake_newest_answer_age_seconds \d{8}[^]*answerlake_stale 1\n[^]*answerlake_stale_endpoints 1\n/,
  );
});

it('the service is not ready while nothing is published or the queue is away, and says so', async () => {
  const ask = await openAnswers({ isPublished: false, settings: 'queue: { url: env:QUEUE }\n' });
  const { status, body } = await ask('/readyz');
  expect([status, JSON.parse(body)]).toEqual([
    503,
    {
      status: 'failing',
      problems: [expect.stringContaining('PostgreSQL'), 'nothing is published yet'],
    },
  ]);
  expect((await ask('/metrics')).body).toContain('answerlake_queue_reachable 0');
  expect((await ask('/')).body).toContain('nothing is published yet');
});

it('with a queue, metrics and page show how the loader ended the newest run of a job', async () => {
  const ask = await openAnswers({ ended: 3 });
  expect((await ask('/metrics')).body).toContain('answerlake_last_exit_code{job="yearly"} 3');
  expect((await ask('/')).body).toContain('Job yearly ended with 3');
});

it('the service of a worker is alive but not ready while the queue is away, and needs a port', async () => {
  const url = secretOf('env:QUEUE', 'postgres://answerlake@127.0.0.1:1/away');
  const open = (port: number) =>
    openProcessService(url, { config: { http: { host: '127.0.0.1', port } }, log: silentLog });
  await expect(open(0)).rejects.toMatchObject({ exitCode: 2 });
  await using service = await open(await freePort());
  const statusOf = async (path: string) => (await fetch(service.url + path)).status;
  expect([await statusOf('/healthz'), await statusOf('/readyz')]).toEqual([200, 503]);
  const metrics = await (await fetch(`${service.url}/metrics`)).text();
  expect(metrics).toMatch(/^answerlake_process_[^]*answerlake_queue_reachable 0\n$/m);
});

it('the page shows two projects of one name with their slugs', async () => {
  const { published } = await openPublished(
    "insert into core.projects values ('p2', 'o1', 'Fernhill', 'fernhill-us', 'r1', '2025-03-05')",
  );
  const facts = await readPublishedFacts(published, { now: Date.parse('2025-03-06'), maxAgeMs: null });
  const names = new Set(facts?.freshness.map(({ projectName }) => projectName));
  expect(names).toContain('Fernhill (fernhill)');
  expect(names).not.toContain('Fernhill');
});

it('the page has the events of one night, the day before that of the last sync', async () => {
  const events = ['2025-03-03', '2025-03-04', '2025-03-05'].map(
    (day) =>
      `('p1', 'e${day}', '${day}', 'action', '${day} 10:00:00', 'a${day}', 'COMPLETED', 'Launch of ${day}', 'r1', '2025-03-05')`,
  );
  const { published } = await openPublished(
    `insert into core.events (project_id, event_id, date, type, occurred_at, action_id, action_status, action_title, _run_id, _changed_at) values ${events.join(', ')}`,
  );
  const facts = await readPublishedFacts(published, { now: Date.parse('2025-03-06'), maxAgeMs: null });
  expect(facts?.events).toEqual([
    { projectId: 'p1', projectName: 'Fernhill', day: '2025-03-04', title: 'Launch of 2025-03-04' },
  ]);
});

const START = Date.parse('2025-03-05T00:10:00Z');
const HOUR = 3_600_000;

function stateOf(schedules: Record<string, string>): DaemonState {
  const state = openState(Object.entries(schedules).map(([name, schedule]) => job(name, schedule)));
  state.readyMs = START;
  return state;
}

it('liveness is lost when a tick went by unheard, with a minute and a half of grace', () => {
  const state = stateOf({ hourly: '0 * * * *', nightly: '17 2 * * *' });
  const tick = Date.parse('2025-03-05T01:00:00Z');
  const missed = ['job hourly missed its tick'];
  expect(livenessOf(state, START, tick - 1)).toEqual([]);
  expect(livenessOf(state, START, tick + 80_000)).toEqual([]);
  expect(livenessOf(state, START, tick + 100_000)).toEqual(missed);
  const [hourly] = state.jobs;
  if (hourly !== undefined) hourly.lastTickMs = tick;
  expect(livenessOf(state, START, tick + HOUR - 1)).toEqual([]);
  expect(livenessOf(state, START, tick + HOUR + 100_000)).toEqual(missed);
  state.isStopping = true;
  expect(livenessOf(state, START, tick + HOUR + 100_000)).toEqual([]);
});

it('liveness is lost when the scheduler does not start', () => {
  const state = stateOf({});
  state.readyMs = null;
  expect(livenessOf(state, START, START + 120_000)).toEqual([]);
  expect(livenessOf(state, START, START + 120_001)).toEqual(['the scheduler has not started']);
});

it('readiness needs a run since the last but one tick of the busiest job; a run at work counts', () => {
  const state = stateOf({ hourly: '0 * * * *', nightly: '17 2 * * *' });
  const [hourly, nightly] = state.jobs;
  if (hourly === undefined || nightly === undefined) throw new Error('no jobs');
  const at = (time: string) => readinessOf(state, Date.parse(`2025-03-05T${time}Z`));
  const old = (end: string) => [`the last run ended 2025-03-05T${end}:00.000Z, two ticks ago or more`];
  expect(at('01:30:00')).toEqual([]);
  expect(at('02:30:00')).toEqual(old('00:10'));
  hourly.lastEndMs = Date.parse('2025-03-05T01:00:00Z');
  nightly.lastEndMs = Date.parse('2025-03-05T02:30:00Z');
  expect(at('03:30:00')).toEqual([]);
  expect(at('04:30:00')).toEqual(old('02:30'));
  nightly.lastEndMs = Date.parse('2025-03-05T03:00:00Z');
  expect(at('04:30:00')).toEqual([]);
  nightly.lastEndMs = null;
  expect(at('04:30:00')).toEqual(old('01:00'));
  hourly.runningSinceMs = Date.parse('2025-03-05T03:00:00Z');
  expect(at('04:30:00')).toEqual([]);
});

it('readiness needs a scheduler that waits for its ticks', () => {
  const state = stateOf({});
  expect(readinessOf(state, START)).toEqual([]);
  state.isStopping = true;
  expect(readinessOf(state, START)).toEqual(['the scheduler is not running']);
  expect(readinessOf({ ...state, isStopping: false, readyMs: null }, START)).toHaveLength(1);
});
