import { expect, test } from 'vitest';
import { startOrganizations } from './organizations.ts';
import { Fleet, wait } from './fleet.ts';

const TODAY = '2026-03-01';

test('a worker waits for a loader; a standby goes on within 30 s of its death in a round of minutes', async () => {
  // 200 requests of 2 s on 4 connections.
  await using organizations = await startOrganizations(1, { today: TODAY, latencyMs: 2_000 });
  const fleet = await Fleet.open({ organizations, startDate: '2025-03-01' });
  const worker = fleet.start(['worker']);
  await worker.saw('worker.waiting');
  const loader = fleet.start(['loader']);
  await loader.saw('loader.ready');
  const standby = fleet.start(['loader']);
  await standby.saw('loader.standby');
  await worker.saw('worker.ready');
  const status = await fleet.run(['queue', 'status', '--json']);
  expect(JSON.parse(status.stdout)).toMatchObject({
    processes: [{ kind: 'loader', is_alive: true }, { kind: 'standby' }, { kind: 'worker' }],
    dead_letters: [],
  });
  const run = fleet.start(['queue', 'run', '--wait', '--today', TODAY]);
  while (organizations.requests().length < 16) await wait(50);
  const rounds = (): number => worker.events.filter(({ event }) => event === 'round.started').length;
  const before = rounds();
  const from = Date.now();
  loader.child.kill('SIGKILL');
  while (rounds() === before) await wait(50);
  expect(Date.now() - from).toBeLessThan(30_000);
  organizations.setLatency(0);
  expect((await run.ended).code).toBe(0);
  for (const { child } of [worker, standby]) child.kill('SIGTERM');
  expect([(await worker.ended).code, (await standby.ended).code]).toEqual([143, 143]);
  expect(await fleet.differences(TODAY)).toEqual([]);
});
