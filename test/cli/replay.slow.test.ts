import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { realEffects } from '../../src/effects.ts';
import { openSmallWorld, openSynced, TODAY } from './small-world.ts';
import { fails, prints } from './run.ts';

it('answerlake replay rebuilds the warehouse without key and without requests, and keeps the former file', async () => {
  const now = () => Date.parse(`${TODAY}T12:00:00Z`);
  const { folder, run, simulator } = await openSmallWorld({ now });
  const today = { effects: { ...realEffects, now } };
  await run(['sync', '--quiet'], today);
  const sql = 'select * from daily_kpis order by project_id, date';
  const before = await run(['query', sql, '--format', 'json']);
  simulator.resetRequests();
  const gapsBefore = await run(['gaps'], today);
  const { code, stdout, stderr } = await run(['replay', '--log-level', 'error'], { ...today, env: {} });
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(/^\nNext:\n/) });
  expect(stdout.replaceAll(/\d[\d,]*/g, 'N')).toMatch(
    /^Rebuilt from N archived run in .*\n {2}answers +N\n {2}slices +N loaded, N failed\n {2}rows +N\n {2}published/,
  );
  expect(simulator.requests).toHaveLength(0);
  expect(await run(['query', sql, '--format', 'json'])).toEqual(before);
  expect(gapsBefore).toMatchObject(prints(0, 'every expected day'));
  expect(await run(['gaps'], today)).toEqual(gapsBefore);
  const kept = readdirSync(join(folder, 'data')).filter((name) => name.includes('.before-replay-'));
  expect(kept).toHaveLength(1);
  expect(stdout).toContain(kept[0]);
  expect((await run(['check'])).stdout).toMatch(
    /former file: .*the next complete run removes it .*before-replay-/,
  );
  // What a killed replay leaves.
  const killed = join(folder, 'data', '.replay-0123456789ab');
  mkdirSync(killed);
  const next = (more: string[]): Promise<unknown> => run(['sync', '--quiet', ...more], today);
  const copies = (): string[] => readdirSync(join(folder, 'data')).filter((name) => kept.includes(name));
  await next(['--strict', '--project', 'nobody']);
  expect(copies()).toEqual(kept);
  expect(existsSync(killed)).toBe(true);
  await next([]);
  expect(copies()).toEqual([]);
  expect(existsSync(killed)).toBe(false);
});

it('answerlake replay gives exit 2 without archive and data, exit 7 when the whole archive is lost', async () => {
  const { folder, run } = await openSmallWorld();
  const files = (): unknown => readdirSync(folder, { recursive: true });
  const before = files();
  for (const words of [['replay'], ['endpoints', 'drop', 'notes']]) {
    expect(await run([...words, '--quiet'])).toMatchObject({ code: 2 });
    expect(files()).toEqual(before);
  }
  expect(await run(['replay', '--quiet'])).toMatchObject(fails(2, 'raw.dir'));
  await run(['sync', '--today', TODAY, '--quiet', '--endpoint', 'events']);
  rmSync(join(folder, 'data', 'raw'), { recursive: true });
  expect(await run(['replay', '--quiet', '--allow-loss'])).toMatchObject(fails(7, 'nothing was replaced'));
});

it('answerlake replay gives exit 3 if slices cannot be read again, and no ledger shows that they failed before', async () => {
  const { folder, run } = await openSynced();
  const data = join(folder, 'data');
  const [file = ''] = readdirSync(join(data, 'raw'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.gz'),
  );
  const path = join(data, 'raw', file);
  const changed = gunzipSync(readFileSync(path)).toString().replaceAll('"dates":[', '"days":[');
  for (const name of readdirSync(data)) if (name !== 'raw') rmSync(join(data, name));
  writeFileSync(path, gzipSync(changed));
  const replay = () => run(['replay', '--json'], { env: {} });
  const report = { ok: false, exit_code: 3, losses: [] };
  expect(await replay()).toMatchObject({ code: 3, report });
  expect(await replay()).toMatchObject({ code: 0 });
});

it('answerlake status says of a rebuilt run why it has no figures', async () => {
  const { folder, run } = await openSynced();
  for (const name of readdirSync(join(folder, 'data')))
    if (name !== 'raw') rmSync(join(folder, 'data', name));
  expect((await run(['replay', '--quiet'], { env: {} })).code).toBe(0);
  const { stdout } = await run(['status']);
  const [runs = ''] = stdout.split('\nFreshness');
  expect(runs).toMatch(/│ +│ ok: rebuilt from the raw archive │/);
  expect(runs).not.toContain('by hand');
});
