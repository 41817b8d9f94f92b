import { expect, it } from 'vitest';
import { expectHealed, JULY, openNights, PROJECT_ONLY, withSync, type Nights } from './nights.ts';
import { keepDays } from './series-bodies.ts';

const FILTERED = [
  { endpoint: 'visibility', path: '/v1/visibility-time-series', model: 'models' },
  { endpoint: 'sentiment', path: '/v1/sentiment-time-series', model: 'model' },
  { endpoint: 'share_of_voice', path: '/share-of-voice/time-series', model: 'model' },
] as const;
const FILTERS = ['model', 'models', 'llmMonitorId'];

type Query = Readonly<Record<string, string>>;

/** What the server answers to the same path with other parameters. */
function ask(nights: Nights, path: string, query: Query): unknown {
  const { rig, projectId } = nights;
  return rig.simulator.answer(path, query, { apiKey: 'small-organization-key', projectId }).body;
}

/** A server that does as if some parameters had not been sent. */
function ignore(nights: Nights, path: string, names: readonly string[]): void {
  nights.answer(path, ({ path: whole, query, apiKey, projectId }) => {
    if (!query.some(([name]) => names.includes(name))) return undefined;
    const left = Object.fromEntries(query.filter(([name]) => !names.includes(name)));
    nights.repair();
    const answer = nights.rig.simulator.answer(whole, left, {
      ...(apiKey === undefined ? {} : { apiKey }),
      ...(projectId === undefined ? {} : { projectId }),
    });
    ignore(nights, path, names);
    return { status: answer.status, body: answer.body };
  });
}

const scopesOf = (table: string): string =>
  `select distinct scope from core.${table} where date is not null order by all`;

it.each(FILTERED)(
  'filters of $endpoint that the server ignores file nothing under models and monitors, and the message names them',
  async ({ endpoint, path, model }) => {
    await using nights = await openNights(JULY);
    const request = { endpoints: ['prompts', 'events', 'competitor_heatmap', 'models', endpoint] };
    ignore(nights, path, FILTERS);
    const first = await nights.night('2026-07-14', request);
    expect(first).toMatchObject({ exit_code: 3 });
    expect(await nights.rows(scopesOf(endpoint))).toEqual([{ scope: 'project' }]);
    const failed = await nights.rows(
      `select distinct scope, status, error_class, error_message from meta.slices
       where endpoint = '${endpoint}' and scope <> 'project' order by scope`,
    );
    expect(new Set(failed.map(({ scope }) => scope))).toEqual(new Set(['model', 'monitor']));
    for (const { scope, status, error_class: found, error_message: message } of failed) {
      expect({ status, found }).toEqual({ status: 'failed', found: 'contract' });
      expect(String(message)).toContain(scope === 'model' ? model : 'llmMonitorId');
    }
    await expectHealed(nights, { days: ['2026-07-15', '2026-07-16'], tables: [endpoint], request });
  },
);

it.each(FILTERED)(
  'a filter of $endpoint that is ignored from the second night on changes no stored row',
  async ({ endpoint, path }) => {
    await using nights = await openNights(JULY);
    const request = { endpoints: ['prompts', 'events', 'competitor_heatmap', 'models', endpoint] };
    await nights.night('2026-07-14', request);
    const closed = `select * exclude (_run_id, _changed_at) from core.${endpoint} where date < '2026-07-14' order by all`;
    const before = await nights.rows(closed);
    ignore(nights, path, FILTERS);
    expect(await nights.night('2026-07-15', request)).toMatchObject({ exit_code: 3 });
    expect(await nights.rows(closed)).toEqual(before);
    await expectHealed(nights, { days: ['2026-07-16', '2026-07-17'], tables: [endpoint], request });
  },
);

const WEEKS = {
  ...JULY,
  startDate: '2026-03-02',
  change: withSync({ scopes: {}, grains: ['day', 'week', 'month'] }),
};
const GROUPED = [
  { endpoint: 'visibility', path: '/v1/visibility-time-series', names: ['range'] },
  { endpoint: 'share_of_voice', path: '/share-of-voice/time-series', names: ['range'] },
  { endpoint: 'brand_visibility', path: '/brands/visibility-over-time', names: ['granularity'] },
  { endpoint: 'citation_ranks', path: '/citations/rank-analysis', names: ['range', 'granularity'] },
  { endpoint: 'domain_citations', path: '/citations/domains-over-time', names: ['range', 'granularity'] },
] as const;

