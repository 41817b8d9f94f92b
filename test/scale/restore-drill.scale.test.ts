import { copyFileSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { Program } from '../support/program.ts';
import { mostRepeated } from './organizations.ts';
import { newDatabase, Fleet, inDatabase, wait } from './fleet.ts';

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
