import { expect, it } from 'vitest';
import { expectHealed, JULY, openNights, PROJECT_ONLY, withSync, type Nights } from './nights.ts';

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
  const same = ask(nights, `/api/v1${path}`, { startDate: '2026-03-01', endDate: '2026-07-14' });
  nights.answer(path, () => ({ status: 200, body: same }));
  const first = await nights.night('2026-07-14', request);
  expect(first).toMatchObject({ exit_code: 3 });
  expect(await nights.rows('select * from core.response_summary')).toEqual([]);
  for (const { class: found, message } of first.failures) {
    expect(found).toBe('contract');
    expect(message).toMatch(/startDate.*endDate/);
  }
  await expectHealed(nights, { days: ['2026-07-15', '2026-07-16'], tables: ['response_summary'], request });
});
