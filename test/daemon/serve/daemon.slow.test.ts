import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { rowsOfFile } from '../../support/file-reader.ts';
import { addDays, dayOf } from '../../../src/day.ts';
import { realEffects } from '../../../src/effects.ts';
import { openSmallWorld, type SmallWorldOptions } from '../../cli/small-world.ts';
import { startProgram } from '../../support/program.ts';
import { freePort } from '../../support/scripted-server.ts';

const KEY = 'canary-organization-key-7f3a91';

/** A world of today, whose schedule has one job. */
async function openPlace(job: string, options: SmallWorldOptions = {}) {
  const today = dayOf(Date.now());
  const keys = [{ key: KEY, id: 'k1', name: 'canary', type: 'organization' }] as const;
  const world = await openSmallWorld({ today, startDate: addDays(today, -40), keys, ...options });
  const { folder, env } = world;
  mkdirSync(join(folder, 'jobs'));
  writeFileSync(join(folder, 'jobs', 'a.yaml'), job);
  return {
    ...world,
    start: () => startProgram(['schedule'], { cwd: folder, env }),
    rows: (sql: string) => rowsOfFile(join(folder, 'data', 'answers.duckdb'), sql),
  };
}

const EVERY_SECOND = "schedule: '* * * * * *'\n";
const pause = (delayMs: number) => new Promise((next) => setTimeout(next, delayMs));

it('answerlake schedule answers health, metrics and status page during a publish, without a secret', async () => {
  const port = await freePort();
  const more = `http: { port: ${port} }\nreport: { title: Figures of ours }\n`;
  const place = await openPlace(`name: often\n${EVERY_SECOND}`, { more });
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
  for (const shown of [metrics, page, stdout, stderr]) expect(shown).not.toContain(KEY);
});

it('answerlake schedule publishes committed rows and ends within 5 s of SIGTERM during a run', async () => {
  const place = await openPlace(`name: long\n${EVERY_SECOND}`, { world: 'demo', latencyMs: 25 });
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
  const place = await openPlace(`name: long\n${EVERY_SECOND}`, { latencyMs: 30_000 });
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
  const serverTime = (): number => (isPast ? fiveDaysAgo : Date.now());
  const place = await openPlace(`name: nightly\nschedule: '17 2 * * *'\n`, { serverTime });
  const effects = { ...realEffects, now: () => fiveDaysAgo };
  expect(await place.run(['sync', '--job', 'nightly'], { effects })).toMatchObject({ code: 0 });
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
