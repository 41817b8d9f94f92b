import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { loadConfig } from '../../../src/config/file.ts';
import { maxAgeHours } from '../../../src/daemon/schedule/jobs.ts';
import { CONFIG } from '../../cli/published.ts';
import { openFolder } from '../../support/folder.ts';

const NOW = Date.parse('2025-03-05T12:00:00Z');

function maxAges(jobs: readonly string[], settings = ''): Map<string, number> {
  const folder = openFolder();
  const path = join(folder, 'answerlake.yaml');
  writeFileSync(path, CONFIG + settings);
  mkdirSync(join(folder, 'jobs'));
  for (const [index, job] of jobs.entries())
    writeFileSync(join(folder, 'jobs', `${String(index)}.yaml`), `name: job-${String(index)}\n${job}\n`);
  return maxAgeHours(loadConfig({ path, env: { ACME_KEY: 'k' } }), NOW);
}

const NIGHTLY = "schedule: '17 2 * * *'";
const HOURLY_EVENTS = "schedule: '5 * * * *'\nendpoints: [events]";
const WEEKLY = "schedule: '0 4 * * 0'";

it.each([
  ['without jobs', [], [36, 36]],
  ['nightly, and events hourly', [NIGHTLY, HOURLY_EVENTS], [36, 36]],
  ['nightly with a weekly look back', [NIGHTLY, WEEKLY], [36, 36]],
  ['weekly, so that six days of seven are not stale', [WEEKLY], [252, 252]],
  ['weekly, and events hourly', [WEEKLY, HOURLY_EVENTS], [252, 36]],
  ['on weekdays', ["schedule: '0 2 * * 1-5'"], [108, 108]],
  ['by a job that cannot be read', ['schedule: never'], [36, 36]],
])('answers asked for %s are stale after the usual gap and a half', (_, jobs, hours) => {
  const ages = maxAges(jobs);
  expect([ages.get('visibility'), ages.get('events')]).toEqual(hours);
});

it('a project that is asked weekly has an age of its own beside one that is asked nightly', () => {
  const ages = maxAges([`${NIGHTLY}\nprojects: ['p1']`, WEEKLY]);
  expect([ages.get('visibility'), ages.get('visibility:p1'), ages.get('visibility:p2')]).toEqual([
    252,
    36,
    undefined,
  ]);
});

it('freshness.max_age outranks the jobs, and what is not asked regularly has no age', () => {
  const ages = maxAges([WEEKLY], 'freshness: { max_age: 90m }\n');
  expect([ages.get('visibility'), ages.get('prompt'), ages.get('models')]).toEqual([
    1.5,
    undefined,
    undefined,
  ]);
});
