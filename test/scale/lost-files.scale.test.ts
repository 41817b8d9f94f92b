import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { workingPath } from '../../src/warehouse/working-file.ts';
import type { Program } from '../support/program.ts';
import { startOrganizations } from './organizations.ts';
import { QueueRig } from './queue-rig.ts';

const TODAY = '2026-03-01';

async function stop(...programs: readonly Program[]): Promise<void> {
  for (const { child } of programs) child.kill('SIGTERM');
  await Promise.all(programs.map(({ ended }) => ended));
}

test('a loader with a working file or landing zone of another queue loads nothing, until queue init allows it', async () => {
  await using organizations = await startOrganizations(1, { today: TODAY });
  const rig = await QueueRig.open({ organizations, startDate: '2026-02-20' });
  const night = async (): Promise<unknown> => {
    const running = [rig.start(['loader']), rig.start(['worker'])];
    const { code, stdout } = await rig.run(['queue', 'run', '--wait', '--today', TODAY, '--json']);
    await stop(...running);
    return { code, inserted: (JSON.parse(stdout) as { rows_inserted: number }).rows_inserted };
  };
  const first = await night();
  expect(first).toEqual({ code: 0, inserted: expect.any(Number) as number });

  // As on a host that does not share the disk: there is no file yet.
  const away = (path: string): void => renameSync(path, `${path}.away`);
  away(rig.published);
  away(workingPath(rig.published));
  const foreign = await rig.run(['loader']);
  expect(foreign.stderr).toContain('is not the working file that this queue is loaded into');
  expect(foreign.code).toBe(2);

  // As after a sync of its own there: there is another one.
  expect((await rig.run(['sync', '--endpoint', 'models', '--today', TODAY])).code).toBe(0);
  const other = await rig.run(['loader']);
  expect([other.code, other.stderr]).toEqual([2, expect.stringContaining('queue init --new-warehouse')]);

  expect((await rig.run(['queue', 'init', '--new-warehouse'])).code).toBe(0);
  expect(await night()).toMatchObject({ code: 0 });

  away(join(rig.folder, 'data', 'landing'));
  const lost = await rig.run(['loader']);
  expect([lost.code, lost.stderr]).toEqual([2, expect.stringContaining('queue init --new-landing')]);
  expect((await rig.run(['queue', 'init', '--new-landing'])).code).toBe(0);
  expect(await night()).toEqual({ code: 0, inserted: 0 });
});

test('a worker without its landing zone sends no requests and says why, and goes on when the zone is back', async () => {
  await using organizations = await startOrganizations(1, { today: TODAY });
  const rig = await QueueRig.open({ organizations, startDate: '2026-02-20' });
  const [loader, worker] = [rig.start(['loader']), rig.start(['worker'])];
  await worker.saw('worker.ready');
  const landing = join(rig.folder, 'data', 'landing');
  renameSync(landing, `${landing}.away`);
  const asked = organizations.requests().length;
  const run = rig.start(['queue', 'run', '--wait', '--today', TODAY]);
  const status = async (): Promise<string> => (await rig.run(['queue', 'status'])).stdout;
  let stdout = await status();
  while (!stdout.includes('waits for the landing zone')) stdout = await status();
  expect(stdout).toMatch(
    /the (worker|loader) on \S+ waits for the landing zone: .*(is not the landing zone of this queue|cannot be used)/,
  );
  expect(organizations.requests()).toHaveLength(asked);
  rmSync(landing, { recursive: true, force: true });
  renameSync(`${landing}.away`, landing);
  expect((await run.ended).code).toBe(0);
  await stop(worker, loader);
});

test('a worker whose landing zone is gone leaves the rounds to one that has it', async () => {
  await using organizations = await startOrganizations(4, { today: TODAY, latencyMs: 500 });
  const rig = await QueueRig.open({ organizations, startDate: '2026-02-25' });
  const inFolder = (...names: string[]): string => join(rig.folder, ...names);
  const loader = rig.start(['loader']);
  await loader.saw('loader.ready');
  const mount = inFolder('mount');
  mkdirSync(mount);
  symlinkSync(inFolder('data', 'landing', 'zone.json'), join(mount, 'zone.json'));
  const settings = readFileSync(inFolder('answerlake.yaml'), 'utf8');
  writeFileSync(inFolder('worker.yaml'), `${settings}landing: mount\n`);
  const good = rig.start(['worker']);
  const bad = rig.start(['worker', '--config', inFolder('worker.yaml')]);
  await Promise.all([good.saw('worker.ready'), bad.saw('worker.ready')]);
  rmSync(mount, { recursive: true });
  mkdirSync(mount);
  const { code, stdout } = await rig.run(['queue', 'run', '--wait', '--json', '--today', TODAY]);
  expect(JSON.parse(stdout)).toMatchObject({ exit_code: 0, failures: [] });
  expect(code).toBe(0);
  expect(bad.events.map(({ event }) => event)).toContain('worker.without_zone');
  await stop(good, bad, loader);
});
