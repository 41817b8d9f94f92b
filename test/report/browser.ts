import { existsSync } from 'node:fs';
import { chromium, type Browser, type Page } from 'playwright-core';

const CHROMIUM = '/usr/bin/chromium';

/** Why the tests in a browser cannot run here; null when they can. */
export const NO_BROWSER = existsSync(CHROMIUM)
  ? null
  : `${CHROMIUM} is missing (Debian: apt-get install chromium): the page is not tried in a browser`;

export async function openBrowser(): Promise<Browser> {
  return await chromium.launch({
    executablePath: CHROMIUM,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}

export interface View {
  width: number;
  colorScheme?: 'light' | 'dark';
  javaScriptEnabled?: boolean;
}

/** A page with what it complained of and asked for. */
export async function openPage(
  browser: Browser,
  file: string,
  view: View,
): Promise<{ page: Page; complaints: string[]; requests: string[] }> {
  const { width, ...rest } = view;
  const context = await browser.newContext({ viewport: { width, height: 900 }, ...rest });
  const page = await context.newPage();
  const complaints: string[] = [];
  const requests: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => requests.push(request.url()));
  await page.goto(`file://${file}`);
  return { page, complaints, requests };
}
