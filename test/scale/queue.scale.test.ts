import { expect, test } from 'vitest';
import { syncRequest } from '../../src/run/sync-request.ts';
import { openJobs, enqueueRun } from '../../src/scale/queue/jobs.ts';
import { readQueueState } from '../../src/scale/queue/queue-state.ts';
import { initQueue, ROUND_QUEUE, RUN_QUEUE } from '../../src/scale/queue/schema.ts';
import { secretOf } from '../../src/secret.ts';
import { openLine } from './line.ts';
import { newDatabase, Fleet, inDatabase } from './fleet.ts';
import { readFileSync } from 'node:fs';
import { openProcessService } from '../../src/daemon/serve/service.ts';
import { silentLog } from '../../src/log.ts';
import { freePort } from '../support/scripted-server.ts';

const secret = (url: string): ReturnType<typeof secretOf> => secretOf('env:DATABASE_URL', url);

test('the state of 50 open rounds of 900 kB is read ten times for less than 1 MB', async () => {
  const url = await newDatabase();
  await initQueue(secret(url));
  const line = await openLine(url);
  await using jobs = await openJobs(secret(line.url));
  const ids: string[] = [];
  for (let index = 0; index < 50; index += 1) {
    const data = { organization: String(index), slices: 'x'.repeat(900_000) };
    ids.push((await jobs.send(ROUND_QUEUE, data, { singletonKey: String(index) })) ?? '');
  }
  const before = line.received();
  for (let look = 0; look < 10; look += 1) {
    expect(await jobs.open(ROUND_QUEUE)).toHaveLength(50);
    for (const id of ids) expect(await jobs.find(ROUND_QUEUE, [id])).toMatchObject([{ state: 'created' }]);
  }
  expect(line.received() - before).toBeLessThan(1_000_000);
});

test('identical runs that wait become one, others do not; the state shows them, and a parked round', async () => {
  const url = await newDatabase();
  await initQueue(secret(url));
  await using jobs = await openJobs(secret(url));
  const first = await enqueueRun(jobs, syncRequest({ endpoints: ['models'] }));
  expect(first).toMatchObject({ isNew: true });
  expect(await enqueueRun(jobs, syncRequest({ endpoints: ['models'] }))).toEqual({
    ...first,
    isNew: false,
  });
  expect(await enqueueRun(jobs, syncRequest({}))).toMatchObject({ isNew: true });
  expect(await jobs.take(RUN_QUEUE)).toMatchObject({ id: first.id });
  const next = await enqueueRun(jobs, syncRequest({ endpoints: ['models'] }));
  expect(next.isNew).toBe(true);
  expect(next.id).not.toBe(first.id);
  expect(await jobs.open(RUN_QUEUE)).toHaveLength(3);
  await jobs.send(ROUND_QUEUE, { organization: 'o1' }, { singletonKey: 'o1', startAfter: 60 });
  const due = { job: 'nightly', dueMs: 0 };
  const ofJob = await enqueueRun(jobs, syncRequest({ job: 'nightly' }), due);
  await jobs.cancel(RUN_QUEUE, ofJob.id ?? '');
  expect(await enqueueRun(jobs, syncRequest({ job: 'nightly' }), due)).toEqual({
    id: null,
    isNew: false,
  });
  const { runs, organizations } = await readQueueState(jobs.postgres);
  expect(runs.map(({ state }) => state)).toEqual(['under way', 'waiting', 'waiting']);
  expect(organizations).toMatchObject([{ organization: 'o1', state: 'parked', tries: 0 }]);
  const parkedMs = Number(organizations[0]?.since) - Date.now();
  expect(Math.abs(parkedMs - 60_000)).toBeLessThan(30_000);
});

test('worker and loader have health and metrics of the queue, whose open rounds KEDA counts', async () => {
  const fleet = await Fleet.open(1);
  await fleet.serve('loader').saw('loader.ready');
  const config = { http: { host: '127.0.0.1', port: await freePort() } };
  const url = secretOf('env:DATABASE_URL', fleet.url);
  await using service = await openProcessService(url, { config, log: silentLog });
  const get = async (path: string): Promise<string> => await (await fetch(service.url + path)).text();
  expect([await get('/healthz'), await get('/readyz')]).toEqual(['ok\n', 'ok\n']);
  let body = '';
  // The next heartbeat of the loader has them.
  while (!body.includes('landing_parts_waiting 0')) body = await get('/metrics');
  expect(body).toContain('answerlake_queue_processes{kind="loader"} 1');
  expect(body).toContain('answerlake_process_resident_memory_bytes');
  expect(body).toMatch(/_heartbeat_timestamp_seconds\{kind="loader",host="[^"]+",process="[^"]+"\} \d{10}/);
  const [, query = ''] = /query: (.*)/.exec(readFileSync('docs/deploy/scale/keda.yaml', 'utf8')) ?? [];
  expect(await inDatabase(fleet.url, query)).toEqual([{ count: '0' }]);
});
