import { expect, it } from 'vitest';
import { openNights, PROJECT_ONLY, type Nights } from './nights.ts';

const LARGE = { ...PROJECT_ONLY, world: 'large' } as const;
const REQUEST = { endpoints: ['prompts'] };

interface Page {
  prompts: { id: string }[];
  total: number;
  page: number;
  size: number;
  totalPages: number;
}

const REMOVED = 'select count(*) as rows from core.prompts where removed_at is not null';

async function expectUntouched(nights: Nights, count: number): Promise<void> {
  expect(await nights.rows('select count(*) as rows from core.prompts')).toEqual([{ rows: count }]);
  expect(await nights.rows(REMOVED)).toEqual([{ rows: 0 }]);
  expect(await nights.vanishing()).toEqual([]);
}

/** How two nights with altered lists end, and two nights after the repair; none of them may touch a prompt. */
async function fourNights(nights: Nights, change: (page: Page) => unknown): Promise<unknown[]> {
  await nights.night('2026-07-14', REQUEST);
  const [stored] = await nights.rows('select count(*) as rows from core.prompts');
  const count = Number(stored?.['rows']);
  expect(count).toBeGreaterThan(200);
  nights.alter('/v1/prompts', (body) => change(body as Page));
  const ends: unknown[] = [];
  for (const day of ['2026-07-15', '2026-07-16', '2026-07-17', '2026-07-18']) {
    if (day === '2026-07-17') nights.repair();
    const { exit_code: exitCode } = await nights.night(day, REQUEST);
    const [slice] = await nights.rows(`select status from meta.slices where endpoint = 'prompts'`);
    ends.push([exitCode, slice?.['status']]);
    await expectUntouched(nights, count);
  }
  return ends;
}

const TRUNCATED = [
  [3, 'truncated'],
  [3, 'truncated'],
  [0, 'loaded'],
  [0, 'loaded'],
];

const firstOf = (page: Page): Page => ({ ...page, prompts: page.page === 1 ? page.prompts : [] });

function without(name: 'total' | 'totalPages', page: object): unknown {
  return Object.fromEntries(Object.entries(page).filter(([key]) => key !== name));
}

it.each<[string, (page: Page) => unknown]>([
  ['a total as text', (page) => ({ ...firstOf(page), total: String(page.total) })],
  ['a total of null', (page) => ({ ...firstOf(page), total: null })],
  ['no total', (page) => without('total', firstOf(page))],
  [
    'a renamed total',
    ({ total, ...page }) => ({ ...page, prompts: page.page === 1 ? page.prompts : [], totalCount: total }),
  ],
  [
    'nested paging fields',
    ({ total, totalPages, prompts, ...page }) => ({
      prompts: page.page === 1 ? prompts : [],
      pagination: { total, totalPages, ...page },
    }),
  ],
  ['a total that is larger than the list', (page) => firstOf(page)],
])(
  'a list of prompts with %s whose other pages are empty is truncated and removes nothing',
  async (_, change) => {
    await using nights = await openNights(LARGE);
    expect(await fourNights(nights, change)).toEqual(TRUNCATED);
  },
);

it('a page that comes again is truncated', async () => {
  await using nights = await openNights(LARGE);
  let first: unknown;
  const ends = await fourNights(nights, (page) => {
    if (page.page === 1) first = page.prompts;
    return { ...page, prompts: first };
  });
  expect(ends).toEqual(TRUNCATED);
});

it('a total that moves from page to page is truncated', async () => {
  await using nights = await openNights(LARGE);
  let reading = 0;
  const ends = await fourNights(nights, (page) => {
    reading += 1;
    return { ...page, total: page.total + reading };
  });
  expect(ends).toEqual(TRUNCATED);
});

it.each<[string, (page: Page) => unknown]>([
  ['smaller than the list', (page) => ({ ...page, total: 100, totalPages: 1 })],
  ['of 0', (page) => ({ ...page, total: 0, totalPages: 0 })],
])(
  'a total %s ends no list: a full page is followed by one more request, and nothing is removed',
  async (_, change) => {
    await using nights = await openNights(LARGE);
    await nights.night('2026-07-14', REQUEST);
    const [stored] = await nights.rows('select count(*) as rows from core.prompts');
    nights.alter('/v1/prompts', (body) => change(body as Page));
    for (const day of ['2026-07-15', '2026-07-16']) {
      await nights.night(day, REQUEST);
      const pages = new Set(nights.asked('/v1/prompts').map(({ page = '1' }) => page));
      expect(pages.has('2'), day).toBe(true);
      await expectUntouched(nights, Number(stored?.['rows']));
    }
  },
);

it.each<[string, (page: Page) => unknown]>([
  ['as text', (page) => ({ ...page, totalPages: String(page.totalPages) })],
  ['null', (page) => ({ ...page, totalPages: null })],
  ['missing', (page) => without('totalPages', page)],
  ['always 1', (page) => ({ ...page, totalPages: 1 })],
])('totalPages %s removes nothing and hides no prompt', async (_, change) => {
  await using nights = await openNights(LARGE);
  expect((await fourNights(nights, change)).slice(2)).toEqual(TRUNCATED.slice(2));
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
  events: { date: string; items: { type: string }[] }[];
  total: number;
  page: number;
  totalPages: number;
}

it.each<[string, (page: EventPage) => unknown]>([
  ['as text', (page) => ({ ...page, total: String(page.total) })],
  ['missing', (page) => without('total', page)],
  ['larger than the list', (page) => ({ ...page, total: page.total + 3 })],
])('a list of events whose total is %s removes nothing and is owed', async (_, change) => {
  await using nights = await openNights({ ...PROJECT_ONLY, world: 'demo' });
  const request = { endpoints: ['events'], projects: [nights.projectId] };
  await nights.night('2026-07-14', request);
  const all = 'select event_id from core.events order by all';
  const before = await nights.rows(all);
  const lacking = (page: EventPage): EventPage => ({
    ...page,
    events: page.events.filter(({ date }) => date !== '2026-07-10'),
  });
  nights.alter('/v2/events', (body) => change(lacking(body as EventPage)));
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
