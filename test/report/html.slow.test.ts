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

  beforeAll(async () => {
    world = await publishWorld('hostile', '2026-09-20');
    html = await buildReport({ path: world.path, now: NOW });
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
