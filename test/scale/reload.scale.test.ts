import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Program } from '../support/program.ts';
import { mostRepeated } from './organizations.ts';
import { Fleet, TODAY, wait } from './fleet.ts';

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
