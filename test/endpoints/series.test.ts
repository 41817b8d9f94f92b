import { expect, test } from 'vitest';
import { catalogue } from '../../src/endpoints/catalogue.ts';
import { listSlice } from '../../src/slice.ts';
import { days } from '../support/answers.ts';
import { fixtures } from '../support/fixtures.ts';
import { rowsOf } from './rows-of.ts';

test('share_of_voice drops the period that was only asked for as the previous one', () => {
  const changes = {
    slice: { window: days('2026-03-03', '2026-03-08') },
    asked: days('2026-03-02', '2026-03-08'),
  };
  const rows = fixtures.get('share_of_voice')?.rows['share_of_voice'];
  expect(rowsOf('share_of_voice', changes)).toEqual({ share_of_voice: rows?.slice(1) });
});

test('citation_rank_totals gives NULL when the overall rank is absent', () => {
  expect(rowsOf('citation_rank_totals', { bodies: [{ timeSeries: [] }] })).toEqual({
    citation_totals: [{ overall_average_rank: null }],
  });
});

test.each(catalogue.map((endpoint) => [endpoint.name, endpoint] as const))(
  '%s declares a time zone exactly when its requests carry one',
  (name, endpoint) => {
    const slice = listSlice({ endpoint: name, projectId: 'p', scope: 'project', scopeId: 'p' });
    const asked = days('2026-03-02', '2026-03-08');
    const sent = endpoint
      .params({ slice, asked, limit: null, timezone: 'UTC' })
      .map(([parameter]) => parameter);
    expect(endpoint.hasTimezone).toBe(sent.includes('timezone'));
  },
);
