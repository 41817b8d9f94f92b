import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { tryFolder, checkStorage, type CheckResult } from '../../src/cli/check-storage.ts';
import { loadConfig } from '../../src/config/file.ts';
import { openWorkingFile } from '../../src/warehouse/working-file.ts';
import { publish } from '../../src/publish/publish.ts';
import { openPublished } from './published.ts';
import { openFolder } from '../support/folder.ts';
import { refuse } from '../support/refusing-disk.ts';

async function check(config: string): Promise<Record<string, CheckResult>> {
  const results = await checkStorage(loadConfig({ path: config, env: { ACME_KEY: 'a-key' } }));
  return Object.fromEntries(results.map((result) => [result.name, result]));
}

it('a file system that keeps no permissions is done without them: the run works, and check says so', async () => {
  const { folder, config } = await openPublished();
  const publishedPath = join(folder, 'data', 'answers.duckdb');
  chmodSync(publishedPath, 0o644);
  refuse('chmodSync', 'EPERM');
  const { database } = await openWorkingFile({ publishedPath, now: 0 });
  await using open = database;
  const made = await publish({
    connection: await open.connect(),
    targetPath: publishedPath,
    now: 0,
    mode: 0o440,
  });
  expect(made.path).toBe(publishedPath);
  expect(statSync(publishedPath).mode & 0o777).not.toBe(0o440);
  expect(await check(config)).toMatchObject({
    'warehouse folder': {
      status: 'warning',
      message: expect.stringContaining('keeps no permissions') as string,
    },
    'raw archive': { status: 'ok' },
  });
});

it.each([
  ['fsyncSync', 'EIO'],
  ['renameSync', 'EACCES'],
] as const)(
  'check does what a run does in its folders: where %s fails with %s, check fails with 7',
  async (call, code) => {
    const { folder, config } = await openPublished();
    const data = join(folder, 'data');
    const before = readdirSync(data);
    refuse(call, code);
    expect((await check(config))['warehouse folder']).toMatchObject({
      status: 'failed',
      exitCode: 7,
      message: expect.stringMatching(new RegExp(`^${data}: .*${code}`)) as string,
    });
    expect(readdirSync(data)).toEqual(before);
  },
);

it('a folder that is a file is named by check, and nothing is left behind', async () => {
  const folder = openFolder();
  writeFileSync(join(folder, 'data'), '');
  expect((await tryFolder(join(folder, 'data'))).problem).toContain(join(folder, 'data'));
  expect(readdirSync(folder)).toEqual(['data']);
});

it('a day of the raw archive that another user wrote is named by check', async () => {
  const { folder, config } = await openPublished();
  mkdirSync(join(folder, 'data', 'raw', '2025-03-04'), { recursive: true });
  refuse('accessSync', 'EACCES', '2025-03-04');
  expect((await check(config))['raw archive']).toMatchObject({
    status: 'failed',
    exitCode: 7,
    message: expect.stringMatching(/2025-03-04 cannot be read and written .*EACCES/) as string,
  });
});

it('check says that readers cannot enter the folder of a file that they may read', async () => {
  const { folder, config } = await openPublished();
  chmodSync(join(folder, 'data'), 0o700);
  expect((await check(config))['warehouse folder']).toMatchObject({
    status: 'warning',
    message: expect.stringMatching(/cannot enter its folder: chmod o\+x/) as string,
  });
  chmodSync(join(folder, 'data'), 0o755);
  expect((await check(config))['warehouse folder']).toMatchObject({ status: 'ok' });
});

it('check names what killed readers left, and the folder that other readers share', async () => {
  const { folder, config } = await openPublished();
  expect(await check(config)).not.toHaveProperty('temporary files');
  const left = join(folder, 'data', '.answers.tmp-0123456789ab');
  writeFileSync(`${left}.lock`, '');
  const { 'temporary files': own, 'working file': working } = await check(config);
  expect(own).toMatchObject({ status: 'warning', message: expect.stringContaining(left) as string });
  expect(working?.status).toBe('ok');
  mkdirSync(join(folder, 'data', 'answers.duckdb.tmp'));
  expect((await check(config))['temporary files']?.message).toContain('temp_directory');
});
