import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { loadJobs as loadJobsOf, maxAgeHours, type Job } from '../../../src/daemon/schedule/jobs.ts';
import { CATALOGUE } from '../../support/catalogue.ts';
import { openFolder } from '../../support/folder.ts';
import { ConfigurationError } from '../../../src/config/yaml.ts';
import { table } from '../../support/table.ts';
import { loadConfig } from '../../../src/config/file.ts';
import { CONFIG } from '../../cli/published.ts';

const loadJobs = (directory: string): Job[] => loadJobsOf(directory, CATALOGUE);

function folder(files: Record<string, string>): string {
  const directory = join(openFolder(), 'jobs');
  mkdirSync(directory);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text);
  return directory;
}

function problemsOf(files: Record<string, string>) {
  const directory = folder(files);
  try {
    loadJobs(directory);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return error.problems.map(
      ({ file, line, path, message }) => `${file.slice(directory.length + 1)}:${line} ${path}: ${message}`,
    );
  }
  return [];
}

it('loadJobs fills in defaults and reads durations and names', () => {
  const jobs = loadJobs(
    folder({
      'a.yaml': "name: a\nschedule: '5 1 * * *'\n",
      'b.yml':
        "name: b\nschedule: '*/10 5 1 * * 1'\ntimezone: Europe/Berlin\nendpoints: [share-of-voice]\nprojects: ['12']\nlookback_days: 30\nmax_wait: 90m\ncatch_up: false\n",
      'notes.txt': 'not a job',
    }),
  );
  expect(jobs).toMatchObject(
    table(
      'name timezone endpoints projects lookbackDays maxWaitMs catchUp',
      ['a', 'UTC', null, null, null, 7_200_000, true],
      ['b', 'Europe/Berlin', ['share_of_voice'], ['12'], 30, 5_400_000, false],
    ),
  );
});

it('loadJobs names every problem of every file at once', () => {
  const problems = problemsOf({
    'a.yaml': "name: my job\nschedule: '61 * * * *'\nendpoints: [visibilty]\n",
    'b.yaml': "name: b\nschedul: '0 2 * * *'\nmax_wait: soon\n",
    'c.yaml': "name: c\nschedule: '0 0 30 2 *'\ntimezone: Mars\n",
    'd.yaml': "name: d\nschedule: '0 0 * * *'\n",
    'e.yaml': "name: d\nschedule: '0 0 * * * * *'\n",
    'f.yaml': "name: d\nschedule: '0 0 * * *'\n",
  });
  expect(problems).toEqual([
    expect.stringMatching(/^a\.yaml:1 name: must be letters/),
    expect.stringMatching(/^a\.yaml:2 schedule: is not a cron pattern/),
    'a.yaml:3 endpoints[0]: there is no endpoint visibilty; did you mean visibility?',
    expect.stringMatching(/^b\.yaml:1 schedule: is missing/),
    'b.yaml:2 schedul: unknown setting; did you mean schedule?',
    expect.stringMatching(/^b\.yaml:3 max_wait: is not a duration/),
    'c.yaml:2 schedule: never happens: choose a day that exists',
    expect.stringMatching(/^c\.yaml:3 timezone: is not a time zone/),
    expect.stringMatching(/^e\.yaml:2 schedule: is not a cron pattern/),
    expect.stringMatching(/^f\.yaml:1 name: the name d is already taken by .*d\.yaml/),
  ]);
});

it('loadJobs says what to do when there is no folder or no job', () => {
  const directory = folder({});
  expect(() => loadJobs(directory)).toThrow(/There is no job in .*answerlake init/);
  expect(() => loadJobs(join(directory, 'gone'))).toThrow(/There is no jobs folder .*answerlake init/);
});

it('loadJobs names a job file that cannot be read among the other problems', () => {
  const directory = folder({ 'a.yaml': "name: a\nschedule: '61 * * * *'\n" });
  mkdirSync(join(directory, 'b.yaml'));
  expect(() => loadJobs(directory)).toThrow(/2 problems[^]*a\.yaml:2:[^]*b\.yaml:1:1 cannot be read: EISDIR/);
});

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
  const names = ['visibility', 'visibility:p1', 'visibility:p2'];
  expect(names.map((name) => ages.get(name))).toEqual([252, 36, undefined]);
});

it('freshness.max_age outranks the jobs, and what is not asked regularly has no age', () => {
  const ages = maxAges([WEEKLY], 'freshness: { max_age: 90m }\n');
  const names = ['visibility', 'prompt', 'models'];
  expect(names.map((name) => ages.get(name))).toEqual([1.5, undefined, undefined]);
});
