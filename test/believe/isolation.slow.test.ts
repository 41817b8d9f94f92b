import { expect, it } from 'vitest';
import { JULY, openNights, withSync } from './nights.ts';

const PATH = '/v1/visibility-time-series';

const MODELS = {
  ...JULY,
  change: withSync({ scopes: { visibility: ['project', 'model', 'monitor'] } }),
} as const;
const FILTERED = { endpoints: ['prompts', 'events', 'competitor_heatmap', 'models', 'visibility'] };

it.each([
  { what: 'a deleted monitor (404)', parameter: 'llmMonitorId', scope: 'monitor', status: 404 },
  { what: 'a retired model (400)', parameter: 'models', scope: 'model', status: 400 },
] as const)(
  '$what is exit 3 on three sync days and known from the fourth, without a request',
  async ({ parameter, scope, status }) => {
    await using nights = await openNights(MODELS);
    await nights.night('2026-07-14', FILTERED);
    await nights.night('2026-07-15', FILTERED);
    const [gone] = await nights.rows(
      `select min(scope_id) as id from core.visibility where scope = '${scope}'`,
    );
    const id = String(gone?.['id']);
    const isGone = ({ [parameter]: value }: Readonly<Record<string, string>>): boolean => value === id;
    nights.answer(PATH, ({ query }) =>
      isGone(Object.fromEntries(query))
        ? { status, body: { error: 'Refused', message: `${scope} ${id} does not exist.`, details: {} } }
        : undefined,
    );
    for (const day of ['2026-07-16', '2026-07-17', '2026-07-18'])
      expect(await nights.night(day, FILTERED), day).toMatchObject({ exit_code: 3 });
    // A second run of a day counts as one.
    expect(await nights.night('2026-07-18', FILTERED)).toMatchObject({ exit_code: 3 });
    for (const day of ['2026-07-19', '2026-07-20', '2026-07-21']) {
      expect(await nights.night(day, FILTERED), day).toMatchObject({ exit_code: 0, failures: [] });
      expect(new Set((await nights.gaps()).map((gap) => gap['status'])), day).toEqual(new Set(['known']));
    }
    expect(nights.asked(PATH).filter(isGone)).toEqual([]);
    // A run that looks further back tries it again; a refusal that was expected is no failure.
    expect(await nights.night('2026-07-22', { ...FILTERED, lookbackDays: 60 })).toMatchObject({
      exit_code: 0,
      failures: [],
    });
    expect(new Set((await nights.gaps()).map((gap) => gap['status']))).toEqual(new Set(['known']));
    expect(nights.asked(PATH).filter(isGone)).not.toEqual([]);
    nights.repair();
    expect(await nights.night('2026-07-23', { ...FILTERED, lookbackDays: 60 })).toMatchObject({
      exit_code: 0,
    });
    expect(await nights.night('2026-07-24', FILTERED)).toMatchObject({ exit_code: 0 });
    expect(nights.asked(PATH).filter(isGone)).not.toEqual([]);
    expect(await nights.gaps()).toEqual([]);
    await nights.expectTruth(['visibility'], FILTERED);
  },
);
