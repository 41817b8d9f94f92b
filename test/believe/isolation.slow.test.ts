import { expect, it } from 'vitest';
import { expectHealed, JULY, openNights, PROJECT_ONLY, withSync } from './nights.ts';

const PATH = '/v1/visibility-time-series';
const SIBLINGS = [
  'sentiment',
  'share_of_voice',
  'domain_citations',
  'response_sentiment',
  'events',
  'prompts',
];
const REQUEST = { endpoints: ['visibility', ...SIBLINGS] };

it.each([401, 402, 403, 429])(
  'a path that alone answers %i waits, and its siblings load every night',
  async (status) => {
    await using nights = await openNights(PROJECT_ONLY);
    nights.answer(PATH, () => ({
      status,
      body: { error: 'Refused', message: 'Not this one.', details: {} },
      ...(status === 429 ? { headers: { 'retry-after': '3600' } } : {}),
    }));
    for (const day of ['2026-07-14', '2026-07-15', '2026-07-16']) {
      const report = await nights.night(day, REQUEST);
      expect([3, 5], day).toContain(report.exit_code);
      for (const table of SIBLINGS.filter((name) => name !== 'prompts' && name !== 'events'))
        expect(await nights.rows(`select max(date) as last from core.${table}`), table).toEqual([
          { last: day },
        ]);
      expect(await nights.rows('select count(*) > 0 as filled from core.prompts')).toEqual([
        { filled: true },
      ]);
      expect(new Set((await nights.gaps()).map(({ endpoint }) => endpoint))).toEqual(new Set(['visibility']));
    }
    await expectHealed(nights, {
      days: ['2026-07-17', '2026-07-18'],
      tables: ['visibility', ...SIBLINGS.filter((name) => name !== 'prompts')],
      request: REQUEST,
    });
  },
);

const MODELS = {
  ...JULY,
  change: withSync({ scopes: { visibility: ['project', 'model', 'monitor'] } }),
} as const;
const FILTERED = { endpoints: ['prompts', 'events', 'competitor_heatmap', 'models', 'visibility'] };

it.each([
  { what: 'a deleted monitor (404)', parameter: 'llmMonitorId', scope: 'monitor', status: 404 },
  { what: 'a retired model (400)', parameter: 'models', scope: 'model', status: 400 },
] as const)(
  '$what is exit 3 on three sync days and let go from the fourth, without a gap or a request',
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
      expect(await nights.gaps(), day).toEqual([]);
    }
    expect(nights.asked(PATH).filter(isGone)).toEqual([]);
    // A run that looks further back tries it again; a refusal that was expected is no failure.
    expect(await nights.night('2026-07-22', { ...FILTERED, lookbackDays: 60 })).toMatchObject({
      exit_code: 0,
      failures: [],
    });
    expect(await nights.gaps()).toEqual([]);
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
