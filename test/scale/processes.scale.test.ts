import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { realEffects } from '../../src/effects.ts';
import { openPostgres, type Postgres } from '../../src/scale/queue/postgres.ts';
import {
  HEARTBEAT,
  knownProcesses,
  openPresence,
  orphanedRounds,
  type Presence,
  removeDead,
} from '../../src/scale/queue/processes.ts';
import { openJobs } from '../../src/scale/queue/jobs.ts';
import { initQueue, ROUND_QUEUE } from '../../src/scale/queue/schema.ts';
import { silentLog } from '../../src/log.ts';
import { type Secret, secretOf } from '../../src/secret.ts';
import { makeFolder } from '../support/folder.ts';
import { freePort } from '../support/scripted-server.ts';
import { inDatabase, newDatabase } from './fleet.ts';

const secret = (url: string): Secret => secretOf('env:DATABASE_URL', url);
const context = { version: '0.0.0', effects: realEffects, log: silentLog };

/** A worker that registers itself. */
const openWorker = (url: Secret): Promise<Presence> =>
  openPresence('worker', { context, url, heartbeat: HEARTBEAT });

/** The processes that are removed, as logged. */
async function deadOf(postgres: Postgres, deadMs: number): Promise<unknown[]> {
  const dead: unknown[] = [];
  await removeDead(postgres, deadMs, { ...silentLog, warn: (_event, process) => void dead.push(process) });
  return dead;
}

test('a worker with a role of its own is alive for a loader with another role, until its connection ends', async () => {
  const url = await newDatabase();
  await initQueue(secret(url));
  const [role, loader] = [`worker_${String(process.pid)}`, `loader_${String(process.pid)}`];
  const roles = `${role}, ${loader}`;
  await inDatabase(
    url,
    `create role ${role} login; create role ${loader} login;
     grant usage on schema answerlake to ${roles}; grant all on all tables in schema answerlake to ${roles}`,
  );
  onTestFinished(async () => void (await inDatabase(url, `drop owned by ${roles}; drop role ${roles}`)));
  const as = (name: string): string => Object.assign(new URL(url), { username: name }).href;
  await using postgres = openPostgres(secret(as(loader)));
  await using presence = await openWorker(secret(as(role)));
  expect(await knownProcesses(postgres)).toMatchObject([{ process_id: presence.id, is_alive: true }]);
  expect(await deadOf(postgres, HEARTBEAT.deadMs)).toEqual([]);
  presence.session.lose();
  while ((await knownProcesses(postgres))[0]?.is_alive === true) await realEffects.sleep(20);
  expect(await deadOf(postgres, HEARTBEAT.deadMs)).toEqual([{ process: presence.id, problem: null }]);
});

test('a round is an orphan once its worker is gone, or has not claimed it for ten seconds', async () => {
  const url = await newDatabase();
  await initQueue(secret(url));
  await using jobs = await openJobs(secret(url));
  const orphans = async (): Promise<string[]> => await orphanedRounds(jobs.postgres, HEARTBEAT.deadMs);
  const id = (await jobs.send(ROUND_QUEUE, {}, { singletonKey: 'o1' })) ?? '';
  expect(await jobs.take(ROUND_QUEUE)).toMatchObject({ id });
  expect(await orphans()).toEqual([]);
  await inDatabase(url, "update answerlake_jobs.job set started_on = started_on - interval '11 seconds'");
  expect(await orphans()).toEqual([id]);
  {
    await using presence = await openWorker(secret(url));
    await jobs.claim(id, presence.id);
    expect(await orphans()).toEqual([]);
  }
  expect(await orphans()).toEqual([id]);
});

const hasBouncer = spawnSync('pgbouncer', ['--version']).status === 0;

/** PgBouncer in front of a database; gone after the test. */
async function startBouncer(url: string, mode: 'transaction' | 'session'): Promise<string> {
  const { hostname, port, username } = new URL(url);
  const folder = makeFolder();
  const own = String(await freePort());
  writeFileSync(join(folder, 'users'), `"${username}" ""\n`);
  writeFileSync(
    join(folder, 'pgbouncer.ini'),
    `[databases]
* = host=${hostname} port=${port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${own}
unix_socket_dir =
auth_type = trust
auth_file = ${join(folder, 'users')}
pool_mode = ${mode}
ignore_startup_parameters = extra_float_digits
`,
  );
  // It refuses to run as root, and another user needs a way into the folder.
  for (const above of [folder, dirname(folder)]) chmodSync(above, 0o711);
  const isRoot = process.getuid?.() === 0;
  const id = isRoot ? Number(spawnSync('id', ['-u', 'postgres']).stdout.toString()) : null;
  if (id !== null) chownSync(folder, id, id);
  const child = spawn(
    'pgbouncer',
    ['--quiet', join(folder, 'pgbouncer.ini')],
    id === null ? {} : { uid: id },
  );
  onTestFinished(() => {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });
  const pooled = Object.assign(new URL(url), { host: `127.0.0.1:${own}` });
  for (;;) {
    const client = new Client({ connectionString: pooled.href });
    const isUp = await client.connect().then(
      () => true,
      () => false,
    );
    if (isUp) {
      await client.end();
      return pooled.href;
    }
    if (child.exitCode !== null) throw new Error(`pgbouncer ended with ${String(child.exitCode)}`);
    await realEffects.sleep(50);
  }
}

test.skipIf(!hasBouncer)(
  'a pooler that hands out transactions is refused with exit 2, one that hands out sessions is not',
  async () => {
    const url = await newDatabase();
    await initQueue(secret(url));
    const pooled = secret(await startBouncer(url, 'transaction'));
    const refused = { exitCode: 2, message: expect.stringContaining('set pool_mode = session') as string };
    await expect(openWorker(pooled)).rejects.toMatchObject(refused);
    await expect(initQueue(pooled)).rejects.toMatchObject(refused);
    // Servers of the pooler that others use meanwhile come in another order.
    await using others = openPostgres(pooled);
    const over = new AbortController();
    const busy = [1, 2, 3].map(async () => {
      while (!over.signal.aborted) await others.run('select 1');
    });
    try {
      for (const _ of [1, 2, 3]) await expect(openWorker(pooled)).rejects.toMatchObject(refused);
    } finally {
      over.abort();
      await Promise.all(busy);
    }
    await using presence = await openWorker(secret(await startBouncer(url, 'session')));
    await using postgres = openPostgres(secret(url));
    expect(await knownProcesses(postgres)).toMatchObject([{ process_id: presence.id, is_alive: true }]);
  },
);
