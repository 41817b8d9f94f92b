import { copyFileSync, mkdirSync, readdirSync, rmSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { Program } from '../support/program.ts';
import { mostRepeated } from './organizations.ts';
import { newDatabase, Fleet, inDatabase, wait, TODAY } from './fleet.ts';

const NIGHTS = ['2026-03-01', '2026-03-02'] as const;

test('the loader’s node and the queue are lost together in a night: backup and landing zone restore all', async () => {
  const fleet = await Fleet.open(3, { today: NIGHTS[0], startDate: '2025-12-01', latencyMs: 50 });
  const { organizations } = fleet;
  const running: Program[] = [fleet.start(['loader']), fleet.start(['worker'])];
  expect((await fleet.run(['queue', 'run', '--wait', '--today', NIGHTS[0]])).code).toBe(0);
  const backup = join(fleet.folder, 'backup.duckdb');
  copyFileSync(fleet.published, backup);

  organizations.setToday(NIGHTS[1]);
  organizations.resetRequests();
  await fleet.run(['queue', 'run', '--today', NIGHTS[1]]);
  const [loader] = running;
  const seen = loader?.events.length ?? 0;
  while (loader?.events.slice(seen).some(({ event }) => event === 'part.loaded') !== true) await wait(20);
  for (const { child } of running) child.kill('SIGKILL');
  await Promise.all(running.map(({ ended }) => ended));
  const server = process.env['DATABASE_URL'] ?? '';
  await inDatabase(server, `drop database ${new URL(fleet.url).pathname.slice(1)} with (force)`);
  const data = dirname(fleet.published);
  for (const name of readdirSync(data)) {
    if (name !== 'landing') rmSync(join(data, name), { recursive: true });
  }

  mkdirSync(data, { recursive: true });
  copyFileSync(backup, fleet.published);
  const env = { DATABASE_URL: await newDatabase() };
  expect((await fleet.run(['queue', 'init'], { env })).code).toBe(0);
  const again = [fleet.start(['loader'], env), fleet.start(['worker'], env)];
  const { code, stderr } = await fleet.run(['queue', 'run', '--wait', '--today', NIGHTS[1]], { env });
  expect(`${String(code)} ${code === 0 ? '' : stderr}`).toBe('0 ');
  // The requests under way at the loss, and the validations of the keys, are sent again.
  expect(mostRepeated(organizations.requests())).toBeLessThanOrEqual(2);
  expect(again[0]?.events.map(({ event }) => event)).toContain('loader.caught_up');
  expect(await fleet.differences(NIGHTS)).toEqual([]);
});

test('after SIGHUP worker and loader use the new keys of mounted files, and ask nothing twice', async () => {
  const fleet = await Fleet.open(2, { startDate: '2026-02-10', latencyMs: 150 });
  const { organizations } = fleet;
  const config = join(fleet.folder, 'answerlake.yaml');
  const settings = readFileSync(config, 'utf8').replaceAll(/env:KEY_(\d)/g, 'file:secrets/$1');
  writeFileSync(config, settings);
  mkdirSync(join(fleet.folder, 'secrets'));
  const mount = (keys: readonly string[]): void => {
    for (const [index, key] of keys.entries())
      writeFileSync(join(fleet.folder, 'secrets', String(index)), key, { mode: 0o440 });
  };
  mount(organizations.keys.map((key) => `${key}-of-last-year`));
  const loader = fleet.start(['loader']);
  const worker = fleet.start(['worker']);
  const run = (): Promise<{ code: number | null }> =>
    fleet.start(['queue', 'run', '--wait', '--today', TODAY]).ended;
  expect((await run()).code).toBe(4);
  mount(organizations.keys);
  await hangUp([loader, worker]);
  const second = run();
  await loader.saw('part.loaded');
  await hangUp([loader, worker]);
  expect((await second).code).toBe(0);
  const asked = organizations.requests().filter(({ path }) => !path.endsWith('/validate'));
  expect(mostRepeated(asked)).toBe(1);
  writeFileSync(config, settings.replace('version: 1', 'version: of last year'));
  worker.child.kill('SIGHUP');
  await worker.saw('worker.reload_failed');
  for (const { child } of [loader, worker]) child.kill('SIGTERM');
  expect((await Promise.all([loader.ended, worker.ended])).map(({ code }) => code)).toEqual([143, 143]);
  expect(await fleet.differences()).toEqual([]);
});

/** Sends SIGHUP and waits until the processes are ready again. */
async function hangUp(programs: readonly Program[]): Promise<void> {
  const readyTimes = ({ events }: Program): number =>
    events.filter(({ event }) => event.endsWith('.ready')).length;
  const before = programs.map(readyTimes);
  for (const { child } of programs) child.kill('SIGHUP');
  while (programs.some((program, index) => readyTimes(program) === before[index])) {
    if (programs.some(({ child }) => child.exitCode !== null)) throw new Error('a process has ended');
    await wait(20);
  }
}
