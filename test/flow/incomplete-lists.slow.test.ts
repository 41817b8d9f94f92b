import { expect, it } from 'vitest';
import { toDay } from '../../src/day.ts';
import { openRig, type Rig } from './rig.ts';

interface EventList {
  events: { items: { type: string }[] }[];
}

/** The same part of the list on every page, and the truth about its length. */
function ignorePages(rig: Rig): void {
  rig.simulator.override('prompts', (_, answer) => {
    const body = answer.body as { prompts: unknown[] };
    return { ...answer, body: { ...body, prompts: body.prompts.slice(0, 20), totalPages: 2 } };
  });
  rig.simulator.override('events', (_, answer) => {
    const body = answer.body as EventList;
    const events = body.events.map((day) => ({
      ...day,
      items: day.items.filter(({ type }) => type !== 'action'),
    }));
    return { ...answer, body: { ...body, events, totalPages: 2 } };
  });
}

it('a part of the prompts and actions is truncated and owed, removes nothing, and makes the run partial', async () => {
  await using rig = await openRig({ world: 'demo', today: '2026-07-14', startDate: '2026-06-15' });
  const [project] = rig.simulator.world.projects;
  const request = { endpoints: ['prompts', 'events'], projects: [project?.id ?? ''] };
  const lists = async (): Promise<unknown> => ({
    prompts: await rig.workingRows('select prompt_id, removed_at from core.prompts order by all'),
    events: await rig.workingRows('select event_id, date from core.events order by all'),
  });
  const night = async (day: string): Promise<unknown> => {
    rig.simulator.setToday(toDay(day));
    const { exitCode: exit, totals } = await rig.pull(request);
    const slices = await rig.workingRows(
      `select endpoint, status, error_class as error, requests from meta.slices
       where sync_day = date '${day}' and endpoint in ('prompts', 'events') order by all`,
    );
    return { exit, deleted: totals.rows_deleted, slices };
  };
  await night('2026-07-14');
  const before = await lists();
  ignorePages(rig);
  // Two readings of two pages each: the second says the same as the first.
  expect(await night('2026-07-15')).toEqual({
    exit: 3,
    deleted: 0,
    slices: [
      { endpoint: 'events', status: 'truncated', error: 'contract', requests: 4 },
      { endpoint: 'prompts', status: 'truncated', error: 'contract', requests: 4 },
    ],
  });
  expect(await lists()).toEqual(before);
  for (const path of ['prompts', 'events']) rig.simulator.override(path, undefined);
  expect(await night('2026-07-16')).toMatchObject({
    exit: 0,
    slices: [
      { endpoint: 'events', status: 'loaded', error: null, requests: 1 },
      { endpoint: 'prompts', status: 'loaded', error: null, requests: 1 },
    ],
  });
});

it('a list that the server caps below its limit, ignoring the offset, is truncated and deletes nothing', async () => {
  await using rig = await openRig({ world: 'demo', today: '2026-07-14', startDate: '2026-06-15' });
  const [project] = rig.simulator.world.projects;
  const request = { endpoints: ['brand_visibility'], projects: [project?.id ?? ''] };
  await rig.pull(request);
  const stored = "select count(*) as rows from core.brand_visibility where date < '2026-07-15'";
  const before = await rig.workingRows(stored);
  rig.simulator.setToday(toDay('2026-07-15'));
  // The newest 50 of 56 rows.
  let cut: unknown[] = [];
  rig.simulator.override('visibility-over-time', ({ query }, answer) => {
    if (!query.some(([name]) => name === 'offset'))
      cut = (answer.body as unknown[]).toReversed().slice(0, 50);
    return { body: cut };
  });
  rig.simulator.resetRequests();
  const { exitCode, totals } = await rig.pull(request);
  expect({ exitCode, deleted: totals.rows_deleted }).toEqual({ exitCode: 3, deleted: 0 });
  expect(await rig.workingRows(stored)).toEqual(before);
  // Two readings of two pages each.
  expect(
    rig.simulator.requests
      .filter(({ path }) => path.endsWith('visibility-over-time'))
      .map(({ status }) => status),
  ).toEqual([200, 200, 200, 200]);
});
