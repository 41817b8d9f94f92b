import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Config } from '../../src/config/config.ts';
import { loadConfig } from '../../src/config/file.ts';
import { toDay, type Grain } from '../../src/day.ts';
import { endpointNamed } from '../../src/endpoints/catalogue.ts';
import { endpointPlan, selectRun } from '../../src/plan/selection.ts';
import { syncRequest } from '../../src/run/sync-request.ts';
import { openFolder } from '../support/folder.ts';

const NEWEST = toDay('2025-03-05');

function config(): Config {
  const path = join(openFolder(), 'answerlake.yaml');
  writeFileSync(
    path,
    `version: 1
api: { base_url: 'http://127.0.0.1:9' }
accounts: [{ name: acme, api_key: env:ACME_KEY }]
sync: { start_date: 2025-03-01 }
`,
  );
  return loadConfig({ path, env: { ACME_KEY: 'a-key' } });
}

function select(days: { from?: string; to?: string; today?: string }) {
  const named = Object.entries(days).map(([name, day]) => [name, toDay(day)]);
  return selectRun(config(), syncRequest(Object.fromEntries(named)), NEWEST);
}

it('the days of a run go from the configured first day to today, or as the flags say', () => {
  expect(select({}).range).toEqual({ start: '2025-03-01', end: '2025-03-05' });
  expect(select({ from: '2025-02-01', today: '2025-03-04' }).range).toEqual({
    start: '2025-02-01',
    end: '2025-03-04',
  });
});

it.each([
  [
    { from: '2025-03-03', to: '2025-03-01' },
    '--from 2025-03-03 is after --to 2025-03-01. Swap the two days.',
  ],
  [{ from: '2025-03-06' }, '--from 2025-03-06 is after today (UTC). Choose an earlier first day.'],
  [{ from: '2025-03-01', to: '2025-03-06' }, '--to 2025-03-06 is after today (UTC). Choose that day'],
  [{ today: '2025-02-01' }, 'sync.start_date 2025-03-01 is after --today 2025-02-01.'],
  [{ today: '2025-03-06' }, '--today 2025-03-06 is in the future'],
])('the days of a run refuse %j', (days, message) => {
  expect(() => select(days)).toThrow(message);
});

it('an endpoint that knows none of the wanted periods is asked for those that it has', () => {
  const usual = config();
  const plan = (name: string, grains: readonly Grain[], own?: readonly Grain[]): readonly Grain[] => {
    const endpoints = own === undefined ? {} : { [name]: { grains: [...own] } };
    const changed = { ...usual, sync: { ...usual.sync, grains: [...grains], endpoints } };
    return endpointPlan(changed, endpointNamed(name)).grains;
  };
  expect(plan('response_sentiment', ['week', 'month'])).toEqual(['day']);
  expect(plan('crawler_requests', ['day', 'week'])).toEqual(['day']);
  expect(plan('visibility', ['week', 'month'])).toEqual(['week', 'month']);
  expect(plan('visibility', ['day'], ['week'])).toEqual(['week']);
});
