import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { buildReport } from '../../src/report/build-report.ts';
import { CHART_NAMES } from '../../src/report/chart.ts';
import { NO_BROWSER, openBrowser, openPage, type View } from './browser.ts';
import { NOW, publishHostileWorld } from './published.ts';

const suite = NO_BROWSER === null ? describe : describe.skip;

suite(`the page in Chromium${NO_BROWSER === null ? '' : `: ${NO_BROWSER}`}`, () => {
  let browser: Browser;
  let file: string;

  beforeAll(async () => {
    const { path, directory } = await publishHostileWorld();
    file = join(directory, 'report.html');
    writeFileSync(file, await buildReport({ path, now: NOW }));
    browser = await openBrowser();
  });
  afterEach(async () => {
    for (const context of browser.contexts()) await context.close();
  });
  afterAll(() => browser.close());

  const views: View[] = [
    { width: 375 },
    { width: 768 },
    { width: 1440 },
    { width: 375, colorScheme: 'dark' },
    { width: 1440, colorScheme: 'dark', javaScriptEnabled: false },
  ];

  test.each(views)(
    'the page in Chromium has marks in every chart, sends no request and fits: %o',
    async (view) => {
      const { page, complaints, requests } = await openPage(browser, file, view);
      const ground = await page.evaluate('getComputedStyle(document.body).backgroundColor');
      expect(ground).toBe(view.colorScheme === 'dark' ? 'rgb(18, 22, 28)' : 'rgb(244, 245, 247)');
      const links = await page.locator('.switch a').count();
      expect(links).toBe(4);
      let drawn = 0;
      for (let index = 0; index < links - 1; index += 1) {
        await page.locator(`.switch a[href="#project-${index}"]`).click();
        const section = page.locator(`#project-${index}`);
        expect(await section.isVisible()).toBe(true);
        expect(await page.locator('.project:visible').count()).toBe(1);
        for (const name of CHART_NAMES) {
          const card = section.locator(`[data-chart=${name}]`);
          if ((await card.locator('.empty').count()) === 1) continue;
          const picture = card.locator('svg[role=img]:visible');
          const seen = {
            name,
            pictures: await picture.count(),
            hasMarks: (await picture.locator('path, rect, text').count()) > 10,
          };
          expect(seen).toEqual({ name, pictures: 1, hasMarks: true });
          drawn += 1;
        }
        const overflow = await page.evaluate('document.documentElement.scrollWidth - window.innerWidth');
        expect(overflow).toBeLessThanOrEqual(0);
      }
      expect(drawn).toBeGreaterThan(CHART_NAMES.length + 8);
      expect(complaints).toEqual([]);
      expect(requests.filter((url) => !url.startsWith('data:'))).toEqual([`file://${file}`]);
    },
  );

  test.each([{ width: 375 }, { width: 768 }, { width: 1024 }, { width: 703, isPaper: true }])(
    'the page in Chromium shows every column of the overview: %o',
    async ({ width, isPaper = false }) => {
      const { page } = await openPage(browser, file, { width });
      if (isPaper) await page.emulateMedia({ media: 'print' });
      const seen = await page.evaluate<
        number[]
      >(`[document.documentElement, document.querySelector('.overview .card')]
        .map((element) => element.scrollWidth - element.clientWidth)`);
      expect(seen).toEqual([0, 0]);
    },
  );

  test('the page in Chromium pointing at a day shows its figures, in the range that was chosen', async () => {
    const { page } = await openPage(browser, `${file}#project-0`, { width: 1440 });
    const picture = page.locator('#project-0-visibility svg[role=img]');
    const before = await picture.innerHTML();
    await page.locator('.ranges label').nth(1).click();
    expect(await picture.innerHTML()).not.toBe(before);
    await picture.hover();
    expect(await page.locator('#tooltip').innerText()).toMatch(/^\d+ \w+ 2026\s+Visibility score \d/);
    await page.locator('#project-0-visibility summary').click();
    // The browser tells that the table was opened in a task of its own, after the click.
    const rows = page.locator('#project-0-visibility tbody tr');
    await rows.first().waitFor();
    expect(await rows.count()).toBe(28);
  });

  test.each([true, false])(
    'a project is opened from the overview by keyboard, scripts: %s',
    async (scripts) => {
      const { page } = await openPage(browser, file, { width: 1440, javaScriptEnabled: scripts });
      await page.locator('a.open').nth(1).focus();
      await page.keyboard.press('Enter');
      await page.locator('#project-1').waitFor();
      expect(await page.locator('#overview').isVisible()).toBe(false);
    },
  );

  test('the page in Chromium prints each project from a page of its own, light, with all charts, none cut', async () => {
    const { page } = await openPage(browser, `${file}#project-1`, { width: 1440, colorScheme: 'dark' });
    const bytes = await page.pdf({ preferCSSPageSize: true, format: 'A4' });
    const pages = bytes.toString('latin1').match(/\/Type \/Page\b/g)?.length ?? 0;
    expect(pages).toBeGreaterThanOrEqual(4);
    expect(pages).toBeLessThanOrEqual(10);
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    await page.evaluate("dispatchEvent(new Event('beforeprint'))");
    const paper = await page.evaluate<unknown>(`({
      card: getComputedStyle(document.documentElement).getPropertyValue('--card'),
      width: document.querySelector('#project-0-visibility svg[role=img]').getAttribute('width'),
      shown: [...document.querySelectorAll('.project')].filter((one) => one.offsetParent !== null).length,
      breaks: [...document.querySelectorAll('.project + .project')].map((one) => getComputedStyle(one).breakBefore),
      cut: [...document.querySelectorAll('.charts .card')].filter((one) => getComputedStyle(one).breakInside !== 'avoid').length,
      columns: getComputedStyle(document.querySelector('#project-0 .charts')).gridTemplateColumns.split(' ').length,
    })`);
    expect(paper).toEqual({
      card: '#ffffff',
      width: '990',
      shown: 4,
      breaks: ['page', 'page', 'page'],
      cut: 0,
      columns: 2,
    });
  });

  test('the page in Chromium charts have a role, a name, a description and a table', async () => {
    const { page } = await openPage(browser, `${file}#project-0`, { width: 1440 });
    const section = page.locator('#project-0');
    const charts = section.getByRole('img', { name: /\S/ }).filter({ has: page.locator('desc:not(:empty)') });
    const empty = await section.locator('[data-chart] .empty').count();
    expect(await charts.count()).toBe(CHART_NAMES.length - empty);
    for (const summary of await section.locator('[data-chart] details:not([hidden]) summary').all())
      await summary.click();
    await expect
      .poll(() => section.locator('[data-chart]').getByRole('table').count())
      .toBe(CHART_NAMES.length - empty);
  });
});
