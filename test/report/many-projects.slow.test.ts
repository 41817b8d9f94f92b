import { tables } from '../support/tables.ts';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { pageOf } from '../../src/daemon/serve/report-page.ts';
import { publish } from '../../src/publish/publish.ts';
import { buildReport, buildReportFiles } from '../../src/report/build-report.ts';
import { openWorkingFile } from '../../src/warehouse/working-file.ts';
import { NO_BROWSER, openBrowser, openPage } from './browser.ts';
import { makeFolder } from '../support/folder.ts';

const NOW = Date.parse('2026-07-14T03:00:00Z');

/** A published file of projects that were never asked for a day. */
async function publishProjects(count: number): Promise<string> {
  const path = join(makeFolder(), 'answers.duckdb');
  const { database } = await openWorkingFile({ tables, publishedPath: path, now: NOW });
  const connection = await database.connect();
  await connection.run(
    `insert into core.projects select 'p&' || i, 'o', 'Project ' || i, 'p' || i % 6, 'run', timestamp '2026-07-14' from range(${count}) r(i)`,
  );
  await connection.run(
    `insert into meta.expected_series select 'visibility', 'p&' || i, 'project', 'p&' || i, 'day', date '2026-07-13' from range(${count}) r(i)`,
  );
  await publish({ connection, targetPath: path, now: NOW });
  database.close();
  return path;
}

it('of seven projects there is an overview that leads to a page of each', async () => {
  const path = await publishProjects(7);
  const overview = await buildReport({ path, now: NOW, pageOf });
  const links = [...overview.matchAll(/<a class="open" href="([^"]*)"><bdi>([^<]*)</g)];
  expect(links.map(([, address, name]) => [address, name])).toEqual(
    Array.from({ length: 7 }, (_, i) => [`?project=p%26${String(i)}`, `Project ${String(i)}`]),
  );
  expect(await buildReport({ path, now: NOW })).not.toMatch(/<a class="open" href="[^$]/);
  expect(await buildReport({ path, now: NOW, projectId: 'p&3', pageOf })).toContain('Project 3');
  await expect(buildReport({ path, now: NOW, projectId: 'P0' })).rejects.toThrow(/More than one.*p&0.*p&6/s);
  const names: (string | null)[] = [];
  for await (const { name, html } of buildReportFiles({ path, now: NOW }, 'report')) {
    names.push(name);
    expect(html.includes('<th scope="row">visibility</th>')).toBe(name !== null);
  }
  expect(names).toHaveLength(8);
  expect(new Set(names).size).toBe(8);
  expect(names.at(-1)).toBe(null);
});

it.skipIf(NO_BROWSER !== null)('ten projects can be searched, and nine need no search', async () => {
  const browser = await openBrowser();
  const pageWith = async (count: number) => {
    const file = join(makeFolder(), 'overview.html');
    writeFileSync(file, await buildReport({ path: await publishProjects(count), now: NOW, pageOf }));
    const { page, complaints } = await openPage(browser, file, { width: 375 });
    expect(complaints).toEqual([]);
    return page;
  };
  const page = await pageWith(10);
  const search = page.getByRole('searchbox');
  expect((await search.boundingBox())?.height).toBeGreaterThanOrEqual(44);
  await search.fill('PROJÉCT 3');
  expect(await page.locator('.board a:visible').allTextContents()).toEqual(['Project 3']);
  await search.fill('nowhere');
  expect(await page.getByText('No project has this in its name.').isVisible()).toBe(true);
  expect(await (await pageWith(9)).getByRole('searchbox').count()).toBe(0);
  await browser.close();
});
