import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { SimulatorOptions } from '../../../simulator/options.ts';
import { startSimulator } from '../../../simulator/simulator.ts';
import { rowsOfFile } from '../../support/file-reader.ts';
import { openFolder } from '../../support/folder.ts';
import { prepareWorkingFile } from '../../support/made-once.ts';
import { dayOf } from '../../../src/day.ts';
import { realEffects } from '../../../src/effects.ts';
import { cli } from '../../cli/run.ts';
import { startProgram } from '../../support/program.ts';
import { freePort } from '../../support/scripted-server.ts';

const ORGANIZATION_KEY = 'canary-organization-key-7f3a91';

interface PlaceOptions {
  simulator?: SimulatorOptions;
  /** More lines of the configuration. */
  settings?: string;
  /** File name → text. */
  jobs?: Record<string, string>;
}

/** A folder with configuration and jobs, and a simulator. */
async function openPlace(options: PlaceOptions = {}) {
  const simulator = await startSimulator({
    world: 'small',
    ...options.simulator,
    keys: [{ key: ORGANIZATION_KEY, id: 'k1', name: 'canary', type: 'organization' }],
  });
  onTestFinished(() => simulator.close());
  const folder = openFolder();
  const startDate = new Date(Date.now() - 40 * 86_400_000).toISOString().slice(0, 10);
  writeFileSync(
    join(folder, 'answerlake.yaml'),
    `version: 1\napi: { base_url: '${simulator.url}', requests_per_minute: 0 }\naccounts: [{ name: acme, api_key: env:KEY }]\nsync: { start_date: ${startDate} }\n${options.settings ?? ''}`,
  );
  mkdirSync(join(folder, 'jobs'));
  for (const [name, text] of Object.entries(options.jobs ?? {})) {
    writeFileSync(join(folder, 'jobs', name), text);
  }
  const path = join(folder, 'data', 'answers.duckdb');
  await prepareWorkingFile(path);
  const env = { KEY: ORGANIZATION_KEY };
  return {
    folder,
    simulator,
    env,
    start: () => startProgram(['schedule'], { cwd: folder, env }),
    rows: async (sql: string) => await rowsOfFile(path, sql),
  };
}

const EVERY_SECOND = "schedule: '* * * * * *'\n";
const pause = (delayMs: number) => new Promise((next) => setTimeout(next, delayMs));

it('answerlake schedule answers health, metrics and status page during a publish, without a secret', async () => {
  const port = await freePort();
  const place = await openPlace({
    settings: `http: { port: ${port} }\nreport: { title: Figures of ours }\n`,
    jobs: { 'a.yaml': `name: often\n${EVERY_SECOND}` },
  });
  const daemon = place.start();
  await daemon.saw('http.listening');
  const origin = `http://127.0.0.1:${port}`;
  const answers: string[] = [];
  const over = new AbortController();
  const hammer = (async () => {
    while (!over.signal.aborted) {
      for (const path of ['/healthz', '/readyz', '/metrics']) {
        const answer = await fetch(origin + path);
        answers.push(`${path} ${answer.status}`);
        await answer.text();
      }
      await pause(25);
    }
  })();
  await daemon.saw('publish.done');
  await daemon.saw('job.finished');
  over.abort();
  await hammer;
  expect(new Set(answers.filter((answer) => !answer.startsWith('/readyz')))).toEqual(
    new Set(['/healthz 200', '/metrics 200']),
  );
  expect((await fetch(`${origin}/readyz`)).status).toBe(200);
  const metrics = await (await fetch(`${origin}/metrics`)).text();
  expect(metrics).toMatch(/answerlake_freshness_days\{project="[^"]+",endpoint="visibility"\} [01]\n/);
  const page = await (await fetch(`${origin}/`)).text();
  expect(page).toContain('Figures of ours</h1>');
  expect(page).toContain('Freshness, published');
  daemon.child.kill('SIGTERM');
  const { code, stdout, stderr } = await daemon.ended;
  expect(code).toBe(143);
  for (const shown of [metrics, page, stdout, stderr]) expect(shown).not.toContain(ORGANIZATION_KEY);
});

it('answerlake schedule publishes committed rows and ends within 5 s of SIGTERM during a run', async () => {
  const place = await openPlace({
    simulator: { world: 'demo', latencyMs: 25 },
    jobs: { 'a.yaml': `name: long\n${EVERY_SECOND}` },
  });
  const daemon = place.start();
  await daemon.saw('stage.started', 'long');
  while (place.simulator.requests.length < 100) await pause(20);
  const askedMs = performance.now();
  daemon.child.kill('SIGTERM');
  const { code, atMs } = await daemon.ended;
  expect(code).toBe(143);
  expect(atMs - askedMs).toBeLessThan(5000);
  expect(daemon.events.at(-1)).toMatchObject({ event: 'schedule.stopped', unfinished: [] });
  const [run] = await place.rows('select status, exit_code, slices_loaded from meta.runs');
  expect(run).toMatchObject({ status: 'stopped', exit_code: 143 });
  expect(Number(run?.['slices_loaded'])).toBeGreaterThan(20);
  const [days] = await place.rows('select count(*) as days from core.visibility');
  expect(Number(days?.['days'])).toBeGreaterThan(0);
  expect(readdirSync(join(place.folder, 'data')).filter((name) => name.includes('publishing'))).toEqual([]);
});

it('answerlake schedule as a process ends at once at the second signal', async () => {
  const place = await openPlace({
    simulator: { latencyMs: 30_000 },
    jobs: { 'a.yaml': `name: long\n${EVERY_SECOND}` },
  });
  const daemon = place.start();
  await daemon.saw('job.started');
  daemon.child.kill('SIGTERM');
  await daemon.saw('schedule.stopping');
  daemon.child.kill('SIGTERM');
  expect((await daemon.ended).code).toBe(143);
  expect(daemon.events.at(-1)).toMatchObject({ event: 'schedule.stopping' });
});

it('answerlake schedule as a process makes up for downtime with one run over the whole gap', async () => {
  const fiveDaysAgo = Date.now() - 5 * 86_400_000;
  let isPast = true;
  const place = await openPlace({
    jobs: { 'a.yaml': `name: nightly\nschedule: '17 2 * * *'\n` },
    simulator: { serverTime: () => (isPast ? fiveDaysAgo : Date.now()) },
  });
  const config = join(place.folder, 'answerlake.yaml');
  const before = await cli(['sync', '--job', 'nightly', '--config', config], {
    env: place.env,
    effects: { ...realEffects, now: () => fiveDaysAgo },
  });
  expect(before.code).toBe(0);
  isPast = false;
  place.simulator.resetRequests();
  const daemon = place.start();
  expect(await daemon.saw('job.catch_up')).toMatchObject({ job: 'nightly', gap_days: 5 });
  await daemon.saw('job.finished');
  daemon.child.kill('SIGTERM');
  await daemon.ended;
  expect(daemon.events.filter(({ event }) => event === 'job.started')).toHaveLength(1);
  const asked = place.simulator.requests
    .filter(({ path }) => path.endsWith('/responses/sentiment-time-series'))
    .map(({ query }) => query.find(([name]) => name === 'startDate')?.[1] ?? '');
  expect(asked.length).toBeGreaterThan(0);
  for (const day of asked) expect(day <= dayOf(fiveDaysAgo)).toBe(true);
  expect(await place.rows('select * from main.sync_gaps')).toEqual([]);
});
