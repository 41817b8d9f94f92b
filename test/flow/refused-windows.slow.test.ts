import { expect, it } from 'vitest';
import { addDays, countDays, toDay } from '../../src/day.ts';
import { openRig, SMALL, withSync, type Rig } from './rig.ts';

const PATH = '/visibility-time-series';
const VISIBILITY = { endpoints: ['visibility'] };
const LONG = { ...SMALL, startDate: '2025-01-01', change: withSync({ scopes: {} }) } as const;
const DAYS = "select count(distinct date)::integer as n from core.visibility where scope = 'project'";

const asked = (rig: Rig): number => rig.asked(PATH).length;
const refused = ({ simulator }: Rig): number =>
  simulator.requests.filter(({ status }) => status === 400 || status === 422).length;

/** Refuses ranges in these words. */
function refuse(rig: Rig, message: string, { status = 400, before = '9999' } = {}): void {
  rig.answer(PATH, ({ query }) => {
    const { startDate = '' } = Object.fromEntries(query);
    return startDate < before ? { status, body: { error: 'Bad Request', message, details: {} } } : undefined;
  });
}

it.each([
  [422, 3, 'Your trial period has expired.', 7],
  [409, 7, 'Another change is under way.', 7],
  [400, 12, 'The date range exceeds your plan.', null],
] as const)(
  'a series that answers %i costs %i requests: %s',
  async (...[status, requests, message, slices]) => {
    await using rig = await openRig(LONG);
    refuse(rig, message, { status });
    const { exit_code: code, slices_failed: failed, failures } = await rig.pull(VISIBILITY);
    expect([code, asked(rig)]).toEqual([3, requests]);
    expect(failed).toBe(slices ?? failed);
    for (const failure of failures) expect(failure.message).toContain(message);
    expect(await rig.workingRows(DAYS)).toEqual([{ n: 0 }]);
    rig.repair();
    rig.simulator.resetRequests();
    // The look-back comes back at once, what lies beyond it with the weekly question.
    expect(await rig.pull(VISIBILITY)).toMatchObject({ exit_code: 0, slices_failed: 0 });
    expect(asked(rig)).toBe(2);
    const later = addDays(toDay(LONG.today), 7);
    expect(await rig.night(later, VISIBILITY)).toMatchObject({ exit_code: 0, slices_failed: 0 });
    expect(await rig.workingRows(DAYS)).toEqual([{ n: countDays(toDay(LONG.startDate), later) }]);
  },
);

it('a length that was refused is not tried again by later runs, until 30 days have passed', async () => {
  await using rig = await openRig({ ...LONG, maxWindowDays: { 'visibility-time-series': 60 } });
  expect(await rig.night(LONG.today, VISIBILITY)).toMatchObject({ exit_code: 0, failures: [] });
  expect(refused(rig)).toBeGreaterThan(0);
  const before = await rig.rows(DAYS);
  const taught = 'select endpoint, max_days between 30 and 60 as fits from meta.taught_lengths';
  expect(await rig.rows(taught)).toEqual([{ endpoint: 'visibility', fits: true }]);
  rig.simulator.resetRequests();
  expect(await rig.pull({ ...VISIBILITY, full: true })).toMatchObject({ exit_code: 0, failures: [] });
  expect([refused(rig), await rig.rows(DAYS)]).toEqual([0, before]);
  expect(await rig.night(addDays(toDay(LONG.today), 30), { ...VISIBILITY, full: true })).toMatchObject({
    exit_code: 0,
  });
  expect(refused(rig)).toBeGreaterThan(0);
});

it('days refused for their age are left out with a warning; a run that looks further back asks again', async () => {
  await using rig = await openRig(LONG);
  const before = '2026-06-05';
  refuse(rig, `startDate must not be earlier than ${before}`, { before });
  const first = await rig.night(LONG.today, VISIBILITY);
  expect(first).toMatchObject({ exit_code: 0, failures: [] });
  expect(first.warnings.join()).toMatch(/too old|not available/);
  // 2 × log2 of the 560 days.
  expect(refused(rig)).toBeLessThanOrEqual(19);
  expect(await rig.rows(DAYS)).toEqual([{ n: 40 }]);
  const statuses = 'select distinct status from meta.slices order by 1';
  expect(await rig.rows(statuses)).toEqual([{ status: 'loaded' }, { status: 'refused' }]);
  const coverage = `select distinct status from main.sync_coverage where endpoint = 'visibility' and date < '${before}'`;
  expect([await rig.gaps(), await rig.rows(coverage)]).toEqual([[], [{ status: 'not_available' }]]);
  rig.repair();
  expect(await rig.night('2026-07-15', VISIBILITY)).toMatchObject({ exit_code: 0, failures: [] });
  expect([asked(rig), await rig.rows(DAYS)]).toEqual([1, [{ n: 41 }]]);
  expect(await rig.pull({ ...VISIBILITY, lookbackDays: 800 })).toMatchObject({ exit_code: 0 });
  expect(await rig.workingRows(DAYS)).toEqual([{ n: countDays(toDay('2025-01-01'), toDay('2026-07-15')) }]);
});
