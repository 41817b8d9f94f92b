import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { buildReport } from '../../src/report/build-report.ts';
import { CHART_NAMES } from '../../src/report/cards.ts';
import { openRig, withSync } from '../flow/rig.ts';
import { NO_BROWSER, openBrowser, openPage, type View } from './browser.ts';
import { onPaper, pageTexts } from './pdf-pages.ts';
import { makeFolder } from '../support/folder.ts';

const suite = NO_BROWSER === null ? describe : describe.skip;

suite(`the page in Chromium${NO_BROWSER === null ? '' : `: ${NO_BROWSER}`}`, () => {
  let browser: Browser;
  let file: string;

  beforeAll(async () => {
    await using rig = await openRig({
      world: 'hostile',
      today: '2026-11-20',
      startDate: '2026-09-20',
      change: withSync({ scopes: {}, windows: ['last_28_days'] }),
    });
    await rig.sync();
    file = join(makeFolder(), 'report.html');
    const now = Date.parse('2026-11-20T06:00:00Z');
    writeFileSync(file, await buildReport({ path: rig.config.warehouse.path, now }));
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
    await page.locator('.ranges label').nth(0).click();
    expect(await picture.innerHTML()).not.toBe(before);
    await picture.hover();
    expect(await page.locator('#tooltip').innerText()).toMatch(
      /^\d+ \w+ 2026( \(provisional\))?\s+Visibility score \d/,
    );
    await page.locator('#project-0-visibility summary').click();
    // The browser tells that the table was opened in a task of its own, after the click.
    const rows = page.locator('#project-0-visibility tbody tr');
    await rows.first().waitFor();
    expect(await rows.count()).toBe(7);
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

  test.each(['A4', 'Letter'] as const)(
    'on %s every page bears project and days, and each project begins on a page of its own',
    async (format) => {
      const { page } = await openPage(browser, `${file}#overview`, { width: 1440, colorScheme: 'dark' });
      await page.locator('.ranges label', { hasText: '28 days' }).click();
      await page.evaluate("dispatchEvent(new Event('beforeprint'))");
      const heads = await page.locator('.running').allTextContents();
      const plain = heads.map(onPaper);
      const pages = pageTexts(await page.pdf({ format }));
      const of = pages.map((text) => plain.findIndex((head) => text.includes(head)));
      expect(of).not.toContain(-1);
      expect(new Set(of).size).toBe(4);
      expect(of).toEqual(of.toSorted((x, y) => x - y));
      expect(pages.filter((text) => text.length < 200)).toEqual([]);
      expect(pages.length).toBeLessThanOrEqual(10);
    },
  );

  test('a project that is open is printed alone, and names the PDF with its days', async () => {
    const { page } = await openPage(browser, `${file}#project-1`, { width: 1440 });
    const name = (await page.locator('#project-1 h2').innerText()).trim();
    await page.locator('.ranges label', { hasText: '28 days' }).click();
    expect(await page.title()).toBe(`${name}, 23 Oct – 19 Nov 2026 · AI answer visibility`);
    const pages = pageTexts(await page.pdf({ format: 'A4' }));
    const head = onPaper(`${name}, 23 Oct – 19 Nov 2026`);
    expect(pages.filter((text) => !text.includes(head))).toEqual([]);
    await page.locator('.switch a').first().click();
    await expect.poll(() => page.title()).toMatch(/, .*, .* · AI answer visibility$/);
  });

  test('paper is light, shows wide charts at their width, and cuts no card', async () => {
    const { page } = await openPage(browser, file, { width: 1440, colorScheme: 'dark' });
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    await page.evaluate("dispatchEvent(new Event('beforeprint'))");
    const paper = await page.evaluate<unknown>(`({
      card: getComputedStyle(document.documentElement).getPropertyValue('--card'),
      width: document.querySelector('#project-0-visibility svg[role=img]').getAttribute('width'),
      shown: [...document.querySelectorAll('.project')].filter((one) => one.offsetParent !== null).length,
      cut: [...document.querySelectorAll('.card')].filter((one) => getComputedStyle(one).breakInside !== 'avoid').length,
      columns: getComputedStyle(document.querySelector('#project-0 .charts')).columnCount,
    })`);
    expect(paper).toEqual({ card: '#ffffff', width: '990', shown: 4, cut: 0, columns: '2' });
  });

  test('the chosen days rule headline, key figures, overview and charts', async () => {
    const { page } = await openPage(browser, file, { width: 1440 });
    for (const [choice, days] of [
      ['7 days', 7],
      ['28 days', 28],
    ] as const) {
      await page.locator('.switch a').first().click();
      await page.locator('.ranges label', { hasText: choice }).first().click();
      expect(await page.locator('#overview h2').innerText()).toBe(`All projects, last ${days} days`);
      await page.locator('.switch a').nth(1).click();
      const section = page.locator('#project-0');
      await expect
        .poll(() => section.locator('.headline').innerText())
        .toMatch(`${days} days to 19 Nov 2026`);
      expect(await section.locator('.lead').innerText()).toBe(`Key figures, ${days} days to 19 Nov 2026`);
      const shown = days === 7 ? '13 Nov – 19 Nov 2026' : '23 Oct – 19 Nov 2026';
      expect(await section.locator('#project-0-visibility .subtitle').innerText()).toContain(shown);
    }
  });

  test.each([375, 1440])('what is touched is at least 44 pixels high at a width of %i', async (width) => {
    const { page } = await openPage(browser, file, { width });
    for (const place of ['#overview', '#project-0']) {
      await page.locator(`.switch a[href="${place}"]`).click();
      const small = await page.evaluate<string[]>(`[...document.querySelectorAll('a, summary, label, input')]
        .filter((one) => one.offsetParent !== null && one.type !== 'radio')
        .filter((one) => one.getBoundingClientRect().height < 44).map((one) => one.outerHTML)`);
      expect(small).toEqual([]);
    }
  });

  test('a card is as high as its content', async () => {
    const { page } = await openPage(browser, `${file}#project-0`, { width: 1440 });
    const free = await page.evaluate<
      number[]
    >(`[...document.querySelectorAll('#project-0 .card')].map((card) =>
      card.getBoundingClientRect().bottom - Math.max(...[...card.children].map((one) => one.getBoundingClientRect().bottom)))`);
    expect(free.length).toBeGreaterThan(CHART_NAMES.length);
    expect(Math.max(...free)).toBeLessThan(20);
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
