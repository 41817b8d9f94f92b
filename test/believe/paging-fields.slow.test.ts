import { expect, it } from 'vitest';
import { openNights, PROJECT_ONLY } from './nights.ts';

const LARGE = { ...PROJECT_ONLY, world: 'large' } as const;
const REQUEST = { endpoints: ['prompts'] };

interface Page {
  prompts: unknown[];
  page: number;
}

const REMOVED = 'select count(*) as rows from core.prompts where removed_at is not null';

it('a list of prompts with a total that is larger than the list is truncated and removes nothing', async () => {
  await using nights = await openNights(LARGE);
  await nights.night('2026-07-14', REQUEST);
  const [stored] = await nights.rows('select count(*) as rows from core.prompts');
  nights.alter('/v1/prompts', (body) => {
    const page = body as Page;
    return { ...page, prompts: page.page === 1 ? page.prompts : [] };
  });
  for (const day of ['2026-07-15', '2026-07-16', '2026-07-17']) {
    const isAltered = day !== '2026-07-17';
    if (!isAltered) nights.repair();
    expect(await nights.night(day, REQUEST), day).toMatchObject({ exit_code: isAltered ? 3 : 0 });
    expect(await nights.rows(`select status from meta.slices where endpoint = 'prompts'`), day).toEqual([
      { status: isAltered ? 'truncated' : 'loaded' },
    ]);
    expect(await nights.rows('select count(*) as rows from core.prompts')).toEqual([stored]);
    expect(await nights.rows(REMOVED)).toEqual([{ rows: 0 }]);
    expect(await nights.vanishing()).toEqual([]);
  }
});

it('a first list that is cut off by a total that lags is completed by a later night', async () => {
  await using nights = await openNights(LARGE);
  nights.alter('/v1/prompts', (body) => ({ ...(body as Page), total: 100, totalPages: 1 }));
  await nights.night('2026-07-14', REQUEST);
  nights.repair();
  expect(await nights.night('2026-07-15', REQUEST)).toMatchObject({ exit_code: 0 });
  await nights.expectTruth(['monitors'], REQUEST);
  expect(await nights.rows(REMOVED)).toEqual([{ rows: 0 }]);
});

interface EventPage {
  events: { date: string }[];
  total: number;
}

it('a list of events whose total is larger than the list removes nothing and is owed', async () => {
  await using nights = await openNights({ ...PROJECT_ONLY, world: 'demo' });
  const request = { endpoints: ['events'], projects: [nights.projectId] };
  await nights.night('2026-07-14', request);
  const all = 'select event_id from core.events order by all';
  const before = await nights.rows(all);
  nights.alter('/v2/events', (body) => {
    const page = body as EventPage;
    const events = page.events.filter(({ date }) => date !== '2026-07-10');
    return { ...page, events, total: page.total + 3 };
  });
  for (const day of ['2026-07-15', '2026-07-16']) {
    expect(await nights.night(day, request), day).toMatchObject({ exit_code: 3, rows_deleted: 0 });
    expect(await nights.gaps(), day).not.toEqual([]);
  }
  const after = new Set((await nights.rows(all)).map((row) => row['event_id']));
  expect(before.filter((row) => !after.has(row['event_id']))).toEqual([]);
  nights.repair();
  for (const day of ['2026-07-17', '2026-07-18'])
    expect(await nights.night(day, request), day).toMatchObject({ exit_code: 0 });
  expect(await nights.gaps()).toEqual([]);
  await nights.expectTruth(['events', 'event_prompts'], request);
});
