import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { workingPath } from '../../src/warehouse/working-file.ts';
import { changeFile } from '../support/file-reader.ts';
import { BUILT } from '../support/program.ts';
import { fails } from './run.ts';
import { openSynced, openSmallWorld } from './small-world.ts';

const OPTIONS = { env: { SMALL_KEY: 'k' } };

/** The command that an error proposes, run until the failing one succeeds. */
async function follow({ run }: Pick<Awaited<ReturnType<typeof openSynced>>, 'run'>, argv: readonly string[]) {
  const { code, report } = await run([...argv, '--json'], OPTIONS);
  expect(code).not.toBe(0);
  const { next } = report as { next: string };
  const followed = await run(next.split(' ').slice(1), OPTIONS);
  expect([next, followed.code, followed.stderr]).toEqual([next, 0, expect.not.stringContaining('error:')]);
  const again = await run([...argv], OPTIONS);
  expect(again.stderr).not.toContain('error:');
  return next;
}

it('a file of 0.1 that is moved away, as its refusal says, is rebuilt from the archive', async () => {
  const world = await openSynced();
  for (const path of [world.published, workingPath(world.published)]) {
    rmSync(path);
    await changeFile(
      path,
      `create schema meta; create table meta.migrations (version integer, name varchar, applied_at timestamp);
       insert into meta.migrations values (10, 'parts', '2026-01-01'); create table meta.settings (name varchar, value varchar);
       create table meta.runs (run_id varchar, started_at timestamp, finished_at timestamp)`,
    );
  }
  rmSync(join(world.folder, 'data', '.answers.journal.json'), { force: true });
  expect(await world.run(['status'], OPTIONS)).toMatchObject(
    fails(7, 'move the working and the published file away'),
  );
  for (const path of [world.published, workingPath(world.published)]) renameSync(path, `${path}.of-0.1`);
  expect((await world.run(['replay'], OPTIONS)).code).toBe(0);
  expect((await world.run(['status'], OPTIONS)).code).toBe(0);
});

it('a working file that fails a check is rebuilt by the command that the failure names', async () => {
  const world = await openSynced();
  await changeFile(workingPath(world.published), 'insert into core.projects from core.projects limit 1');
  expect(await follow(world, ['publish'])).toMatch(/^answerlake replay --config /);
});

it('what a killed run left in the archive alone is no loss of the run before it', async () => {
  const { folder, run } = await openSynced();
  const raw = join(folder, 'data', 'raw');
  const [day = ''] = readdirSync(raw);
  const [name = ''] = readdirSync(join(raw, day));
  const lines = gunzipSync(readFileSync(join(raw, day, name))).toString();
  const [id = ''] = name.split('.');
  const later = id.replace(
    /^\d{8}T\d{6}Z-./,
    (start) => `${day.replaceAll('-', '')}T235959Z-${start.endsWith('a') ? 'b' : 'a'}`,
  );
  const text = lines
    .replaceAll(id, later)
    .replaceAll(/"fetched_at":"[^"]+"/g, '"fetched_at":"2099-01-01T00:00:00.000Z"')
    .replace(/"sequence":1\b/, '"sequence":2');
  writeFileSync(join(raw, day, name.replace(id, later)), gzipSync(text));
  expect(await run(['replay'], OPTIONS)).toMatchObject({ code: 0 });
});

/** A user that has nothing here. */
const UID = 4242;
/** Only root can start a process of another user, who must reach the program. */
const isRoot =
  process.getuid?.() === 0 && spawnSync(process.execPath, [BUILT, '--version'], { uid: UID }).status === 0;

it.runIf(isRoot)(
  'files that a run as root left are handed over, one command after the other, until the next user can work',
  async () => {
    const { folder, published } = await openSynced();
    const { env } = await openSmallWorld();
    for (let above = folder; above.startsWith(tmpdir()); above = dirname(above)) chmodSync(above, 0o755);
    chownSync(folder, 0, 0);
    const publish = (): string => {
      try {
        execFileSync(process.execPath, [BUILT, 'publish'], {
          cwd: folder,
          uid: UID,
          gid: UID,
          env,
          stdio: 'pipe',
        });
        return '';
      } catch (error) {
        return error instanceof Error ? error.message : '';
      }
    };
    const commands: string[] = [];
    for (let message = publish(); message !== '' && commands.length < 5; message = publish()) {
      const [, command = ''] = /as root, run (chown \d+ \S+)/.exec(message) ?? [];
      expect(command, message).not.toBe('');
      commands.push(command);
      execFileSync('sh', ['-c', command]);
    }
    const data = join(folder, 'data');
    const paths = [workingPath(published), published, data];
    expect(commands).toEqual(paths.map((path) => `chown ${String(UID)} ${path}`));
  },
);
