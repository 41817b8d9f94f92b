import { existsSync, statSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { toDay } from '../../src/day.ts';
import { catalogue } from '../support/catalogue.ts';
import { silentLog } from '../../src/log.ts';
import type { SyncProgress } from '../../src/run/progress.ts';
import { openRig, SMALL, withSync, type Rig } from './rig.ts';

/** Asked for the project, 6 models and 2 monitors. */
const SCOPED = /v1\/(visibility-time-series|sentiment-time-series|share-of-voice\/time-series)$/;
const RESTATED = 'select * from meta.restatements';
const DAILY = `select scope, scope_id, visibility from core.visibility where date = '2026-07-12' order by all`;

/** The first run, another one on the same day, and two nights after a restatement. */
async function fourRuns() {
  const warned: string[] = [];
  const log = { ...silentLog, warn: (event: string) => void warned.push(event) };
  const rig = await openRig({ ...SMALL, startDate: '2026-07-01', log });
  const shown: SyncProgress[] = [];
  Object.assign(rig.context, { onProgress: (progress: SyncProgress) => void shown.push(progress) });
  const stateNow = async (): Promise<unknown[]> => {
    const { ino, mtimeMs } = statSync(rig.config.warehouse.path);
    return [ino, mtimeMs, await rig.workingRows(RESTATED)];
  };
  const first = await rig.sync();
  const told = { warned: [...warned], progress: shown.at(-1) };
  const before = { state: await stateNow(), daily: await rig.rows(DAILY) };
  const second = await rig.sync();
  const after = await stateNow();
  const [project = ''] = rig.projectIds;
  rig.simulator.setToday(toDay('2026-07-15'));
  rig.simulator.restate({ project, endpoint: 'visibility-time-series', days: toDay('2026-07-12'), by: -0.2 });
  const night = await rig.night('2026-07-15');
  const confirmed = rig.simulator.requests.length;
  return { rig, first, told, before, second, after, night, confirmed, usual: await rig.night('2026-07-16') };
}

let runs: Awaited<ReturnType<typeof fourRuns>>;
beforeAll(async () => {
  runs = await fourRuns();
});
afterAll(() => runs.rig[Symbol.asyncDispose]());

it('a first sync is shown to the last request, gives no warning, and has its answers archived', () => {
  const { first, told } = runs;
  expect([first.warnings, told.warned]).toEqual([[], []]);
  expect(told.progress).toMatchObject({ percent: 100, isPlanned: true, done: told.progress?.planned });
  expect(existsSync(first.raw_archive ?? '')).toBe(true);
});

it('a second sync on the same day writes no row and publishes nothing', () => {
  const { rig, first, before, second, after } = runs;
  expect(first).toMatchObject({ exit_code: 0, published: rig.config.warehouse.path, retries: 0 });
  const none = { rows_inserted: 0, rows_updated: 0, rows_deleted: 0, rows_rejected: 0 };
  const rows_unchanged = second.rows_received;
  expect(second).toMatchObject({ ...none, exit_code: 0, published: null, rows_unchanged });
  expect(after).toEqual(before.state);
  expect(after.at(-1)).toEqual([]);
});

it('the next night restates what changed, with old and new values', async () => {
  const { rig, night, before } = runs;
  expect(night.exit_code).toBe(0);
  const after = await rig.rows(DAILY);
  const changed = before.daily
    .map(({ visibility: was, ...scope }, at) => ({ ...scope, was, is_now: after[at]?.['visibility'] }))
    .filter(({ was, is_now: now }) => was !== now);
  expect(changed.length).toBeGreaterThan(1);
  const restated = `select key->>'scope' as scope, key->>'scope_id' as scope_id,
      cast(old->>'visibility' as double) as was, cast(new->>'visibility' as double) as is_now
    from meta.restatements where table_name = 'visibility' and change = 'updated' and (key->>'date') = '2026-07-12'
    order by all`;
  expect(await rig.rows(restated)).toEqual(changed);
});

it('a small project is asked each night once a window and scope, never once a day', () => {
  const { rig, night, confirmed, usual } = runs;
  // The night after the first sync asks once more for what had no row.
  expect(night.requests).toBe(confirmed);
  expect(confirmed).toBeGreaterThan(usual.requests);
  expect(usual.requests).toBe(rig.simulator.requests.length);
  const expected = new Map<string, number>();
  for (const { path, cut, askedPer } of catalogue) {
    const windows = { list: 1, lookup: 0, series: 1, dated: 1, window: 2 }[cut.kind];
    const times = (askedPer === 'key_and_project' ? 2 : windows) * (SCOPED.test(path) ? 9 : 1);
    if (times > 0) expected.set(path, (expected.get(path) ?? 0) + times);
  }
  expect(countsOf(rig)).toEqual(expected);
});

it('a project of 6 models, 3 monitors, 230 prompts and cut lists takes at most 65 requests a night', async () => {
  const change = withSync({
    endpoints: { domain_citations: { limit: 4 }, domain_citation_totals: { limit: 4 } },
  });
  await using rig = await openRig({ ...SMALL, world: 'large', startDate: '2026-06-25', change });
  for (const today of ['2026-07-14', '2026-07-15']) {
    rig.simulator.setToday(toDay(today));
    await rig.pull();
  }
  rig.simulator.setToday(toDay('2026-07-16'));
  rig.simulator.resetRequests();
  const report = await rig.pull();
  const { requests } = rig.simulator;
  expect(report).toMatchObject({ exit_code: 0, requests: requests.length });
  expect(countsOf(rig).get('/api/v1/prompts')).toBe(3);
  expect(requests.filter(({ query }) => query.some(([name]) => name === 'domains'))).toHaveLength(3);
  expect(requests.filter(({ path }) => !path.startsWith('/api/v1/prompts/')).length).toBeLessThanOrEqual(65);
});

/** Requests by path. */
function countsOf({ simulator }: Rig): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { path } of simulator.requests) counts.set(path, (counts.get(path) ?? 0) + 1);
  return counts;
}

it.each([
  ['UTC', '2026-07-14'],
  // On the fourteenth at 03:00 UTC the thirteenth is not over there.
  ['America/Los_Angeles', '2026-07-13'],
])('a look-back of a day asks in %s again from %s on, partial there', async (timezone, start) => {
  await using rig = await openRig({ ...SMALL, change: withSync({ scopes: {}, timezone, lookbackDays: 1 }) });
  for (const day of ['2026-07-14', '2026-07-15']) await rig.night(day, { endpoints: ['crawler_requests'] });
  expect(rig.asked('/crawlers/trend').map(({ startDate }) => startDate)).toEqual([start]);
});
