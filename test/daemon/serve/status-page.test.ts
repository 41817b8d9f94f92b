import { expect, it } from 'vitest';
import { openState } from '../../../src/daemon/schedule/jobs.ts';
import type { PublishedFacts } from '../../../src/daemon/serve/published-facts.ts';
import { toDay } from '../../../src/day.ts';
import { statusPage } from '../../../src/daemon/serve/status-page.ts';
import { job } from '../jobs.ts';
import { FACTS, FRESHNESS, NOW } from './measured.ts';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type * as reportPage from '../../../src/daemon/serve/report-page.ts';
import { cachedReport } from '../../../src/daemon/serve/report-page.ts';
import { openPublished } from '../../cli/published.ts';
import { makeFolder } from '../../support/folder.ts';

const ONE = { ...FRESHNESS, projectId: 'p1' };

function facts(
  projectName: string,
  freshness: PublishedFacts['freshness'] = [{ ...ONE, projectName }],
): PublishedFacts {
  const day = toDay('2025-03-04');
  return { ...FACTS, freshness, events: [{ projectId: 'p1', projectName, day, title: 'Launch' }] };
}

const state = openState([job('nightly', '17 2 * * *')]);
const PARTS = { state, report: null, problem: null, nowMs: NOW };

it('the status page shows a name as text, whatever it is', () => {
  const name = `</main><script>alert(1)</script>$&"'`;
  const { body } = statusPage({ ...PARTS, facts: facts(name), problem: '<b>' });
  expect(body).not.toContain('<script>alert');
  expect(body).toContain('&lt;script&gt;alert(1)&lt;/script&gt;$&amp;&quot;&#39;');
  expect(body).toContain('<p class="warn" role="note"><strong>&lt;b&gt;</strong></p>');
});

it('the status page puts problems before charts and tables after them, whatever a page of the report holds', () => {
  const report = { before: '<main>', main: '<p>charts</p></main>$&', after: '</main>', policy: 'own' };
  const { body, policy } = statusPage({ ...PARTS, facts: facts('$&'), report });
  expect(body).toMatch(
    /^<main><section class="service" aria-label="Problems">[\s\S]*<\/section><p>charts<\/p><\/main>\$&<section class="service"[\s\S]*\$&amp;[\s\S]*<\/section><\/main>$/,
  );
  expect(policy).toBe("own; frame-ancestors 'none'");
});

it('the page of a project shows the freshness of that project and of shared lists, and a link back', () => {
  const bolt = { ...ONE, projectId: 'p2', projectName: 'Bolt' };
  const shared = { ...ONE, projectId: '', endpoint: 'models' };
  const parts = { ...PARTS, facts: facts('Acme', [ONE, bolt, shared]) };
  const { body } = statusPage({ ...parts, projectId: 'p1' });
  expect(body).toMatch(/<th scope="row">nightly<\/th><td>17 2 \* \* \* \(UTC\)<\/td><td>waiting<\/td>/);
  expect(body).toContain(
    '<th scope="row">Acme</th><td>visibility</td><td>behind</td><td>2025-03-02</td><td>3</td>',
  );
  expect(body).not.toContain('>Bolt<');
  expect(body).toContain('<th scope="row">(all)</th><td>models</td>');
  expect(body).toContain('<a class="open" href="./">All projects</a>');
  expect(statusPage(parts).body).not.toContain('href="./"');
});

it('the status page shows problems first and folds what is well', () => {
  const watched = openState([job('nightly', '17 2 * * *')]);
  Object.assign(watched.jobs[0] ?? {}, { lastExitCode: 4, lastEndMs: NOW });
  const good = { ...ONE, endpoint: 'sentiment', status: 'current' };
  const { body } = statusPage({ ...PARTS, state: watched, facts: facts('Acme', [good, ONE]) });
  expect(body).toMatch(
    /Problems<\/h2>.*nightly ended with 4.*visibility.*Jobs, .*Launch.*<details><summary>1 endpoint without.*sentiment/s,
  );
  expect(body).toMatch(
    /<th scope="col">Next run<\/th>.*<td>4<\/td><td><\/td><td>2025-03-06 02:17 UTC<\/td><\/tr>/s,
  );
  const calm = statusPage({ ...PARTS, facts: facts('Acme', [good]) });
  expect(calm.body).toContain('No problems');
});

it('the status page names the next run before the first, and a run that is under way', () => {
  const jobs = openState([job('weekly', '0 3 * * 1'), job('nightly', '17 2 * * *')]);
  const parts = { ...PARTS, state: jobs, facts: null, problem: 'nothing is published yet' };
  expect(statusPage(parts).body).toContain(
    'The next run is nightly, 2025-03-06 02:17 UTC. To run now: answerlake sync.',
  );
  expect(statusPage(parts).body).toMatch(/weekly.*2025-03-10 03:00 UTC/);
  Object.assign(jobs.jobs[0] ?? {}, { runningSinceMs: NOW });
  expect(statusPage(parts).body).toContain('weekly is running since 2025-03-05 12:00 UTC.');
});

const NOON = Date.parse('2026-07-14T12:00:00Z');

const PAGE = { before: '', main: '', after: '', policy: '' };

function counted() {
  const path = join(makeFolder(), 'answers.duckdb');
  writeFileSync(path, 'first');
  const drawn: (string | undefined)[] = [];
  const page = cachedReport(path, ({ projectId }) => {
    drawn.push(projectId);
    return projectId === 'broken'
      ? Promise.reject(new Error('no'))
      : Promise.resolve({ ...PAGE, main: projectId ?? 'all' });
  });
  return { path, drawn, page };
}

it('a report is drawn once for each project until the published file or the day is another', async () => {
  const { path, drawn, page } = counted();
  const ask = async (now: number) =>
    await Promise.all([undefined, 'p1', 'p1', undefined].map((projectId) => page({ now, projectId })));
  expect((await ask(NOON)).map(({ main }) => main)).toEqual(['all', 'p1', 'p1', 'all']);
  await ask(NOON + 60_000);
  expect(drawn).toEqual([undefined, 'p1']);
  await ask(NOON + 86_400_000);
  expect(drawn).toHaveLength(4);
  writeFileSync(path, 'another file');
  await ask(NOON + 86_400_000);
  expect(drawn).toHaveLength(6);
});

it('a report that could not be drawn is tried again by the next one who asks', async () => {
  const { drawn, page } = counted();
  const request = { now: NOON, projectId: 'broken' };
  await expect(page(request)).rejects.toThrow('no');
  await expect(page(request)).rejects.toThrow('no');
  expect(drawn).toEqual(['broken', 'broken']);
});

it('of many projects the pages that were drawn last are kept', async () => {
  const { drawn, page } = counted();
  for (let number = 0; number < 17; number += 1) await page({ now: NOON, projectId: `p${String(number)}` });
  await page({ now: NOON, projectId: 'p16' });
  await page({ now: NOON, projectId: 'p0' });
  expect(drawn).toHaveLength(18);
  expect(drawn.at(-1)).toBe('p0');
});

it('the report that a process of its own draws goes by freshness.max_age of the configuration', async () => {
  const source = { path: (await openPublished()).published, title: 'Acme', logo: null };
  const built = resolve('dist/src/daemon/serve/report-page.js');
  const { drawApart }: typeof reportPage = await import(built);
  const now = Date.parse('2025-03-05T12:00:00Z');
  const { main } = await drawApart(source)({ now, projectId: undefined, maxAgeMs: 3_600_000 });
  expect(main).toContain('Stale: the newest answer is from 2025-03-05 02:17 UTC, 9 hours ago');
});
