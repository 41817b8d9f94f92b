import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { contentHashes } from '../support/content-hash.ts';
import { startInProcess, type InProcess } from './in-process.ts';
import { openLine, type Line } from './line.ts';
import { startOrganizations, type Organizations } from './organizations.ts';
import { QueueRig } from './queue-rig.ts';

const TODAY = '2026-03-01';
/** A tenth of the usual one. */
const heartbeat = { beatMs: 300, silentMs: 1_500, deadMs: 3_500 };
const wait = (ms: number): Promise<void> => new Promise((settle) => setTimeout(settle, ms));

interface Stage {
  organizations: Organizations;
  rig: QueueRig;
  line: Line;
  start(role: 'worker' | 'loader', where?: 'direct' | 'on the line'): InProcess;
  landed(): number;
}

async function openStage(organizations: Organizations): Promise<Stage> {
  const rig = await QueueRig.open({ organizations, startDate: '2025-12-01' });
  const line = await openLine(rig.url);
  return {
    organizations,
    rig,
    line,
    start: (role, where = 'direct') =>
      startInProcess([role, '--config', join(rig.folder, 'answerlake.yaml')], {
        env: { ...rig.env, DATABASE_URL: where === 'direct' ? rig.url : line.url },
        heartbeat,
      }),
    landed: () => readdirSync(join(rig.folder, 'data', 'landing'), { recursive: true }).length,
  };
}

test('a worker to which PostgreSQL is silent asks and lands nothing after its heartbeat, and comes back', async () => {
  await using organizations = await startOrganizations(1, { today: TODAY, latencyMs: 300 });
  const { rig, line, start, landed } = await openStage(organizations);
  start('loader');
  const worker = start('worker', 'on the line');
  const run = rig.start(['queue', 'run', '--wait', '--today', TODAY]);
  while (organizations.requests().length < 12) await wait(20);
  line.mute();
  await wait(heartbeat.silentMs + 200);
  const before = [organizations.requests().length, landed()];
  expect(before[0]).toBeGreaterThan(12);
  await wait(heartbeat.deadMs - heartbeat.silentMs);
  expect([organizations.requests().length, landed()]).toEqual(before);
  await worker.saw('worker.disconnected');
  organizations.setLatency(0);
  line.unmute();
  expect((await run.ended).code).toBe(0);
  expect(worker.events.filter(({ event }) => event === 'worker.ready').length).toBe(2);
  expect(await contentHashes(rig.published)).toEqual(await contentHashes(await rig.oneProcess([TODAY])));
});

test('a loader to which PostgreSQL is silent publishes nothing more, and its standby takes over', async () => {
  await using organizations = await startOrganizations(1, { today: TODAY, latencyMs: 300 });
  const { rig, line, start } = await openStage(organizations);
  const loader = start('loader', 'on the line');
  await loader.saw('loader.ready');
  const standby = start('loader');
  await standby.saw('loader.standby');
  start('worker');
  const run = rig.start(['queue', 'run', '--wait', '--today', TODAY]);
  while (organizations.requests().length < 12) await wait(20);
  line.mute();
  organizations.setLatency(0);
  await standby.saw('loader.ready');
  const told = loader.events.length;
  const published = existsSync(rig.published) ? statSync(rig.published).ino : null;
  expect(loader.events.map(({ event }) => event)).toContain('loader.disconnected');
  expect((await run.ended).code).toBe(0);
  line.unmute();
  expect(published).toBeNull();
  expect(loader.events.slice(told).map(({ event }) => event)).not.toContain('publish.done');
  expect(await contentHashes(rig.published)).toEqual(await contentHashes(await rig.oneProcess([TODAY])));
});
