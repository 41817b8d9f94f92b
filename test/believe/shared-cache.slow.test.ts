import { expect, it } from 'vitest';
import { expectHealed, openNights, PROJECT_ONLY, withSync, type Nights } from './nights.ts';

const DEMO = {
  ...PROJECT_ONLY,
  world: 'demo',
  // Each night asks for all days: a domain is listed where it is cited in the range.
  change: withSync({ scopes: {}, windows: ['month'], lookbackDays: 60 }),
} as const;

/** A cache that does not look at X-Project-Id: the first project's answer is everybody's. */
function ignoreProject(nights: Nights, path: string): void {
  const { projectId, rig } = nights;
  nights.answer(path, (request) =>
    request.projectId === undefined || request.projectId === projectId
      ? undefined
      : rig.simulator.answer(request.path, request.query, { ...request, projectId }),
  );
}

it.each([
  { endpoint: 'visibility', path: '/v1/visibility-time-series' },
  { endpoint: 'response_sentiment', path: '/responses/sentiment-time-series' },
  { endpoint: 'domain_citations', path: '/citations/domains-over-time' },
  { endpoint: 'response_summary', path: '/responses/summary' },
  { endpoint: 'llm_sources', path: '/citations/llm-sources' },
] as const)(
  'one answer of $endpoint to two projects is filed under neither, and the message names X-Project-Id',
  async ({ endpoint, path }) => {
    await using nights = await openNights(DEMO);
    const [one, two, other] = nights.rig.simulator.world.projects.map(({ id }) => id);
    const request = { endpoints: [endpoint], projects: [one ?? '', two ?? '', other ?? ''] };
    ignoreProject(nights, path);
    const first = await nights.night('2026-07-14', request);
    expect(first).toMatchObject({ exit_code: 3 });
    expect(await nights.rows(`select * from core.${endpoint}`)).toEqual([]);
    for (const { class: found, message } of first.failures) {
      expect(found).toBe('contract');
      expect(message).toMatch(/x-project-id/i);
    }
    await expectHealed(nights, { days: ['2026-07-15', '2026-07-16'], tables: [endpoint], request });
  },
);
