import { expect, it } from 'vitest';
import type { Config } from '../../src/config/config.ts';
import { toDay } from '../../src/day.ts';
import { catalogue } from '../support/catalogue.ts';
import { startSimulator } from '../../simulator/simulator.ts';
import { contentHashes } from '../support/content-hash.ts';
import { openRig, SMALL, withSync, type Rig } from '../flow/rig.ts';
import { Workspace } from './workspace.ts';
import { recordFigure } from './figures.ts';

const OPTIONS = { ...SMALL, startDate: '2026-04-20' } as const;
const ZONES = ['UTC', 'America/New_York', 'Asia/Kolkata', 'Pacific/Kiritimati', 'Pacific/Pago_Pago'];

type Hashes = Record<string, string>;
type Change = (config: Config) => Config;

const concurrent =
  (concurrency: number): Change =>
  (config) => ({ ...config, api: { ...config.api, concurrency } });
const cutInto = (maxWindowDays: number): Change =>
  withSync({ endpoints: Object.fromEntries(catalogue.map(({ name }) => [name, { maxWindowDays }])) });
const paged = (limit: number): Change =>
  withSync({ endpoints: { prompts: { limit }, events: { limit }, brand_visibility: { limit } } });
const reversed: Change = (config) => {
  const { scopes, windows } = config.sync;
  const backwards = Object.entries(scopes).map(([name, of]) => [name, of.toReversed()]);
  return withSync({ scopes: Object.fromEntries(backwards), windows: windows.toReversed() })(config);
};

async function synced(change?: Change, run: (rig: Rig) => Promise<void> = once): Promise<Hashes> {
  await using rig = await openRig(change === undefined ? OPTIONS : { ...OPTIONS, change });
  await run(rig);
  return await rig.hashes();
}

async function once(rig: Rig): Promise<void> {
  const { exit_code: code, failures } = await rig.pull();
  if (code !== 0) throw new Error(`exit ${String(code)}: ${failures[0]?.message ?? ''}`);
}

/** Stopped at the n-th request, then run again until it is done. */
function stoppedAt(ordinal: number): (rig: Rig) => Promise<void> {
  return async (rig) => {
    const stop = new AbortController();
    rig.simulator.setFaults((_, at) => {
      if (at === ordinal) stop.abort(new Error('stopped'));
      return undefined;
    });
    const stopped = await rig.sync({}, stop.signal);
    if (stopped.status !== 'stopped') throw new Error(`not stopped: ${stopped.status}`);
    await once(rig);
  };
}

function differences(name: string, expected: Hashes, found: Hashes): string[] {
  return Object.keys(expected)
    .filter((table) => expected[table] !== found[table])
    .map((table) => `${name}: ${table} has ${found[table] ?? 'nothing'}, not ${expected[table] ?? ''}`);
}

it('how the sync is cut, ordered, run and interrupted does not show in the warehouse', async () => {
  const expected = await synced();
  const variants: { name: string; change?: Change; run?: (rig: Rig) => Promise<void> }[] = [
    ...[1, 3, 16].map((number) => ({ name: `concurrency ${String(number)}`, change: concurrent(number) })),
    ...[5, 17, 31, 89].map((days) => ({ name: `windows of ${String(days)} days`, change: cutInto(days) })),
    ...[3, 40].map((size) => ({ name: `pages of ${String(size)}`, change: paged(size) })),
    { name: 'scopes and windows in another order', change: reversed },
    ...[5, 23, 47].map((at) => ({ name: `stopped at request ${String(at)}`, run: stoppedAt(at) })),
  ];
  const violations: string[] = [];
  for (const { name, change, run } of variants)
    violations.push(...differences(name, expected, await synced(change, run)));
  recordFigure({
    order: 8,
    promise: 'The warehouse does not depend on windows, order, concurrency or interruptions',
    how: 'The same three months are synced in many ways; every core table must be the same each time.',
    cases: variants.length,
    violations: violations.length,
    details: { variants: variants.map(({ name }) => name).join(', ') },
  });
  expect(violations).toEqual([]);
});

it('the time zone of the host does not show in the warehouse', async () => {
  await using simulator = await startSimulator({ world: 'small', today: toDay(OPTIONS.today) });
  const found: Hashes[] = [];
  for (const zone of ZONES) {
    using workspace = new Workspace({ baseUrl: simulator.url, startDate: '2026-07-01' });
    const ended = await workspace.sync(OPTIONS.today, { TZ: zone }).ended;
    if (ended.code !== 0) throw new Error(`${zone}: ${ended.stderr}`);
    found.push(await contentHashes(workspace.published));
  }
  const [expected = {}] = found;
  const violations = ZONES.flatMap((zone, index) => differences(zone, expected, found[index] ?? {}));
  recordFigure({
    order: 9,
    promise: 'The warehouse does not depend on the time zone of the host',
    how: 'The built program runs on hosts in five time zones; every core table must be the same.',
    cases: ZONES.length,
    violations: violations.length,
    details: { zones: ZONES.join(', ') },
  });
  expect(violations).toEqual([]);
});
