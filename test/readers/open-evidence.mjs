// Opens the built pages of the Evidence project in Chromium: what they draw, and that they send requests to their own server only.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';

const [, , build] = process.argv;
const CHROMIUM = '/usr/bin/chromium';
const TYPES = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.wasm': 'application/wasm',
  '.svg': 'image/svg+xml',
};

if (!existsSync(CHROMIUM)) {
  console.log(`the pages of Evidence are built, and were not opened: there is no ${CHROMIUM}`);
  process.exit(0);
}

const server = createServer((request, response) => {
  let path = join(build, decodeURIComponent(new URL(request.url, 'http://127.0.0.1').pathname));
  try {
    if (statSync(path).isDirectory()) path = join(path, 'index.html');
    response.setHeader('content-type', TYPES[extname(path)] ?? 'application/octet-stream');
    response.end(readFileSync(path));
  } catch {
    response.writeHead(404).end();
  }
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const origin = `http://127.0.0.1:${server.address().port}`;

const { chromium } = await import('playwright-core');
const browser = await chromium.launch({
  executablePath: CHROMIUM,
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
});
const versions = JSON.parse(readFileSync(join(build, '..', 'package.json'), 'utf8')).dependencies;
const projects = readdirSync(join(build, 'projects'));
const pages = ['/', '/competitors/', `/projects/${projects[0]}/`];
const seen = [];
try {
  for (const path of pages) {
    const page = await browser.newPage();
    const errors = [];
    page.on('pageerror', (error) => errors.push(error.message));
    page.on('request', (request) => {
      if (/^https?:/.test(request.url()) && !request.url().startsWith(origin))
        errors.push(`asks ${request.url()}`);
    });
    await page.goto(origin + path);
    // A figure or a day is there once the page's own DuckDB has answered.
    await page
      .getByText(/^\s*(-?\d+\.\d|\d{4}-\d\d-\d\d)/)
      .filter({ visible: true })
      .first()
      .waitFor({ timeout: 60_000 });
    const text = await page.locator('body').innerText();
    const failed = /(?:Error in Query|Binder Error|Catalog Error).{0,300}/s.exec(text);
    if (failed !== null) errors.push(`a query failed: ${failed[0]}`);
    if (errors.length > 0) throw new Error(`${path}: ${errors.join('; ')}`);
    seen.push(path);
    await page.close();
  }
} finally {
  await browser.close();
  server.close();
}
console.log(
  `Evidence ${versions['@evidence-dev/evidence']}: ${projects.length} pages of projects; ${seen.join(', ')} draw in Chromium and send no other request; second publish seen`,
);
