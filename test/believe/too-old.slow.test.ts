import { expect, it } from 'vitest';
import { addDays, toDay } from '../../src/day.ts';
import { openNights, PROJECT_ONLY, type Nights } from './nights.ts';

const LONG = { ...PROJECT_ONLY, startDate: '2025-01-01' } as const;
const PATH = '/v1/visibility-time-series';
const REQUEST = { endpoints: ['visibility'] };
/** 2 × log2 of the 560 days. */
const MAX_REFUSALS = 19;
const KEPT_DAYS = 92;

function keepOnly(nights: Nights, days: number): void {
  nights.answer(PATH, ({ query }) => {
    const oldest = addDays(nights.rig.simulator.today, -days + 1);
    const { startDate = '' } = Object.fromEntries(query);
    if (startDate >= oldest) return undefined;
    const message = `startDate must not be earlier than ${oldest}`;
    return { status: 400, body: { error: 'Bad Request', message, details: {} } };
  });
}

const refusals = (nights: Nights): number =>
  nights.rig.simulator.requests.filter(({ status }) => status === 400).length;

it('a refusal of old days leaves out those alone, exit 0 with a warning, and the next night is cheap', async () => {
  await using nights = await openNights(LONG);
  keepOnly(nights, KEPT_DAYS);
  const first = await nights.night('2026-07-14', REQUEST);
  expect(first).toMatchObject({ exit_code: 0, failures: [] });
  expect(first.warnings.join(' ')).toMatch(/too old|not available/);
  expect(refusals(nights)).toBeLessThanOrEqual(MAX_REFUSALS);
  expect(await nights.rows('select count(*) as days, min(date) as first from core.visibility')).toEqual([
    { days: KEPT_DAYS, first: addDays(toDay('2026-07-14'), -KEPT_DAYS + 1) },
  ]);
  expect(
    await nights.rows(`select distinct status from meta.slices where endpoint = 'visibility' order by all`),
  ).toEqual([{ status: 'loaded' }, { status: 'refused' }]);
  expect(await nights.gaps()).toEqual([]);
  expect(
    await nights.rows(
      `select distinct status from main.sync_coverage where endpoint = 'visibility' and date < '2026-04-01'`,
    ),
  ).toEqual([{ status: 'not_available' }]);
  const second = await nights.night('2026-07-15', REQUEST);
  expect(second).toMatchObject({ exit_code: 0, failures: [] });
  expect(nights.asked(PATH)).toHaveLength(1);
  expect(refusals(nights)).toBe(0);
});
