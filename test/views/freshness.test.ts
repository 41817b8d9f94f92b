import { expect, it } from 'vitest';
import { openWorld, slice } from './world.ts';

// These worlds are months old, and another test says what is stale.
const AGELESS = [{ name: 'max_age_hours:none', value: '36' }];
/** An answer without days. */
const LIST = { grain: null, window_start: null, window_end: null };

it('sync_freshness judges each endpoint by the run that asked last', async () => {
  await using world = await openWorld('2025-06-05');
  await world.insert('meta.settings', AGELESS);
  const asked = ['sentiment', 'visibility', 'share_of_voice', 'events', 'crawler_requests'];
  await world.insert('meta.expected_series', [
    ...asked.map((endpoint) => ({ endpoint, grain: 'day', start_date: '2025-06-01' })),
    // A look-up that nothing has needed.
    { endpoint: 'prompt', scope: 'prompt', grain: null, start_date: null },
  ]);
  const failed = { status: 'failed', error_message: 'HTTP 500', run_id: 'run-2' };
  await world.insert('meta.slices', [
    slice('visibility', '2025-06-01..2025-06-04'),
    slice('share_of_voice', '2025-06-01..2025-06-02'),
    slice('events', '2025-06-01..2025-06-03'),
    slice('events', '2025-06-01..2025-06-05', failed),
    slice('crawler_requests', '2025-06-01..2025-06-04', { status: 'not_enabled' }),
    slice('visitor_visits', '2025-06-01..2025-06-04'),
    slice('models', '2025-06-05..2025-06-05', { ...LIST, project_id: '', scope_id: '' }),
  ]);
  await world.gives(
    'select project_id, endpoint, status, last_covered_date, lag_days, last_error from main.sync_freshness order by endpoint',
    [
      ['p', 'crawler_requests', 'not_enabled', '2025-06-04', 1, null],
      ['p', 'events', 'failed', '2025-06-03', 2, 'HTTP 500'],
      [null, 'models', 'current', null, null, null],
      ['p', 'sentiment', 'never_asked', null, null, null],
      ['p', 'share_of_voice', 'behind', '2025-06-02', 3, null],
      ['p', 'visibility', 'current', '2025-06-04', 1, null],
      ['p', 'visitor_visits', 'no_longer_asked_for', '2025-06-04', 1, null],
    ],
  );
});

it('sync_freshness calls an endpoint partial whose answer came incomplete, and says why', async () => {
  await using world = await openWorld('2025-06-05');
  await world.insert('meta.settings', AGELESS);
  const lost = { status: 'truncated', error_class: 'contract', error_message: '100 of 230 came' };
  await world.insert('meta.slices', [
    slice('prompts', '2025-06-05..2025-06-05', { ...LIST, ...lost }),
    slice('visibility', '2025-06-01..2025-06-03', { run_id: 'run-0', fetched_at: '2025-06-04T06:00:00Z' }),
    slice('visibility', '2025-06-02..2025-06-05', lost),
    // The first fifty of a longer list are whole: no more were asked for.
    slice('domain_citations', '2025-06-01..2025-06-05', { status: 'truncated' }),
  ]);
  await world.gives(
    `select endpoint, status, cast(last_success_at as varchar), last_covered_date, slices_done_count, last_error
         from main.sync_freshness order by endpoint`,
    [
      ['domain_citations', 'current', '2025-06-05 06:00:00', '2025-06-05', 1, null],
      ['prompts', 'partial', null, null, 0, '100 of 230 came'],
      ['visibility', 'partial', '2025-06-04 06:00:00', '2025-06-03', 0, '100 of 230 came'],
    ],
  );
});

it('sync_freshness is stale by the clock of the reader, for what is asked regularly and not for what is not', async () => {
  await using world = await openWorld('2025-06-05');
  await world.insert('meta.settings', [
    { name: 'max_age_hours:visibility', value: '36' },
    { name: 'max_age_hours:sentiment', value: '36' },
    { name: 'max_age_hours:sentiment:p', value: '1e9' },
  ]);
  await world.insert('meta.slices', [
    slice('visibility', '2025-06-01..2025-06-04'),
    slice('sentiment', '2025-06-01..2025-06-04'),
    slice('prompts', '2025-06-01..2025-06-04'),
  ]);
  await world.gives(
    'select endpoint, status, is_stale, max_age_hours from main.sync_freshness order by endpoint',
    [
      ['prompts', 'current', null, null],
      ['sentiment', 'current', false, 1e9],
      ['visibility', 'stale', true, 36],
    ],
  );
  // The zone of the session changes no age.
  const hours = async (zone: string): Promise<number> => {
    await world.run(`set timezone = '${zone}'`);
    const [row] = await world.rows("select age_hours from main.sync_freshness where endpoint = 'visibility'");
    return Number(row?.['age_hours']);
  };
  const [east, west] = [await hours('Pacific/Kiritimati'), await hours('America/Los_Angeles')];
  expect(Math.abs(east - west)).toBeLessThan(1);
});

it('what a plan is known to lack does not go stale, and what may come back does', async () => {
  await using world = await openWorld('2025-06-05');
  const [refused, loud] = ['visibility', 'sentiment'];
  const since = { grain: 'day', first_on: '2025-06-01', days: 3, last_on: '2025-06-04', message: '403' };
  const missed = [refused, loud].map((name) => slice(name, '2025-06-01..2025-06-01'));
  await world.insert('meta.slices', missed);
  await world.insert(
    'meta.alarms',
    [refused, loud].map((endpoint) => ({
      endpoint,
      project_id: 'p',
      scope: 'project',
      scope_id: 'p',
      reason: 'refused',
      ...since,
      known_since: endpoint === refused ? '2025-06-04' : null,
    })),
  );
  await world.gives('select endpoint, is_stale from main.sync_freshness order by endpoint', [
    ['sentiment', true],
    ['visibility', null],
  ]);
});
