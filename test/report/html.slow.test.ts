import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../support/folder.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { buildReport, reportPage } from '../../src/report/build-report.ts';
import { CHART_NAMES } from '../../src/report/chart.ts';
import { NOW, publishWorld, type Published } from './published.ts';

describe('the page of the hostile world', () => {
  let world: Published;
  let html: string;
  let one: string;

  beforeAll(async () => {
    world = await publishWorld('hostile', '2026-09-20');
    html = await buildReport({ path: world.path, now: NOW });
    one = await buildReport({ path: world.path, now: NOW, projectId: 'hostile:project/1' });
  });

  test('the page of the hostile world holds every chart of every project, in seconds, the same each time', async () => {
    const start = performance.now();
    const again = await buildReport({ path: world.path, now: NOW });
    expect(performance.now() - start).toBeLessThan(15_000);
    expect(again).toBe(html);
    for (const index of [0, 1, 2]) {
      for (const name of CHART_NAMES) expect(html).toContain(`id="project-${index}-${name}"`);
    }
  });

  test('the script of the page leaves out zod, which would be most of it', () => {
    const [, script = ''] = /<script>(.*?)<\/script>/s.exec(html) ?? [];
    expect(script).toContain('addEventListener');
    expect(script).not.toMatch(/zod/i);
  });

  test('the page of the hostile world has unique ids', () => {
    const ids = [...html.matchAll(/ id="([^"]*)"/g)].map((match) => match[1]);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('the page of the hostile world says no data where nothing is enabled, and never zero', () => {
    const empty = html.slice(html.indexOf('Empty project</bdi></h2>'));
    const section = empty.includes('<h2') ? empty.slice(0, empty.indexOf('<h2')) : empty;
    expect(section).toContain('Not enabled for this project.');
    expect(section.match(/<strong>No data\.<\/strong>/g)?.length).toBe(CHART_NAMES.length);
    expect(section.match(/class="none">no data/g)?.length).toBe(7);
  });

  test('the page of the hostile world shows one project when asked', () => {
    expect(one).toContain('id="project-0"');
    expect(one).not.toContain('id="project-1"');
    expect(one).not.toContain('class="switch"');
    expect(Buffer.byteLength(one)).toBeLessThan(300_000);
  });

  test('the page of the hostile world warns when the newest day is old', async () => {
    const now = NOW + 9 * 86_400_000;
    const later = await buildReport({ path: world.path, now, projectId: 'hostile:project/1' });
    expect(later).toContain('The newest day is 10 days before this page was written');
    expect(html).not.toContain('The newest day is');
  });
});

test('a project without figures gives a page that says so', async () => {
  const { path } = await publishWorld('empty', '2026-11-01');
  const html = await buildReport({ path, now: NOW, days: 14 });
  expect(html).toContain('No data.');
  expect(html).toContain('<title>Empty project · AI answer visibility</title>');
});

test('a file without a project gives a page that says so', async () => {
  expect(reportPage([], { now: NOW, days: 90 })).toContain('<strong>No project yet.</strong>');
});

test('the page has the title and the logo of the configuration, and a logo of another kind is refused', async () => {
  const { path } = await publishWorld('empty', '2026-11-01');
  const logo = join(makeFolder(), 'logo.svg');
  writeFileSync(logo, '<svg/>');
  const html = await buildReport({ path, now: NOW, title: 'Acme & Co', logo });
  expect(html).toContain('<h1>Acme &amp; Co</h1>');
  expect(html).toContain('src="data:image/svg+xml;base64,PHN2Zy8+"');
  await expect(buildReport({ path, now: NOW, logo: 'logo.gif' })).rejects.toMatchObject({
    class: 'configuration',
  });
});
