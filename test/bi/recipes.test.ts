import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openRig, type Rig } from '../flow/rig.ts';
import { VIEW_KEYS } from '../../scripts/integrations/view-keys.ts';

const FOLDER = fileURLToPath(new URL('../../docs/bi/', import.meta.url));
const PAGES = readdirSync(FOLDER).map((name) => ({ name, text: readFileSync(join(FOLDER, name), 'utf8') }));
const RECIPES = PAGES.filter(({ name }) => name !== 'README.md');

let rig: Rig;
beforeAll(async () => {
  rig = await openRig({ world: 'small', today: '2026-07-14', startDate: '2026-06-20' });
  await rig.sync();
});
afterAll(async () => {
  await rig[Symbol.asyncDispose]();
});

it('the recipes are all in the table of contents', () => {
  const contents = PAGES.find(({ name }) => name === 'README.md')?.text ?? '';
  expect(RECIPES).toHaveLength(13);
  expect(RECIPES.filter(({ name }) => !contents.includes(`(${name})`))).toEqual([]);
});

it.each(RECIPES)(
  '$name says what it needs, how to open read-only, how new data appears, what goes wrong',
  ({ text }) => {
    expect(text).toMatch(/\*\*Needs\*\*/);
    expect(text).toMatch(/^## .*read-only$/m);
    expect(text).toMatch(/^## New data$/m);
    expect(text).toMatch(/^## What goes wrong$/m);
  },
);

it.each(PAGES)('$name shows SQL that runs, on views that exist', async ({ text }) => {
  for (const [, sql = ''] of text.matchAll(/```sql\n([^`]*)```/g)) {
    for (const statement of sql.split(';').filter((part) => part.trim() !== '')) {
      await expect(rig.rows(statement)).resolves.toBeInstanceOf(Array);
    }
  }
  const named = [...text.matchAll(/\bmain\.([a-z_]+)/g)].map(([, view = '']) => view);
  expect(named.filter((view) => !(view in VIEW_KEYS))).toEqual([]);
});
