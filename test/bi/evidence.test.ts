import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { inWorld } from '../views/world.ts';

const SOURCES = new URL('../../integrations/evidence/sources/answerlake/', import.meta.url);
// Without a day there is no page of a project, and nothing asks for these.
const MAY_BE_EMPTY = ['kpi_days', 'projects'];

it('sources of the Evidence project have a row before anything is stored: an empty one breaks pages', async () => {
  const names = readdirSync(SOURCES).filter((name) => name.endsWith('.sql'));
  expect(names.length).toBeGreaterThan(5);
  await inWorld(async (world) => {
    for (const name of names) {
      const rows = await world.rows(readFileSync(new URL(name, SOURCES), 'utf8'));
      expect([name, rows.length > 0]).toEqual([name, !MAY_BE_EMPTY.includes(name.replace('.sql', ''))]);
    }
  });
});
