import { execFileSync, spawnSync } from 'node:child_process';
import { chownSync, mkdtempSync, renameSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { AnswerlakeError } from '../../src/errors.ts';
import { secretOf } from '../../src/secret.ts';
import type { LakePlace } from '../../src/targets/ducklake/with-lake.ts';
import { openSynced } from '../cli/small-world.ts';
import { withPublished } from '../publish/warehouse-files.ts';
import { startBucketServer } from '../support/bucket-server.ts';
import { listen } from '../support/scripted-server.ts';
import { inDatabase, newDatabase } from './fleet.ts';
import { bringUp, EXTENSIONS, placeIn } from './lake-reader.ts';
import { bringTo, connect, targetAt } from './target-content.ts';

/** What is wrong and what to do, as `--json` has it; empty if the work succeeds. */
async function remedyOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return '';
  } catch (error) {
    if (!(error instanceof AnswerlakeError)) throw error;
    return `${String(error.exitCode)} ${error.what} ${error.remedy}`;
  }
}

const withTarget = async (test: (bring: (url: string) => Promise<string>) => Promise<void>): Promise<void> =>
  await withPublished('select 1', async ({ connection, target }) => {
    await test((url) => remedyOf(bringTo(targetAt(url), connection, target)));
  });

const server = process.env['DATABASE_URL'] ?? '';
const endpoint = process.env['AWS_ENDPOINT_URL'] ?? '';
const settingOf = async (sql: string): Promise<string> =>
  String((await inDatabase(server, sql))[0]?.['value']);

/** A hot standby of the server; programs of PostgreSQL do not run as root. */
async function startStandby(): Promise<URL> {
  const data = await settingOf("select current_setting('data_directory') as value");
  const programs = await settingOf("select setting as value from pg_config where name = 'BINDIR'");
  const { uid, gid } = statSync(data);
  const home = mkdtempSync('/tmp/standby-');
  chownSync(home, uid, gid);
  const as = { uid, gid, cwd: home, stdio: 'ignore' } as const;
  const folder = join(home, 'data');
  execFileSync(join(programs, 'pg_basebackup'), ['-D', folder, '-d', server, '-R', '-c', 'fast'], as);
  const free = createServer();
  const port = await listen(free);
  await new Promise((settle) => free.close(settle));
  const options = `-p ${String(port)} -c listen_addresses=127.0.0.1 -c unix_socket_directories=${home}`;
  const control = (...argv: string[]) => execFileSync(join(programs, 'pg_ctl'), ['-D', folder, ...argv], as);
  onTestFinished(() => {
    control('-m', 'immediate', 'stop');
    rmSync(home, { recursive: true });
  });
  control('-w', '-o', options, 'start');
  return Object.assign(new URL(server), { port: String(port) });
}

it('a standby, and a database in read-only mode, are written once the primary is named or the mode ends', async () => {
  await withTarget(async (bring) => {
    const url = await newDatabase();
    const { pathname } = new URL(url);
    const standby = Object.assign(await startStandby(), { pathname }).href;
    const said =
      /^7 .* PostgreSQL is read-only.*Name the primary server.*or end the read-only mode \(default_transaction_read_only\)/;
    expect(await bring(standby)).toMatch(said);
    expect(await remedyOf(targetAt(standby).inspect())).toMatch(said);
    const mode = (words: string): Promise<unknown> =>
      inDatabase(server, `alter database ${pathname.slice(1)} ${words}`);
    await mode('set default_transaction_read_only = on');
    expect(await bring(url)).toMatch(said);
    await mode('reset default_transaction_read_only');
    expect(await bring(url)).toBe('');
  });
});

it('a PostgreSQL whose disk is full is written once there is space', async ({ skip }) => {
  const { uid, gid } = statSync(await settingOf("select current_setting('data_directory') as value"));
  const disk = mkdtempSync('/tmp/small-disk-');
  onTestFinished(() => rmSync(disk, { recursive: true }));
  const size = `size=40m,mode=700,uid=${String(uid)},gid=${String(gid)}`;
  skip(spawnSync('mount', ['-t', 'tmpfs', '-o', size, 'tmpfs', disk]).status !== 0, 'only root can mount');
  onTestFinished(() => void spawnSync('umount', [disk]));
  const space = `space_${String(process.pid)}`;
  await inDatabase(server, `create tablespace ${space} location '${disk}'`);
  onTestFinished(async () => void (await inDatabase(server, `drop tablespace ${space}`)));
  const url = await newDatabase();
  await inDatabase(server, `alter database ${new URL(url).pathname.slice(1)} set tablespace ${space}`);
  await withTarget(async (bring) => {
    const other = await connect(url);
    await other.query('create table public.other (filler text)');
    const fill =
      'insert into public.other select repeat(md5(i::text), 30) from generate_series(1, 1000) t(i)';
    await expect(
      (async () => {
        for (;;) await other.query(fill);
      })(),
    ).rejects.toThrow(/No space left/);
    expect(await bring(url)).toMatch(/^7 .* has no disk space left.*Free some disk space there/);
    await other.query('drop table public.other');
    await other.query('checkpoint');
    expect(await bring(url)).toBe('');
  });
});

