import { existsSync, statSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Config } from '../../src/config/config.ts';
import { toDay } from '../../src/day.ts';
import { catalogue } from '../../src/endpoints/catalogue.ts';
import { silentLog } from '../../src/log.ts';
import type { SyncProgress } from '../../src/run/progress.ts';
import { openRig } from './rig.ts';

const START = '2026-07-01';
const TODAY = '2026-07-14';
/** Asked for the project, 6 models and 2 monitors. */
const SCOPED: ReadonlySet<string> = new Set([
  '/api/v1/visibility-time-series',
  '/api/v1/sentiment-time-series',
  '/api/v1/share-of-voice/time-series',
]);

const RESTATED = 'select * from meta.restatements';
const DAILY = `select project_id, date, scope, scope_id, visibility from core.visibility
  where date = '2026-07-12' order by scope, scope_id`;

/** The first run, another one on the same day, and one the next night after a restatement. */
async function threeRuns() {
  const warned: string[] = [];
  const log = { ...silentLog, warn: (event: string) => void warned.push(event) };
  const rig = await openRig({ world: 'small', today: TODAY, startDate: START, log });
  const shown: SyncProgress[] = [];
  Object.assign(rig.context, { onProgress: (progress: SyncProgress) => void shown.push(progress) });
  const project = rig.simulator.world.projects[0]?.id ?? '';
  const fileNow = (): number[] => {
    const { ino, mtimeMs } = statSync(rig.config.warehouse.path);
    return [ino, mtimeMs];
  };
  const first = await rig.sync();
  const told = { warned: [...warned], progress: shown.at(-1) };
  const before = { file: fileNow(), daily: await rig.rows(DAILY), restated: await rig.rows(RESTATED) };
  const second = await rig.sync();
  const afterSecond = { file: fileNow(), restated: await rig.workingRows(RESTATED) };
  rig.simulator.setToday(toDay('2026-07-15'));
  rig.simulator.restate({ project, endpoint: 'visibility-time-series', days: toDay('2026-07-12'), by: -0.2 });
  rig.simulator.resetRequests();
  const night = await rig.sync();
  const confirmed = rig.simulator.requests.length;
  rig.simulator.setToday(toDay('2026-07-16'));
  rig.simulator.resetRequests();
  const usual = await rig.sync();
  return { rig, first, told, before, second, afterSecond, night, confirmed, usual };
}

describe('a small project', () => {
  let runs: Awaited<ReturnType<typeof threeRuns>>;
  beforeAll(async () => {
    runs = await threeRuns();
  });
  afterAll(async () => {
    await runs.rig[Symbol.asyncDispose]();
  });

  it('a small project is shown to the last request, gives no warning, and has its answers archived', () => {
    const { first, told } = runs;
    expect([first.warnings, told.warned]).toEqual([[], []]);
    expect(told.progress).toMatchObject({ percent: 100, isPlanned: true, done: told.progress?.planned });
    expect(existsSync(first.raw_archive ?? '')).toBe(true);
  });

  it('a small project has no row written and nothing published by a second sync on the same day', () => {
    const { rig, first, before, second, afterSecond } = runs;
    expect(first).toMatchObject({ exit_code: 0, published: rig.config.warehouse.path, retries: 0 });
    expect(before.restated).toEqual([]);
    expect(second).toMatchObject({
      exit_code: 0,
      published: null,
      rows_inserted: 0,
      rows_updated: 0,
      rows_deleted: 0,
      rows_rejected: 0,
    });
    expect(second.rows_unchanged).toBe(second.rows_received);
    expect(afterSecond.file).toEqual(before.file);
    expect(afterSecond.restated).toEqual([]);
  });

  it('a small project has only what changed restated the next night, with old and new values', async () => {
    const { rig, night } = runs;
    const before = runs.before.daily;
    expect(night.exit_code).toBe(0);
    const after = await rig.rows(DAILY);
    expect(after).toHaveLength(before.length);
    expect(after).not.toEqual(before);

    const series = await rig.rows(
      `select table_name, change, key->>'date' as date, key->>'scope' as scope, key->>'scope_id' as scope_id,
         cast(old->>'visibility' as double) as was, cast(new->>'visibility' as double) as is_now
       from meta.restatements
       where table_name in (select table_name from duckdb_columns()
         where schema_name = 'core' and column_name = 'grain')
       order by scope, scope_id`,
    );
    expect(series).toEqual(
      before
        .map((row, index) => ({
          table_name: 'visibility',
          change: 'updated',
          date: '2026-07-12',
          scope: row['scope'],
          scope_id: row['scope_id'],
          was: row['visibility'],
          is_now: after[index]?.['visibility'],
        }))
        .filter((row) => row.was !== row.is_now),
    );
    expect(series.length).toBeGreaterThan(1);
    const touched = await rig.rows(
      `select count(*) as rows from core.visibility where _run_id = '${night.run_id}' and date < '2026-07-15'`,
    );
    expect(touched).toEqual([{ rows: series.length }]);
  });

  it('a small project is asked each night once a window and scope, never once a day', () => {
    const { rig, night, confirmed, usual } = runs;
    // The night after the first sync asks once more for what had no row.
    expect(night.requests).toBe(confirmed);
    expect(confirmed).toBeGreaterThan(usual.requests);
    expect(usual.requests).toBe(rig.simulator.requests.length);
    const counts = new Map<string, number>();
    for (const { path } of rig.simulator.requests) counts.set(path, (counts.get(path) ?? 0) + 1);
    const expected = new Map<string, number>();
    for (const { path, cut, askedPer } of catalogue) {
      const windows = { list: 1, lookup: 0, series: 1, dated: 1, window: 2 }[cut.kind];
      const times = (askedPer === 'key_and_project' ? 2 : windows) * (SCOPED.has(path) ? 9 : 1);
      if (times > 0) expected.set(path, (expected.get(path) ?? 0) + times);
    }
    expect(counts).toEqual(expected);
  });
});

it('a project of 6 models, 3 monitors, 230 prompts and cut lists takes at most 65 requests a night', async () => {
  const endpoints = { domain_citations: { limit: 4 }, domain_citation_totals: { limit: 4 } };
  const change = (config: Config): Config => ({ ...config, sync: { ...config.sync, endpoints } });
  await using rig = await openRig({ world: 'large', today: TODAY, startDate: '2026-06-25', change });
  for (const today of [TODAY, '2026-07-15']) {
    rig.simulator.setToday(toDay(today));
    await rig.pull();
  }
  rig.simulator.setToday(toDay('2026-07-16'));
  rig.simulator.resetRequests();
  const report = await rig.pull();
  expect(report.exitCode).toBe(0);
  const { requests } = rig.simulator;
  expect(requests.filter(({ path }) => path === '/api/v1/prompts')).toHaveLength(3);
  const lookups = requests.filter(({ path }) => path.startsWith('/api/v1/prompts/'));
  expect(requests.filter(({ query }) => query.some(([name]) => name === 'domains'))).toHaveLength(3);
  expect(requests.length - lookups.length).toBeLessThanOrEqual(65);
  expect(report.requests).toBe(requests.length);
});
