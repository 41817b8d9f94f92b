import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import type * as reportPage from '../../../src/daemon/serve/report-page.ts';
import { cachedReport } from '../../../src/daemon/serve/report-page.ts';
import { writePublished } from '../../cli/published.ts';
import { openFolder } from '../../support/folder.ts';
import { makeFolder } from '../../support/folder.ts';

const NOON = Date.parse('2026-07-14T12:00:00Z');

function counted() {
  const path = join(makeFolder(), 'answers.duckdb');
  writeFileSync(path, 'first');
  const drawn: (string | undefined)[] = [];
  const page = cachedReport(path, ({ projectId }) => {
    drawn.push(projectId);
    return projectId === 'broken' ? Promise.reject(new Error('no')) : Promise.resolve(projectId ?? 'all');
  });
  return { path, drawn, page };
}

it('a report is drawn once for each project until the published file or the day is another', async () => {
  const { path, drawn, page } = counted();
  const ask = async (now: number) =>
    await Promise.all([undefined, 'p1', 'p1', undefined].map((projectId) => page({ now, projectId })));
  expect(await ask(NOON)).toEqual(['all', 'p1', 'p1', 'all']);
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
  const folder = openFolder();
  await writePublished(folder);
  const source = { path: join(folder, 'data', 'answers.duckdb'), title: 'Acme', logo: null };
  const built = resolve('dist/src/daemon/serve/report-page.js');
  const { drawApart }: typeof reportPage = await import(built);
  const now = Date.parse('2025-03-05T12:00:00Z');
  const html = await drawApart(source)({ now, projectId: undefined, maxAgeMs: 3_600_000 });
  expect(html).toContain('Stale: the newest answer is from 2025-03-05 02:17 UTC, 9 hours ago');
});