it('a PostgreSQL that a reader locks is written once the reader has ended', async () => {
  await withTarget(async (bring) => {
    const url = await newDatabase();
    expect(await bring(url)).toBe('');
    const reader = await connect(url);
    await reader.query(`update meta.target_settings set value = 'older' where name = 'structure'`);
    await reader.query('begin; select 1 from main.sync_freshness');
    expect(await bring(url)).toMatch(/^6 .* is locked by another program.*Wait for .*the reader .*to end/);
    await reader.query('commit');
    expect(await bring(url)).toBe('');
  });
});

describe.skipIf(EXTENSIONS === '')('a lake', () => {
  it.skipIf(endpoint === '')(
    'in a bucket that is missing, away or closed says what to check, and works when that is right',
    async () => {
      onTestFinished(() => void vi.unstubAllEnvs());
      await withPublished('select 1', async ({ connection, target, scratch }) => {
        const bring = (bucket: string, address: string): Promise<string> => {
          vi.stubEnv('AWS_ENDPOINT_URL', address);
          const data = `s3://${bucket}/lake-${String(process.pid)}`;
          return remedyOf(bringUp(connection, target, { ...placeIn(scratch.folder), data }));
        };
        expect(await bring('missing', endpoint)).toMatch(
          /^7 .* has no bucket.* Check the name of the bucket/,
        );
        // It refuses every other key.
        const { env } = await startBucketServer();
        expect(await bring('answers', env['AWS_ENDPOINT_URL'] ?? '')).toMatch(
          /^7 .* may not use its bucket.* Check AWS_ACCESS_KEY_ID .*, and what it may do/,
        );
        expect(await bring('answers', 'http://127.0.0.1:1')).toMatch(
          /^7 .* cannot reach its bucket.* Check AWS_ENDPOINT_URL and the network/,
        );
        expect(await bring('answers', endpoint)).toBe('');
      });
    },
  );

  it('of another warehouse is left to it: another catalog is written, and so is this one once it is moved away', async () => {
    await withPublished('select 1', async ({ connection, target, scratch }) => {
      const place = placeIn(scratch.folder);
      const bring = (change: Partial<LakePlace> = {}): Promise<string> =>
        remedyOf(bringUp(connection, target, { ...place, ...change }));
      const catalog = scratch.path('lake.ducklake');
      expect(await bring()).toBe('');
      await connection.run("update meta.settings set value = 'other' where name = 'lake_id'");
      expect(await bring()).toMatch(
        /^7 .* is not the lake of this warehouse.* Configure another warehouse\.catalog, or move this catalog away/,
      );
      renameSync(catalog, scratch.path('other.ducklake'));
      expect(await bring()).toBe('');
      await connection.run("update meta.settings set value = 'other' where name = 'lake_id'");
      expect(await bring({ catalog: scratch.path('another.ducklake') })).toBe('');
    });
  });

  it('whose PostgreSQL is away, or lacks its database, or is read-only says so, and works when that is right', async () => {
    const url = await newDatabase();
    const { pathname } = new URL(url);
    await withPublished('select 1', async ({ connection, target, scratch }) => {
      const bring = (change: object): Promise<string> => {
        const catalog = secretOf('env:LAKE_URL', Object.assign(new URL(url), change).href);
        return remedyOf(bringUp(connection, target, { ...placeIn(scratch.folder), catalog }));
      };
      for (const wrong of [{ port: '1' }, { pathname: '/nowhere' }, { username: 'nobody' }])
        expect(await bring(wrong)).toMatch(
          /^7 .* cannot be reached.* Check that PostgreSQL runs there and has that database, and check user and password/,
        );
      const mode = (words: string): Promise<unknown> =>
        inDatabase(server, `alter database ${pathname.slice(1)} ${words}`);
      await mode('set default_transaction_read_only = on');
      expect(await bring({})).toMatch(/^7 .* is read-only.* or end the read-only mode/);
      await mode('reset default_transaction_read_only');
      expect(await bring({})).toBe('');
    });
  });
});

it.skipIf(endpoint === '')(
  'an export to an S3 server that is away, or without that bucket, works when address and name are right',
  async () => {
    const { run } = await openSynced();
    const to = async (bucket: string, address = endpoint): Promise<unknown> => {
      const output = `s3://${bucket}/nightly-${String(process.pid)}`;
      const argv = ['export', '--output', output, '--table', 'daily_kpis', '--json'];
      const env = { AWS_ACCESS_KEY_ID: 'any', AWS_SECRET_ACCESS_KEY: 'any', AWS_ENDPOINT_URL: address };
      return JSON.parse((await run(argv, { env })).stdout);
    };
    const remedy = (text: string) => ({ exit_code: 7, remedy: expect.stringContaining(text) as string });
    expect(await to('missing')).toMatchObject(remedy('Check the name of the bucket'));
    const away = remedy('Check AWS_ENDPOINT_URL and the network');
    expect(await to('answers', 'http://127.0.0.1:1')).toMatchObject(away);
    expect(await to('answers')).toMatchObject({ exit_code: 0 });
  },
);
