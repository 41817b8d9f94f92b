import { expect, it } from 'vitest';
import { addDays, toDay } from '../../src/day.ts';
import { droppedFilters, noteRefusedFilters } from '../../src/run/dropped.ts';
import type { Scope } from '../../src/slice.ts';
import { WarehouseFile } from '../support/warehouse-file.ts';

const FIRST_NIGHT = toDay('2026-07-14');
const filter = {
  endpoint: 'visibility',
  projectId: 'shop',
  grain: null,
  scope: 'model',
  scopeId: 'm',
} as const;

/** The status of the answer to each filter in a run. */
type Said = Partial<Record<Scope, number>>;

let runs = 0;

/** A run; returns whether it answered a filter that an earlier one refused. */
async function night(file: WarehouseFile, number: number, said: Said): Promise<boolean> {
  runs += 1;
  for (const [scope, status] of Object.entries(said))
    await file.connection.run(
      `insert into meta.slices (endpoint, project_id, scope, scope_id, status, http_status, run_id, fetched_at)
       values ('visibility', 'shop', $1, $2, $3, $4, $5, now())`,
      [
        scope,
        scope === 'project' ? 'shop' : 'm',
        status === 200 ? 'loaded' : 'failed',
        status,
        `run-${runs}`,
      ],
    );
  return await noteRefusedFilters(file.connection, {
    runId: `run-${runs}`,
    syncDay: addDays(FIRST_NIGHT, number),
  });
}

async function isDropped(file: WarehouseFile, number: number): Promise<boolean> {
  return (await droppedFilters(file.connection, addDays(FIRST_NIGHT, number)))(filter);
}

it('a filter that is refused on three nights, however often, is dropped from the next one on', async () => {
  await using file = await WarehouseFile.open();
  for (const number of [0, 0, 0, 1]) await night(file, number, { project: 200, model: 404 });
  expect(await isDropped(file, 2)).toBe(false);
  await night(file, 2, { project: 200, model: 400 });
  expect(await isDropped(file, 2)).toBe(false);
  expect(await isDropped(file, 3)).toBe(true);
  expect((await droppedFilters(file.connection, addDays(FIRST_NIGHT, 3)))({ ...filter, scopeId: 'n' })).toBe(
    false,
  );
});

it('no night counts on which the server fails, answers the filter, or refuses the project too', async () => {
  await using file = await WarehouseFile.open();
  const notRefused: Said[] = [{ model: 500 }, { project: 404, model: 404 }, { project: 404 }];
  for (const said of notRefused) expect(await night(file, 0, said)).toBe(false);
  expect(await file.rows('from meta.refused_filters')).toEqual([]);
  await night(file, 0, { project: 200, model: 404 });
  expect(await night(file, 1, { project: 200 })).toBe(false);
  expect(await night(file, 2, { project: 200, model: 200 })).toBe(true);
  expect(await file.rows('from meta.refused_filters')).toEqual([]);
});

it('a dropped filter is tried again when a list names it again', async () => {
  await using file = await WarehouseFile.open();
  for (const number of [0, 1, 2]) await night(file, number, { project: 200, model: 404 });
  expect(await isDropped(file, 3)).toBe(true);
  await file.connection.run(
    "insert into core.models (model_id, deprecated, _run_id, _changed_at) values ('m', false, 'run-1', now())",
  );
  expect(await isDropped(file, 4)).toBe(false);
});
