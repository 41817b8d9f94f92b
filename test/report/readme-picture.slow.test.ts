import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { buildReport } from '../../src/report/build-report.ts';
import { cli } from '../cli/run.ts';
import { openFolder } from '../support/folder.ts';
import { madeOnce } from '../support/made-once.ts';
import { NO_BROWSER, openBrowser, openPage } from './browser.ts';

const PICTURE = 'docs/images/report.png';
const SIZE = { width: 1280, height: 1140 };

/** Width and height from the head of a PNG. */
function sizeOf(png: Buffer): typeof SIZE {
  expect(png.subarray(1, 4).toString()).toBe('PNG');
  return { width: png.readUInt32BE(16), height: png.readUInt32BE(20) };
}

it.skipIf(NO_BROWSER !== null)(
  'the picture of the README has size and extent of the report of the demo',
  async () => {
    const folder = await madeOnce('demo of a year', async (directory) => {
      const argv = ['demo', '--directory', directory, '--today', '2025-06-30', '--quiet'];
      expect((await cli(argv)).code).toBe(0);
    });
    const path = join(folder, 'data', 'answers.duckdb');
    const file = join(openFolder(), 'report.html');
    writeFileSync(file, await buildReport({ path, now: Date.parse('2025-06-30T06:00:00Z') }));
    const browser = await openBrowser();
    const { page, complaints } = await openPage(browser, file, { width: SIZE.width });
    await page.getByRole('link', { name: 'Kestrel Analytics' }).first().click();
    await page.locator('#tooltip').waitFor({ state: 'hidden' });
    const drawn = await page.screenshot({ fullPage: true, clip: { x: 0, y: 0, ...SIZE } });
    await browser.close();
    expect(complaints).toEqual([]);
    // Faces differ between machines, so that bytes do.
    if (process.env['ANSWERLAKE_WRITE_PAGE'] === '1') writeFileSync(PICTURE, drawn);
    const kept = readFileSync(PICTURE);
    expect([sizeOf(drawn), sizeOf(kept)]).toEqual([SIZE, SIZE]);
    expect(kept.length).toBeLessThan(300_000);
    expect(Math.abs(kept.length / drawn.length - 1)).toBeLessThan(0.3);
  },
);
