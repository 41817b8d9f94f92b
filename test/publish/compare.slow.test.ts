import { chmodSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { whyPublish } from '../../src/publish/compare.ts';
import { withPublished, withWorkingFile } from './warehouse-files.ts';
import type { WarehouseFiles } from './warehouse-files.ts';

const needed = async (
  { connection, target }: WarehouseFiles,
  storageVersion = 'v1.0.0',
): Promise<string | undefined> => await whyPublish(connection, { path: target, storageVersion });

const SLICE = `insert into meta.slices by name select 'visibility' as endpoint, 'p' as project_id, 'project' as scope,
  'p' as scope_id, 'day' as grain, date '2025-06-01' as window_start, date '2025-06-04' as window_end,
  date '2025-06-05' as sync_day, 'loaded' as status, 'run-1' as run_id,
  timestamp '2025-06-05 06:00:00' as fetched_at`;

it('a publish is needed before the first publish and when the file is gone', async () => {
  await withWorkingFile(async (files) => {
    expect(await needed(files)).toBe('nothing is published yet');
    await files.publish();
    expect(await needed(files)).toBeUndefined();
    rmSync(files.target);
    expect(await needed(files)).toBe('nothing is published yet');
  });
});

it('no publish is needed after a run that changed only its own record and the times of asking', async () => {
  await withPublished(SLICE, async (files) => {
    const before = statSync(files.target).mtimeMs;
    await files.connection.run(
      `update meta.slices set run_id = 'run-2', fetched_at = timestamp '2025-06-05 09:00:00', requests = 2`,
    );
    await files.connection.run(
      `insert into meta.runs by name select 'run-2' as run_id, timestamp '2025-06-05 09:00:00' as started_at,
         date '2025-06-05' as sync_day, 'ok' as status`,
    );
    expect(await needed(files)).toBeUndefined();
    expect(statSync(files.target).mtimeMs).toBe(before);
  });
});

it('a publish is needed once a run that was published while it was under way has ended', async () => {
  const underWay = `insert into meta.runs by name select 'run-2' as run_id, timestamp '2025-06-05 09:00:00' as started_at,
    date '2025-06-05' as sync_day, 'running' as status`;
  await withPublished(`${SLICE}; ${underWay}`, async (files) => {
    expect(await needed(files)).toBeUndefined();
    await files.connection.run(`update meta.runs set status = 'ok', exit_code = 0 where run_id = 'run-2'`);
    expect(await needed(files)).toBe('a published run has ended');
    await files.publish();
    expect(await needed(files)).toBeUndefined();
  });
});

it.each([
  [
    'a newly asked day',
    `insert into meta.asked_days by name select 'visibility' as endpoint, 'p' as project_id, 'project' as scope,
       'p' as scope_id, 'day' as grain, date '2025-06-05' as date, 'row' as state`,
  ],
  ['a later sync day', `update meta.slices set sync_day = date '2025-06-06'`],
  ['a failure', `update meta.slices set status = 'failed'`],
  ['another look-back', `insert into meta.settings values ('lookback_days', '9')`],
  [
    'another expectation',
    `insert into meta.expected_series values ('visibility', 'p', 'project', 'p', 'day', date '2025-01-01')`,
  ],
])('a publish is needed after %s', async (_what, sql) => {
  await withPublished(SLICE, async (files) => {
    await files.connection.run(sql);
    expect(await needed(files)).toBe('the data changed');
    await files.publish();
    expect(await needed(files)).toBeUndefined();
  });
});

it('a publish is needed when the storage version or the schema differs', async () => {
  await withPublished(SLICE, async (files) => {
    expect(await needed(files, 'v1.2.0')).toBe('the storage version changed');
    await files.connection.run(`insert into meta.migrations values (99, 'next', timestamp '2025-06-05')`);
    expect(await needed(files)).toBe('the schema changed');
  });
});

it('a published file with a damaged catalogue is written again, and one of another program is left alone', async () => {
  await withPublished(SLICE, async (files) => {
    const sound = readFileSync(files.target);
    const damaged = damage(sound);
    replaceTarget(files, damaged);
    expect(await needed(files)).toBe('the published file is damaged');
    expect((await files.publish()).warnings.join()).toContain('was damaged');
    expect(await needed(files)).toBeUndefined();

    await files.connection.run(`delete from meta.settings where starts_with(name, 'published')`);
    replaceTarget(files, damaged);
    await expect(needed(files)).rejects.toMatchObject({ exitCode: 7, problem: 'corrupt' });
    await expect(files.publish()).rejects.toMatchObject({ exitCode: 7 });
    expect(readFileSync(files.target)).toEqual(damaged);
  });
});

/** The three headers of a file are sound, and nothing behind them is. */
function damage(file: Buffer): Buffer {
  const damaged = Buffer.from(file);
  for (let at = 12_288 + 100; at < damaged.length; at += 4096)
    damaged.writeUInt8(damaged.readUInt8(at) ^ 0xff, at);
  return damaged;
}

function replaceTarget({ target }: WarehouseFiles, content: Buffer): void {
  chmodSync(target, 0o600);
  writeFileSync(target, content);
}
