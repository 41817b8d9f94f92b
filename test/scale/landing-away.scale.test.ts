import { mkdirSync, readdirSync, renameSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { HEARTBEAT } from '../../src/scale/queue/processes.ts';
import { startBucketServer } from '../support/bucket-server.ts';
import { contentHashes } from '../support/content-hash.ts';
import { mostRepeated } from './asked-often.ts';
import { startInProcess } from './in-process.ts';
import { startOrganizations } from './organizations.ts';
import { QueueRig } from './queue-rig.ts';

const TODAY = '2026-03-01';
const start = (role: string, rig: QueueRig): ReturnType<typeof startInProcess> =>
  startInProcess([role, '--config', join(rig.folder, 'answerlake.yaml')], {
    env: rig.env,
    heartbeat: { ...HEARTBEAT, reconnectMs: 500 },
  });
const wait = (ms: number): Promise<void> => new Promise((settle) => setTimeout(settle, ms));

test('a run waits for a folder whose disk is unmounted for 10 s, and asks nothing twice', async () => {
  await using organizations = await startOrganizations(2, { today: TODAY, latencyMs: 200 });
  const rig = await QueueRig.open({ organizations, startDate: '2026-01-10' });
  const loader = start('loader', rig);
  const worker = start('worker', rig);
  const run = rig.start(['queue', 'run', '--wait', '--json', '--today', TODAY]);
  await loader.saw('part.loaded');
  const folder = join(rig.folder, 'data', 'landing');
  renameSync(folder, `${folder}.away`);
  mkdirSync(folder);
  const isNoticed = (): boolean =>
    [loader, worker].some(({ events }) => events.some(({ event }) => event.endsWith('without_zone')));
  while (!isNoticed()) await wait(20);
  await wait(10_000);
  expect(readdirSync(folder)).toEqual([]);
  rmdirSync(folder);
  renameSync(`${folder}.away`, folder);
  const { code, stdout } = await run.ended;
  expect(JSON.parse(stdout)).toMatchObject({ exit_code: 0, failures: [] });
  expect(code).toBe(0);
  expect(mostRepeated(organizations.requests())).toBe(1);
  expect(await contentHashes(rig.published)).toEqual(await rig.contentOfOneProcess(TODAY));
});

test('a run waits for a bucket that fails for 10 s, asks nothing twice, and queue status names the bucket', async () => {
  await using organizations = await startOrganizations(2, { today: TODAY, latencyMs: 200 });
  const bucket = await startBucketServer();
  const rig = await QueueRig.open({
    organizations,
    startDate: '2026-01-10',
    landing: 's3://answers/landing',
    env: bucket.env,
  });
  const loader = start('loader', rig);
  start('worker', rig);
  start('worker', rig);
  const run = rig.start(['queue', 'run', '--wait', '--json', '--today', TODAY]);
  await loader.saw('part.loaded');
  bucket.isAway = true;
  const from = Date.now();
  await loader.saw('loader.without_zone');
  while (Date.now() - from < 10_000) await wait(100);
  const seen = await rig.run(['queue', 'status']);
  expect(seen.stdout).toMatch(
    /the loader on \S+ waits for the landing zone: s3:\/\/answers\/landing: .* 503/,
  );
  expect(seen.stdout).toMatch(
    /the worker on \S+ waits for the landing zone: s3:\/\/answers\/landing: .* 503/,
  );
  bucket.isAway = false;
  const { code, stdout } = await run.ended;
  expect(JSON.parse(stdout)).toMatchObject({ exit_code: 0, failures: [] });
  expect(code).toBe(0);
  expect(mostRepeated(organizations.requests())).toBe(1);
  expect((await rig.run(['queue', 'status'])).stdout).not.toContain('waits for the landing zone');
  expect(await contentHashes(rig.published)).toEqual(await rig.contentOfOneProcess(TODAY));
});
