import { expect, test } from 'vitest';
import type { LedgerEntry } from '../../src/load/ledger.ts';
import type { ArchivedAnswer } from '../../src/slice.ts';
import { answerOf } from '../support/answers.ts';
import { WarehouseFile } from '../support/warehouse-file.ts';
import { eventList, promptGroup } from './lists.ts';

/** A value for each day from the second of March on; null leaves a day out. */
function series(endpoint: 'visibility' | 'sentiment', values: readonly (number | null)[]): ArchivedAnswer {
  const body = values.flatMap((value, day) =>
    value === null ? [] : [{ date: `2026-03-0${String(2 + day)}`, value }],
  );
  return answerOf(endpoint, body);
}

function byEndpoint(entries: readonly LedgerEntry[]): Record<string, unknown> {
  return Object.fromEntries(
    entries.map(({ slice, status, counts: { updated, held, deleted, unchanged } }) => [
      slice.endpoint,
      { status, updated, held, deleted, unchanged },
    ]),
  );
}

/** Prompts of monitors, id and name. */
function events(...monitors: readonly (readonly [id: string, name: string])[]): ArchivedAnswer {
  const day = '2026-03-03';
  return eventList({ [day]: monitors.map(([id, name]) => promptGroup({ id, name }, day, `prompt-${id}`)) });
}

test('tables that are compared together each get what happened to their own rows', async () => {
  await using file = await WarehouseFile.open();
  await file.night(1, [
    series('visibility', [1, 2, 3, 4, 5, 6, 7]),
    series('sentiment', [1, 2, 3, 4, 5, 6, 7]),
    events(['1', 'Beans'], ['2', 'Machines']),
  ]);
  const next = [
    series('visibility', [1, 2, 30, null, 5, 6, 7]),
    // Less than half of the days.
    series('sentiment', [1, 2]),
    events(['1', 'Coffee beans']),
  ];
  const second = byEndpoint(await file.night(2, next));
  expect(second).toEqual({
    visibility: { status: 'loaded', updated: 1, held: 1, deleted: 0, unchanged: 5 },
    sentiment: { status: 'suspicious', updated: 0, held: 0, deleted: 0, unchanged: 2 },
    // The event and its prompt are the same but for the monitor's name, which the monitor has too.
    events: { status: 'loaded', updated: 2, held: 2, deleted: 0, unchanged: 1 },
  });
  expect(byEndpoint(await file.night(3, next))).toEqual({
    visibility: { status: 'loaded', updated: 0, held: 0, deleted: 1, unchanged: 6 },
    sentiment: { status: 'suspicious', updated: 0, held: 0, deleted: 0, unchanged: 2 },
    events: { status: 'loaded', updated: 0, held: 0, deleted: 2, unchanged: 3 },
  });
});
