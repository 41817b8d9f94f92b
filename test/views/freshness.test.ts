import { expect, it } from 'vitest';
import { configure, openWorld, slice } from './world.ts';

it('sync_freshness judges each endpoint by the run that asked last', async () => {
  await using world = await openWorld();
  await configure(world, '2025-06-05');
  await world.insert('meta.expected_series', [
    { endpoint: 'sentiment', grain: 'day', start_date: '2025-06-01' },
  ]);
  const failed = { status: 'failed', covered_end: null, error_message: 'HTTP 500', run_id: 'run-2' };
  await world.insert('meta.slices', [
    slice('visibility', '2025-06-01..2025-06-04'),
    slice('share_of_voice', '2025-06-01..2025-06-02'),
    slice('events', '2025-06-01..2025-06-03'),
    slice('events', '2025-06-01..2025-06-05', failed),
    slice('crawler_requests', '2025-06-01..2025-06-04', { status: 'not_enabled' }),
    slice('models', '2025-06-05..2025-06-05', {
      project_id: '',
      scope_id: '',
      grain: null,
      window_start: null,
      window_end: null,
      covered_end: null,
    }),
  ]);
  expect(
    await world.rows(
      'select project_id, endpoint, status, last_covered_date as last, lag_days as lag, last_error from sync_freshness order by endpoint',
    ),
  ).toEqual([
    {
      project_id: 'p',
      endpoint: 'crawler_requests',
      status: 'not_enabled',
      last: '2025-06-04',
      lag: 1,
      last_error: null,
    },
    {
      project_id: 'p',
      endpoint: 'events',
      status: 'failed',
      last: '2025-06-03',
      lag: 2,
      last_error: 'HTTP 500',
    },
    { project_id: null, endpoint: 'models', status: 'current', last: null, lag: null, last_error: null },
    {
      project_id: 'p',
      endpoint: 'sentiment',
      status: 'never_asked',
      last: null,
      lag: null,
      last_error: null,
    },
    {
      project_id: 'p',
      endpoint: 'share_of_voice',
      status: 'behind',
      last: '2025-06-02',
      lag: 3,
      last_error: null,
    },
    {
      project_id: 'p',
      endpoint: 'visibility',
      status: 'current',
      last: '2025-06-04',
      lag: 1,
      last_error: null,
    },
  ]);
});

it('sync_freshness calls an endpoint partial whose answer came incomplete, and says why', async () => {
  await using world = await openWorld();
  await configure(world, '2025-06-05');
  const lost = { status: 'truncated', error_class: 'contract', error_message: '100 of 230 came' };
  await world.insert('meta.slices', [
    slice('prompts', '2025-06-05..2025-06-05', {
      grain: null,
      window_start: null,
      covered_end: null,
      ...lost,
    }),
    slice('visibility', '2025-06-01..2025-06-03', { run_id: 'run-0', fetched_at: '2025-06-04T06:00:00Z' }),
    slice('visibility', '2025-06-02..2025-06-05', lost),
    // The first fifty of a longer list are whole: no more were asked for.
    slice('domain_citations', '2025-06-01..2025-06-05', { status: 'truncated' }),
  ]);
  expect(
    await world.rows(
      `select endpoint, status, cast(last_success_at as varchar) as success, last_covered_date as last, slices_done_count as done, last_error
         from sync_freshness order by endpoint`,
    ),
  ).toEqual([
    {
      endpoint: 'domain_citations',
      status: 'current',
      success: '2025-06-05 06:00:00',
      last: '2025-06-05',
      done: 1,
      last_error: null,
    },
    {
      endpoint: 'prompts',
      status: 'partial',
      success: null,
      last: null,
      done: 0,
      last_error: '100 of 230 came',
    },
    {
      endpoint: 'visibility',
      status: 'partial',
      success: '2025-06-04 06:00:00',
      last: '2025-06-03',
      done: 0,
      last_error: '100 of 230 came',
    },
  ]);
});
