import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { addDays, toDay } from '../../src/day.ts';
import { HEARTBEAT } from '../../src/scale/queue/processes.ts';
import { startBucketServer } from '../support/bucket-server.ts';
import { mostRepeated } from './organizations.ts';
import { Fleet, TODAY, wait } from './fleet.ts';
import { openZone } from '../../src/scale/landing/zone.ts';
import { fails } from '../cli/run.ts';

/** By hand, ten of 30 seconds each. */
const OUTAGES = Number(process.env['ANSWERLAKE_OUTAGES'] ?? 1);
const AWAY_MS = OUTAGES > 1 ? 30_000 : 10_000;
const heartbeat = { ...HEARTBEAT, reconnectMs: 500 };

test(
  `a bucket that fails in ${String(OUTAGES)} nights only delays: nothing is asked twice, and status names it`,
  { timeout: 300_000 + OUTAGES * 120_000 },
  async () => {
    const bucket = await startBucketServer();
    const place = { landing: 's3://answers/landing', env: bucket.env };
    const fleet = await Fleet.open(2, { ...place, startDate: '2026-01-10', latencyMs: 200 });
    const { organizations } = fleet;
    const loader = fleet.serve('loader', { heartbeat });
    for (const role of ['worker', 'worker']) fleet.serve(role, { heartbeat });
    const days = Array.from({ length: OUTAGES }, (_, night) => addDays(toDay(TODAY), night));
    const status = async (): Promise<string> => (await fleet.run(['queue', 'status'])).stdout;
    for (const today of days) {
      organizations.setToday(today);
      organizations.resetRequests();
      const run = fleet.start(['queue', 'run', '--wait', '--json', '--today', today]);
      while (organizations.requests().length < 20) await wait(20);
      bucket.isAway = true;
      await wait(AWAY_MS);
      for (const kind of ['loader', 'worker']) {
        expect(await status()).toMatch(
          new RegExp(`the ${kind} on \\S+ waits for the landing zone: s3://answers/landing: .* 500`),
        );
      }
      bucket.isAway = false;
      const { code, stdout } = await run.ended;
      expect(JSON.parse(stdout)).toMatchObject({ exit_code: 0, failures: [] });
      expect(code).toBe(0);
      expect(mostRepeated(organizations.requests())).toBe(1);
      expect(await status()).not.toContain('waits for the landing zone');
    }
    expect(loader.events.filter(({ event }) => event === 'loader.without_zone')).toHaveLength(OUTAGES);
    organizations.setLatency(0);
    expect(await fleet.differences(days)).toEqual([]);
  },
);

test('a worker whose landing zone is gone leaves the rounds to one that has it', async () => {
  const fleet = await Fleet.open(4, { startDate: '2026-02-25', latencyMs: 500 });
  const inFolder = (...names: string[]): string => join(fleet.folder, ...names);
  const loader = fleet.start(['loader']);
  await loader.saw('loader.ready');
  const mount = inFolder('mount');
  mkdirSync(mount);
  symlinkSync(inFolder('data', 'landing', 'zone.json'), join(mount, 'zone.json'));
  const settings = readFileSync(inFolder('answerlake.yaml'), 'utf8');
  writeFileSync(inFolder('worker.yaml'), `${settings}landing: mount\n`);
  const good = fleet.start(['worker']);
  const bad = fleet.start(['worker', '--config', inFolder('worker.yaml')]);
  await Promise.all([good.saw('worker.ready'), bad.saw('worker.ready')]);
  rmSync(mount, { recursive: true });
  mkdirSync(mount);
  const { code, stdout } = await fleet.run(['queue', 'run', '--wait', '--json', '--today', TODAY]);
  expect(JSON.parse(stdout)).toMatchObject({ exit_code: 0, failures: [] });
  expect(code).toBe(0);
  expect(bad.events.map(({ event }) => event)).toContain('worker.without_zone');
});

const AWS = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_ENDPOINT_URL'] as const;
const env = Object.fromEntries(AWS.map((name) => [name, process.env[name] ?? '']));

test.skipIf(env['AWS_ENDPOINT_URL'] === '')(
  'a landing zone on an S3 server gives the content of one process; one that is away is exit 7',
  async () => {
    const landing = `s3://answers/landing-${String(process.pid)}`;
    const fleet = await Fleet.open(2, { landing, env });
    const missing = await fleet.run(['worker'], { env: { AWS_ENDPOINT_URL: 'http://127.0.0.1:1' } });
    expect(missing).toMatchObject(fails(7, landing));
    const programs = [fleet.start(['loader']), fleet.start(['worker']), fleet.start(['worker'])];
    const run = await fleet.run(['queue', 'run', '--wait', '--today', TODAY]);
    expect(run).toMatchObject(fails(0, /^\nNext:\n/));
    await using zone = openZone(landing, { env, signal: new AbortController().signal });
    expect((await zone.list(`${TODAY}/`)).length).toBeGreaterThan(2);
    for (const { child } of programs) child.kill('SIGTERM');
    for (const { ended } of programs) expect((await ended).code).toBe(143);
    expect(await fleet.differences()).toEqual([]);
  },
);
