import { expect, it } from 'vitest';
import { expectHealed, JULY, openNights, PROJECT_ONLY, withSync, type Nights } from './nights.ts';

const FILTERS = ['model', 'models', 'llmMonitorId'];

/** A server that does as if some parameters had not been sent. */
function ignore(nights: Nights, path: string, names: readonly string[]): void {
  nights.answer(path, (request) => {
    const left = request.query.filter(([name]) => !names.includes(name));
    if (left.length === request.query.length) return undefined;
    return nights.rig.simulator.answer(request.path, left, request);
  });
}

it('filters that the server ignores file nothing under models and monitors, and the message names them', async () => {
  await using nights = await openNights(JULY);
  const request = { endpoints: ['prompts', 'events', 'competitor_heatmap', 'models', 'visibility'] };
  ignore(nights, '/v1/visibility-time-series', FILTERS);
  const first = await nights.night('2026-07-14', request);
  expect(first).toMatchObject({ exit_code: 3 });
  expect(await nights.rows('select distinct scope from core.visibility where date is not null')).toEqual([
    { scope: 'project' },
  ]);
  const failed = await nights.rows(
    `select distinct scope, status, error_class, error_message from meta.slices
       where endpoint = 'visibility' and scope <> 'project' order by scope`,
  );
  expect(new Set(failed.map(({ scope }) => scope))).toEqual(new Set(['model', 'monitor']));
  for (const { scope, status, error_class: found, error_message: message } of failed) {
    expect({ status, found }).toEqual({ status: 'failed', found: 'contract' });
    expect(String(message)).toContain(scope === 'model' ? 'models' : 'llmMonitorId');
  }
  await expectHealed(nights, { days: ['2026-07-15', '2026-07-16'], tables: ['visibility'], request });
});

const MONTHS = {
  ...PROJECT_ONLY,
  startDate: '2026-03-01',
  change: withSync({ scopes: {}, windows: ['month'] }),
} as const;

it('one answer to four months is filed under none, and the message names the dates', async () => {
  await using nights = await openNights(MONTHS);
  const request = { endpoints: ['response_summary'] };
  const path = '/responses/summary';
  const whole = { startDate: '2026-03-01', endDate: '2026-07-14' };
  const who = { apiKey: 'small-organization-key', projectId: nights.projectId };
  const same = nights.rig.simulator.answer(`/api/v1${path}`, whole, who);
  nights.answer(path, () => same);
  const first = await nights.night('2026-07-14', request);
  expect(first).toMatchObject({ exit_code: 3 });
  expect(await nights.rows('select * from core.response_summary')).toEqual([]);
  for (const { class: found, message } of first.failures) {
    expect(found).toBe('contract');
    expect(message).toMatch(/startDate.*endDate/);
  }
  await expectHealed(nights, { days: ['2026-07-15', '2026-07-16'], tables: ['response_summary'], request });
});
