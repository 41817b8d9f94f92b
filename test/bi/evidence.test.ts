import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, it } from 'vitest';
import type { World } from '../views/world.ts';
import { openWorld } from '../views/world.ts';

const PROJECT = new URL('../../integrations/evidence/', import.meta.url);
// Without a day there is no page of a project, and nothing asks for these.
const MAY_BE_EMPTY = ['kpi_days', 'projects'];

/** Files below a folder of the Evidence project, by name. */
function filesOf(folder: string, ending: string): [string, string][] {
  const url = new URL(folder, PROJECT);
  return readdirSync(url, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending))
    .map((name) => [basename(name, ending), readFileSync(new URL(encodeURI(name), url), 'utf8')]);
}

it('sources of the Evidence project have a row before anything is stored: an empty one breaks pages', async () => {
  const sources = filesOf('sources/answerlake/', '.sql');
  expect(sources.length).toBeGreaterThan(5);
  await using world = await openWorld();
  for (const [name, sql] of sources) {
    const rows = await world.rows(sql);
    expect([name, rows.length > 0]).toEqual([name, !MAY_BE_EMPTY.includes(name)]);
  }
});

it('Evidence has a page of its own for each of two projects of one name and slug', async () => {
  await using world = await openWorld();
  for (const id of ['p1', 'p2']) {
    await world.insert('core.projects', [{ project_id: id, name: 'Shop', slug: 'shop' }]);
    await world.daily('core.visibility', ['2025-05-01', '2025-05-02'], () => ({
      project_id: id,
      scope_id: id,
    }));
  }
  const [, sql = ''] = filesOf('sources/answerlake/', '.sql').find(([name]) => name === 'projects') ?? [];
  expect(await world.rows(`select slug, project_label from (${sql})`)).toEqual([
    { slug: 'p1', project_label: 'Shop (p1)' },
    { slug: 'p2', project_label: 'Shop (p2)' },
  ]);
});

it('the page of a project whose slug would break its address or its queries is called by the id', async () => {
  await using world = await openWorld();
  const slugs = ["o'neil", 'a/b', 'a b', '', 'acme-de'];
  for (const [place, slug] of slugs.entries()) {
    const id = `p${place}`;
    await world.insert('core.projects', [{ project_id: id, name: id, slug }]);
    const row = { project_id: id, scope_id: id };
    await world.daily('core.visibility', ['2025-05-01', '2025-05-02'], () => row);
  }
  const [, sql = ''] = filesOf('sources/answerlake/', '.sql').find(([name]) => name === 'projects') ?? [];
  const rows = await world.rows(`select slug from (${sql}) order by project_id`);
  expect(rows.map(({ slug }) => slug)).toEqual(['p0', 'p1', 'p2', 'p3', 'acme-de']);
});

it('every query on a page of Evidence names columns that its sources have', async () => {
  await using world = await openWorld();
  await world.connection.run('create schema answerlake');
  for (const [name, sql] of filesOf('sources/answerlake/', '.sql'))
    await world.connection.run(`create view answerlake.${name} as ${sql}`);
  const failures: string[] = [];
  for (const [page, text] of filesOf('pages/', '.md'))
    failures.push(...(await failuresOf(page, text, world)));
  expect(failures).toEqual([]);
});

/** What fails of the queries of a page; a query sees the ones above it by `${name}`. */
async function failuresOf(page: string, text: string, { connection }: World): Promise<string[]> {
  const failures: string[] = [];
  const earlier = new Map<string, string>();
  for (const [, name = '', sql = ''] of text.matchAll(/^```sql (\w+)\n(.*?)^```/gms)) {
    const whole = sql.replaceAll(/\$\{([\w.]+)\}/g, (_, key: string) => {
      const query = earlier.get(key);
      return query === undefined ? 'x' : `(${query})`;
    });
    earlier.set(name, whole);
    await connection.rows(whole).catch((error: unknown) => {
      failures.push(`${page}, ${name}: ${String(error)}`);
    });
  }
  if (earlier.size === 0) failures.push(`${page}: no query`);
  return failures;
}