it.each(GROUPED)(
  'a grouping of $endpoint that the server ignores files no day as a week or a month, and the message names it',
  async ({ endpoint, path, names }) => {
    await using nights = await openNights(WEEKS);
    const request = { endpoints: [endpoint] };
    ignore(nights, path, names);
    const first = await nights.night('2026-07-14', request);
    expect(first).toMatchObject({ exit_code: 3 });
    expect(await nights.rows(`select distinct grain from core.${endpoint}`)).toEqual([{ grain: 'day' }]);
    for (const { class: found, message } of first.failures) {
      expect(found).toBe('contract');
      for (const name of names) expect(message).toContain(name);
    }
    await expectHealed(nights, { days: ['2026-07-15', '2026-07-16'], tables: [endpoint], request });
  },
);

it.each(GROUPED)(
  'long ranges of $endpoint that are answered in weeks are not filed as days, and the message names max_window_days',
  async ({ endpoint, path }) => {
    await using nights = await openNights({ ...PROJECT_ONLY, startDate: '2026-03-01' });
    const request = { endpoints: [endpoint] };
    nights.alter(path, (body, { startDate = '', endDate = '' }) => {
      const days = (Date.parse(endDate) - Date.parse(startDate)) / 86_400_000;
      if (days < 60) return undefined;
      return keepDays(body, (day) => (Date.parse(day) / 86_400_000) % 7 === 4);
    });
    const first = await nights.night('2026-07-14', request);
    expect(first).toMatchObject({ exit_code: 3 });
    expect(first.failures.map(({ message }) => message).join(' ')).toContain('max_window_days');
    await expectHealed(nights, { days: ['2026-07-15', '2026-07-16'], tables: [endpoint], request });
  },
);

const MONTHS = {
  ...PROJECT_ONLY,
  startDate: '2026-03-01',
  change: withSync({ scopes: {}, windows: ['month'] }),
} as const;
const WINDOWS = [
  { endpoint: 'response_summary', path: '/responses/summary' },
  { endpoint: 'sentiment_distribution', path: '/responses/sentiment-distribution' },
  { endpoint: 'competitor_mentions', path: '/responses/competitors' },
  { endpoint: 'llm_sources', path: '/citations/llm-sources' },
  { endpoint: 'share_of_voice_comparison', path: '/share-of-voice/comparison' },
  { endpoint: 'competitor_heatmap', path: '/competitor-heatmap' },
  { endpoint: 'crawler_top_pages', path: '/analytics/crawlers/top-pages' },
] as const;

it.each(WINDOWS)(
  'one answer of $endpoint to four months is filed under none, and the message names the dates',
  async ({ endpoint, path }) => {
    await using nights = await openNights(MONTHS);
    const request = { endpoints: [endpoint] };
    const same = ask(nights, `/api/v1${path}`, { startDate: '2026-03-01', endDate: '2026-07-14' });
    nights.answer(path, () => ({ status: 200, body: same }));
    const first = await nights.night('2026-07-14', request);
    expect(first).toMatchObject({ exit_code: 3 });
    expect(await nights.rows(`select * from core.${endpoint}`)).toEqual([]);
    for (const { class: found, message } of first.failures) {
      expect(found).toBe('contract');
      expect(message).toMatch(/startDate.*endDate/);
    }
    await expectHealed(nights, { days: ['2026-07-15', '2026-07-16'], tables: [endpoint], request });
  },
);

it('rows outside the asked days are not stored, and the message names the date parameters', async () => {
  await using nights = await openNights({ ...PROJECT_ONLY, ignoreDates: ['visibility-time-series'] });
  const first = await nights.night('2026-07-14', { endpoints: ['visibility'] });
  expect(first).toMatchObject({ exit_code: 3 });
  expect(first.failures[0]?.message).toMatch(/startDate.*endDate/);
  expect(await nights.rows('select * from core.visibility')).toEqual([]);
});
