import { expect, test } from 'vitest';
import { contentHashes } from '../support/content-hash.ts';
import { startOrganizations } from './organizations.ts';
import { QueueRig } from './queue-rig.ts';

const TODAY = '2026-03-01';
const wait = (ms: number): Promise<void> => new Promise((settle) => setTimeout(settle, ms));

test('a standby goes on within 30 s of the death of a loader whose round has minutes to go', async () => {
  // 200 requests of 2 s on 4 connections.
  await using organizations = await startOrganizations(1, { today: TODAY, latencyMs: 2_000 });
  const rig = await QueueRig.open({ organizations, startDate: '2025-03-01' });
  const loader = rig.start(['loader']);
  await loader.saw('loader.ready');
  const standby = rig.start(['loader']);
  await standby.saw('loader.standby');
  const worker = rig.start(['worker']);
  const run = rig.start(['queue', 'run', '--wait', '--today', TODAY]);
  while (organizations.requests().length < 16) await wait(50);
  const rounds = (): number => worker.events.filter(({ event }) => event === 'round.started').length;
  const before = rounds();
  const from = Date.now();
  loader.child.kill('SIGKILL');
  while (rounds() === before) await wait(50);
  expect(Date.now() - from).toBeLessThan(30_000);
  organizations.setLatency(0);
  expect((await run.ended).code).toBe(0);
  expect(await contentHashes(rig.published)).toEqual(await rig.contentOfOneProcess(TODAY));
});
