import { expect, test } from 'vitest';
import type { ArchivedAnswer } from '../../src/slice.ts';
import { WarehouseFile } from '../support/warehouse-file.ts';
import { eventList, promptGroup, week } from './lists.ts';

/** Prompts of monitors, id and name. */
function events(...monitors: readonly (readonly [id: string, name: string])[]): ArchivedAnswer {
  const day = '2026-03-03';
  return eventList({ [day]: monitors.map(([id, name]) => promptGroup({ id, name }, day, `prompt-${id}`)) });
}

test('tables that are compared together each get what happened to their own rows', async () => {
  await using file = await WarehouseFile.open();
  const night = async (number: number, answers: readonly ArchivedAnswer[]): Promise<unknown[]> =>
    (await file.night(number, answers)).map(({ status, counts: { updated, held, deleted, unchanged } }) =>
      [status, updated, held, deleted, unchanged].join(' '),
    );
  const whole = [1, 2, 3, 4, 5, 6, 7];
  await night(1, [week(whole), week(whole, {}, 'sentiment'), events(['1', 'Beans'], ['2', 'Machines'])]);
  const next = [
    week([1, 2, 30, undefined, 5, 6, 7]),
    // Less than half of the days.
    week([1, 2], {}, 'sentiment'),
    // The event and its prompt are the same but for the monitor's name, which the monitor has too.
    events(['1', 'Coffee beans']),
  ];
  // Updated, held, deleted, unchanged.
  expect(await night(2, next)).toEqual(['loaded 1 1 0 5', 'suspicious 0 0 0 2', 'loaded 2 2 0 1']);
  expect(await night(3, next)).toEqual(['loaded 0 0 1 6', 'suspicious 0 0 0 2', 'loaded 0 0 2 3']);
});
