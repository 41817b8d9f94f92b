import { expect, it } from 'vitest';
import { quotasOf } from '../../src/run/quotas.ts';

const HERE = 'https://here.example';
const SEEN = {
  base_url: HERE,
  organization_id: 'known',
  quota_limit: 100,
  quota_remaining: 7,
  quota_reset_at: '2026-07-14T04:00:00.000Z',
  seen_at: '2026-07-14T03:00:00.000Z',
};

it('remembered quotas are those of the asked origin whose remaining requests and reset are known', () => {
  const others = [
    { ...SEEN, organization_id: 'elsewhere', base_url: 'https://there.example' },
    { ...SEEN, organization_id: 'without-remaining', quota_remaining: null },
    { ...SEEN, organization_id: 'without-reset', quota_reset_at: null },
  ];
  const known = { limit: 100, remaining: 7, resetAt: Date.parse(SEEN.quota_reset_at) };
  expect([...quotasOf([SEEN, ...others], HERE)]).toEqual([['known', known]]);
});
