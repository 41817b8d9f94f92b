import { expect, test } from 'vitest';
import { catalogue, endpointNamed } from '../../src/endpoints/catalogue.ts';
import { askedWith, askedWithByEndpoint, endDateOf, type AskedSettings } from '../../src/plan/selection.ts';

type OfEndpoint = AskedSettings['sync']['endpoints'][string];

const settings = (visibility: OfEndpoint | undefined, timezone = 'UTC'): AskedSettings => ({
  api: { endDate: 'inclusive' },
  sync: { timezone, endpoints: visibility === undefined ? {} : { visibility } },
});
const digest = (own: OfEndpoint | undefined, timezone?: string, endpoint = 'visibility'): string =>
  askedWith(settings(own, timezone), endpointNamed(endpoint));

test.each<[string, OfEndpoint]>([
  ['another path', { path: '/v3/visibility' }],
  ['a renamed parameter', { parameters: { range: 'step' } }],
  ['another end_date', { endDate: 'exclusive' }],
])('%s of an endpoint changes what its answers mean', (_title, own) => {
  expect(digest(own)).not.toBe(digest({}));
  expect(digest(own, 'UTC', 'sentiment')).toBe(digest({}, 'UTC', 'sentiment'));
});

test('settings that send the same requests have one digest of 16 characters', () => {
  expect(digest({})).toMatch(/^[0-9a-f]{16}$/);
  expect(digest(undefined)).toBe(digest({}));
  expect(
    digest({ path: endpointNamed('visibility').path, parameters: { range: 'range' }, endDate: 'inclusive' }),
  ).toBe(digest({}));
  const [one, other] = [
    { range: 'step', endDate: 'to' },
    { endDate: 'to', range: 'step' },
  ];
  expect(digest({ parameters: one })).toBe(digest({ parameters: other }));
});

test('the time zone counts where an endpoint is asked with it', () => {
  const changed = catalogue.filter(({ name }) => digest({}, 'UTC', name) !== digest({}, 'Asia/Tokyo', name));
  expect(changed).toEqual(catalogue.filter(({ hasTimezone }) => hasTimezone));
  expect(changed.length).toBeGreaterThan(0);
});

test('an endpoint has the end_date of its own or that of the API, and a digest by name', () => {
  const own = settings({ endDate: 'exclusive' });
  expect([endDateOf(own, 'visibility'), endDateOf(own, 'sentiment')]).toEqual(['exclusive', 'inclusive']);
  const all = askedWithByEndpoint(own);
  expect(all.get('visibility')).toBe(digest({ endDate: 'exclusive' }));
  expect(all.size).toBe(catalogue.length);
});
