import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { recordFigure } from '../exhaustive/figures.ts';
import { openLine } from './line.ts';
import { Fleet, TODAY, wait } from './fleet.ts';

/** A fifth of the usual one: PostgreSQL answers in that time on a slow machine, too. */
const heartbeat = { intervalMs: 500, timeoutMs: 3_000, deadMs: 7_000, reconnectMs: 500 };

/** What was seen of silent processes, after the time in which they may still act. */
const seen = { silent: 0, requests: 0, parts: 0, publishes: 0 };

afterAll(() => {
  recordFigure({
    order: 22,
    promise: 'A worker or loader to which PostgreSQL is silent does nothing more',
    how: `The line between a process and PostgreSQL drops everything and closes nothing, in the middle of a night. After ${String(heartbeat.timeoutMs / 1000)} seconds (10 outside of tests) a worker may ask and land nothing more, and a loader publishes nothing; others take over after ${String(heartbeat.deadMs / 1000)} seconds (25), and the content must be that of one process.`,
    cases: seen.silent,
    violations: seen.requests + seen.parts + seen.publishes,
    details: {
      'requests after the heartbeat': seen.requests,
      'parts landed after the heartbeat': seen.parts,
      'publishes after the takeover': seen.publishes,
    },
  });
});

async function openStage() {
  const fleet = await Fleet.open(1, { startDate: '2025-12-01', latencyMs: 300 });
  const line = await openLine(fleet.url);
  return {
    fleet,
    organizations: fleet.organizations,
    line,
    start: (role: 'worker' | 'loader', where: 'direct' | 'on the line' = 'direct') =>
      fleet.serve(role, { env: { DATABASE_URL: where === 'direct' ? fleet.url : line.url }, heartbeat }),
    landed: (): number => readdirSync(join(fleet.folder, 'data', 'landing'), { recursive: true }).length,
  };
}

test('a worker to which PostgreSQL is silent asks and lands nothing after its heartbeat, and comes back', async () => {
  const { fleet, organizations, line, start, landed } = await openStage();
  start('loader');
  const worker = start('worker', 'on the line');
  const run = fleet.start(['queue', 'run', '--wait', '--today', TODAY]);
  while (organizations.requests().length < 12) await wait(20);
  line.mute();
  const othersFrom = Date.now() + heartbeat.deadMs;
  // A slow machine may take any time.
  await worker.saw('worker.disconnected');
  const [asked, parts] = [organizations.requests().length, landed()];
  expect(asked).toBeGreaterThan(12);
  await wait(heartbeat.timeoutMs);
  const late = organizations.requests().filter(({ at }) => at > othersFrom).length;
  seen.silent += 1;
  seen.requests = organizations.requests().length - asked + late;
  seen.parts = landed() - parts;
  expect(seen).toMatchObject({ requests: 0, parts: 0 });
  organizations.setLatency(0);
  line.unmute();
  expect((await run.ended).code).toBe(0);
  expect(worker.events.filter(({ event }) => event === 'worker.ready').length).toBe(2);
  expect(await fleet.differences()).toEqual([]);
});

test('a loader to which PostgreSQL is silent publishes nothing more, and its standby takes over', async () => {
  const { fleet, organizations, line, start } = await openStage();
  const loader = start('loader', 'on the line');
  await loader.saw('loader.ready');
  const standby = start('loader');
  await standby.saw('loader.standby');
  start('worker');
  const run = fleet.start(['queue', 'run', '--wait', '--today', TODAY]);
  while (organizations.requests().length < 12) await wait(20);
  line.mute();
  organizations.setLatency(0);
  await standby.saw('loader.ready');
  const told = loader.events.length;
  // A slow machine takes longer to close what the loader had open.
  await loader.saw('loader.disconnected');
  expect(existsSync(fleet.published)).toBe(false);
  expect((await run.ended).code).toBe(0);
  line.unmute();
  seen.silent += 1;
  seen.publishes = loader.events.slice(told).filter(({ event }) => event === 'publish.done').length;
  expect(seen.publishes).toBe(0);
  expect(await fleet.differences()).toEqual([]);
});
