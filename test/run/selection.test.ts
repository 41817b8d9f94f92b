import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { loadConfig } from '../../src/config/file.ts';
import { toDay } from '../../src/day.ts';
import { selectRun } from '../../src/run/selection.ts';
import { syncRequest } from '../../src/run/sync-request.ts';
import { openFolder } from '../support/folder.ts';

const NEWEST = toDay('2025-03-05');

function select(days: { from?: string; to?: string; today?: string }) {
  const path = join(openFolder(), 'answerlake.yaml');
  writeFileSync(
    path,
    `version: 1
api: { base_url: 'http://127.0.0.1:9' }
accounts: [{ name: acme, api_key: env:ACME_KEY }]
sync: { start_date: 2025-03-01 }
`,
  );
  const config = loadConfig({ path, env: { ACME_KEY: 'a-key' } });
  const named = Object.entries(days).map(([name, day]) => [name, toDay(day)]);
  return selectRun(config, syncRequest(Object.fromEntries(named)), NEWEST);
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
