import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { freePort } from '../support/scripted-server.ts';
import { Fleet, inDatabase, wait } from './fleet.ts';

// `queue retry` plans the slices that are owed on the current day.
const TODAY = new Date().toISOString().slice(0, 10);
const WEEK_AGO = new Date(Date.now() - 7 * 86_400_000).toISOString().slice(0, 10);

test('an organization whose worker fails is given up with the reason, and queue retry brings it back', async () => {
  const fleet = await Fleet.open(1, { today: TODAY, startDate: WEEK_AGO, latencyMs: 20 });
  const inFolder = (...names: string[]): string => join(fleet.folder, ...names);
  const port = await freePort();
  const settings = readFileSync(inFolder('answerlake.yaml'), 'utf8');
  mkdirSync(inFolder('jobs'));
  writeFileSync(inFolder('answerlake.yaml'), `${settings}http: { port: ${String(port)} }\njobs_dir: jobs\n`);
  writeFileSync(inFolder('jobs', 'yearly.yaml'), "name: yearly\nschedule: '0 0 1 1 *'\ncatch_up: false\n");
  // Five tries take a minute otherwise.
  await inDatabase(fleet.url, 'update answerlake_jobs.queue set retry_delay = 0, retry_backoff = false');
  const loader = fleet.serve('loader');
  await loader.saw('loader.ready');
  // The worker has a configuration of its own, which lacks the account.
  writeFileSync(inFolder('other.yaml'), settings.replace('name: a0', 'name: other'));
  const schedule = fleet.serve('schedule');
  await schedule.saw('schedule.waiting');

  const other = fleet.serve('worker', { config: 'other.yaml' });
  const ended = await fleet.run(['queue', 'run', '--wait', '--json']);
  expect(JSON.parse(ended.stdout)).toMatchObject({
    exit_code: 5,
    failures: [{ message: expect.stringMatching(/organization-0: .*there is no account a0.*queue retry/) }],
  });
  expect(ended.code).toBe(5);
  const told = /organization organization-0 was abandoned \(.*there is no account a0.*answerlake queue retry/;
  for (const argv of [['queue', 'status'], ['status'], ['check']])
    expect((await fleet.run(argv)).stdout).toMatch(told);
  const letters: unknown = JSON.parse((await fleet.run(['queue', 'status', '--json'])).stdout);
  expect(letters).toMatchObject({ dead_letters: [{ organization: 'organization-0' }] });
  const ask = (path: string): Promise<Response> => fetch(`http://127.0.0.1:${String(port)}${path}`);
  const ready = await ask('/readyz');
  expect([ready.status, await ready.text()]).toEqual([503, expect.stringMatching(told)]);
  expect(await (await ask('/metrics')).text()).toContain('answerlake_queue_dead_letters 1');

  await other.stop();
  fleet.serve('worker');
  expect((await fleet.run(['queue', 'retry'])).stdout).toContain('1 dead letter is being retried');
  while (loader.events.filter(({ event }) => event === 'run.ended').length < 2) await wait(50);
  expect(loader.events.findLast(({ event }) => event === 'run.ended')).toMatchObject({ exit_code: 0 });
  expect((await fleet.run(['queue', 'status'])).stdout).not.toContain('given up');
  expect(await (await ask('/metrics')).text()).toContain('answerlake_queue_dead_letters 0');
  expect(existsSync(fleet.published)).toBe(true);
  expect(await fleet.differences([TODAY])).toEqual([]);
});
