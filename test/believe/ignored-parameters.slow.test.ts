import { expect, it } from 'vitest';
import type { RunReport } from '../../src/run/sync-request.ts';
import { expectHealed, JULY, openRig, PROJECT_ONLY, withSync } from '../flow/rig.ts';

/** Every failure is one of the contract, and names the parameter. */
function expectNamed({ exit_code: code, failures }: RunReport, name: RegExp): void {
  expect([code, failures.length > 0]).toEqual([3, true]);
  for (const failure of failures)
    expect(failure).toMatchObject({ class: 'contract', message: expect.stringMatching(name) as unknown });
}

it('filters that the server ignores file nothing under models and monitors, and the message names them', async () => {
  await using rig = await openRig(JULY);
  const request = { endpoints: ['prompts', 'events', 'competitor_heatmap', 'models', 'visibility'] };
  rig.answer('/v1/visibility-time-series', (asked) => {
    const left = asked.query.filter(([name]) => !['models', 'llmMonitorId'].includes(name));
    return left.length === asked.query.length ? undefined : rig.simulator.answer(asked.path, left, asked);
  });
  expectNamed(await rig.night('2026-07-14', request), /models|llmMonitorId/);
  expect(await rig.rows('select distinct scope from core.visibility')).toEqual([{ scope: 'project' }]);
  const failed = `select scope, count(*) filter (error_message not like
      '%' || if(scope = 'model', 'models', 'llmMonitorId') || '%' or status <> 'failed') as others
    from meta.slices where endpoint = 'visibility' and scope <> 'project' group by 1 order by 1`;
  expect(await rig.rows(failed)).toEqual([
    { scope: 'model', others: 0 },
    { scope: 'monitor', others: 0 },
  ]);
  await expectHealed(rig, ['2026-07-15', '2026-07-16'], request);
});

it('one answer to four months is filed under none, and the message names the dates', async () => {
  const change = withSync({ scopes: {}, windows: ['month'] });
  await using rig = await openRig({ ...PROJECT_ONLY, startDate: '2026-03-01', change });
  const request = { endpoints: ['response_summary'] };
  const who = { apiKey: 'small-organization-key', projectId: rig.projectIds[0] ?? '' };
  const whole = { startDate: '2026-03-01', endDate: '2026-07-14' };
  const same = rig.simulator.answer('/api/v1/responses/summary', whole, who);
  rig.answer('/responses/summary', () => same);
  expectNamed(await rig.night('2026-07-14', request), /startDate.*endDate/);
  expect(await rig.rows('select * from core.response_summary')).toEqual([]);
  await expectHealed(rig, ['2026-07-15', '2026-07-16'], request);
});

const DEMO = {
  ...PROJECT_ONLY,
  world: 'demo',
  // Each night asks for all days: a domain is listed where it is cited in the range.
  change: withSync({ scopes: {}, windows: ['month'], lookbackDays: 60 }),
} as const;

it.each([
  ['domain_citations', '/citations/domains-over-time'],
  ['response_summary', '/responses/summary'],
])('one answer of %s to all projects is refused, naming X-Project-Id', async (name, path) => {
  await using rig = await openRig(DEMO);
  const [projectId] = rig.projectIds;
  rig.answer(path, (asked) =>
    asked.projectId === projectId
      ? undefined
      : rig.simulator.answer(asked.path, asked.query, { ...asked, projectId }),
  );
  const request = { endpoints: [name] };
  expectNamed(await rig.night('2026-07-14', request), /X-Project-Id/);
  expect(await rig.rows(`select * from core.${name}`)).toEqual([]);
  await expectHealed(rig, ['2026-07-15', '2026-07-16'], request);
});

it('a cache that has the answer of one project for another is found by another address', async () => {
  await using rig = await openRig(DEMO);
  const request = { endpoints: ['response_sentiment'], projects: rig.projectIds.slice(0, 2) };
  const seen = new Map<string, unknown>();
  rig.answer('/responses/sentiment-time-series', ({ query }, { status, body }) => {
    if (status !== 200) return undefined;
    const key = JSON.stringify(query);
    if (!seen.has(key)) seen.set(key, body);
    return { body: seen.get(key) };
  });
  expectNamed(await rig.night('2026-07-14', request), /X-Project-Id/);
  expect(await rig.rows('select * from core.response_sentiment')).toEqual([]);
  await expectHealed(rig, ['2026-07-15', '2026-07-16'], request);
});
