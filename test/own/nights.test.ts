import { expect, test } from 'vitest';
import { toDay } from '../../src/day.ts';
import { table } from '../support/table.ts';
import { openOwn, serve, type ServedRow } from './served.ts';

const TAGS = `
path: /api/v2/tags
key: [id]
columns: { text: [name], integer: [prompts] }
`;

const NOTES = `
path: /api/v2/notes
ask: dated
date: createdAt
instants: [from, until]
rows: items
key: [id]
pages: { by: number, size: 2 }
columns:
  text: [author.id, mood]
  timestamp: [createdAt]
  double: [score]
each:
  links: { count: linkCount, text: [url], integer: [rank] }
  brands: text
start_date: 2026-07-05
`;

function note(id: string, createdAt: string, more: ServedRow = {}): ServedRow {
  const links = [{ url: `https://${id}`, rank: 1, title: id }];
  const author = { id: 'a', name: 'Ann' };
  return { id, createdAt, author, mood: 'GOOD', score: 1, linkCount: 1, links, brands: ['x'], ...more };
}

const SHOWN = 'select * exclude (_run_id, _changed_at, project_id) from own.';

test('rows that are hidden or restated, or that come late, are as the newest two nights have them', async () => {
  await using rig = await openOwn({ tags: TAGS, notes: NOTES });
  let tags: ServedRow[] = [
    { id: 't1', name: 'one', prompts: 3 },
    { id: 't2', name: 'two', prompts: 4, color: 'red' },
  ];
  let notes = [
    note('n1', '2026-07-05T10:00:00Z'),
    note('n2', '2026-07-13T23:59:59.999Z', { brands: ['x', 'y'] }),
    note('n3', '2026-07-13T08:00:00Z', { mood: 7, score: 'high' }),
    note('n4', '2026-07-13T09:00:00Z', { links: [], linkCount: 2 }),
  ];
  serve(rig, '/api/v2/tags', { rows: () => tags });
  serve(rig, '/api/v2/notes', { rows: () => notes });
  const endpoints = ['tags', 'notes'];
  const first = await rig.pull({ endpoints });
  expect(first).toMatchObject({ exit_code: 0, failures: [] });
  const counts = `select (select count(*) from own.tags) as tags, (select count(*) from own.notes) as notes,
    (select count(*) from own.notes_links) as links, (select count(*) from own.notes_brands) as brands`;
  expect(await rig.workingRows(counts)).toEqual([{ tags: 2, notes: 4, links: 3, brands: 5 }]);
  expect(await rig.workingRows(`${SHOWN}tags order by id`)).toEqual([
    { id: 't1', name: 'one', prompts: 3, rest: null, removed_at: null },
    { id: 't2', name: 'two', prompts: 4, rest: '{"color":"red"}', removed_at: null },
  ]);
  expect(await rig.workingRows(`${SHOWN}notes where id in ('n3', 'n4') order by id`)).toEqual([
    {
      id: 'n3',
      date: '2026-07-13',
      author_id: 'a',
      mood: '7',
      created_at: '2026-07-13T08:00:00.000Z',
      score: null,
      links_is_cut_off: false,
      removed_at: null,
      rest: '{"author":{"name":"Ann"},"linkCount":1,"score":"high"}',
    },
    expect.objectContaining({ id: 'n4', links_is_cut_off: true }),
  ]);
  // Ten days, a page each; the one with three rows has two.
  expect(rig.asked('/notes')).toHaveLength(11);
  const instants = { from: '2026-07-13T23:59:59.000Z', until: '2026-07-14T03:00:00.000Z' };
  expect(rig.asked('/notes')[0]).toEqual({ ...instants, page: '1', size: '2' });

  tags = tags.slice(1);
  notes = [
    ...notes.filter(({ id }) => id !== 'n2' && id !== 'n3'),
    note('n3', '2026-07-13T08:00:00Z', { mood: 'BAD', links: [], linkCount: 0 }),
    note('n5', '2026-07-12T08:00:00Z'),
  ];
  rig.simulator.setToday(toDay('2026-07-15'));
  expect((await rig.pull({ endpoints })).exit_code).toBe(0);
  expect(await rig.workingRows('select id, removed_at from own.tags order by id')).toEqual([
    { id: 't1', removed_at: null },
    { id: 't2', removed_at: null },
  ]);
  const second = await rig.night('2026-07-16', { endpoints });
  expect(second).toMatchObject({ exit_code: 0, rows_updated: 0 });
  const gone = '2026-07-16T03:00:00.000Z';
  expect(await rig.rows('select id, removed_at from own.tags order by id')).toEqual([
    { id: 't1', removed_at: gone },
    { id: 't2', removed_at: null },
  ]);
  expect(await rig.rows(`select id, position, value, removed_at from own.notes_brands order by all`)).toEqual(
    table(
      'id position value removed_at',
      ['n1', 1, 'x', null],
      ['n2', 1, 'x', gone],
      ['n2', 2, 'y', gone],
      ['n3', 1, 'x', null],
      ['n4', 1, 'x', null],
      ['n5', 1, 'x', null],
    ),
  );
  expect(await rig.rows(`select table_name, old, new from meta.restatements order by all`)).toEqual([
    { table_name: 'own.notes', old: '{"mood":"7","score":null}', new: '{"mood":"BAD","score":1.0}' },
    expect.objectContaining({ table_name: 'own.notes', new: expect.stringContaining('removed_at') }),
    expect.objectContaining({ table_name: 'own.tags' }),
  ]);
});

test('what left the oldest day of the look-back is asked about on that day, whether a request has one day or more', async () => {
  const words = 'ask: dated\ndate: at\nrows: items\nkey: [id]\nstart_date: 2026-07-01\n';
  const files = {
    by_page: `path: /own/by-page\n${words}pages: { by: number, size: 5 }\n`,
    at_once: `path: /own/at-once\n${words.replace('rows: items\n', '')}`,
  };
  await using rig = await openOwn(files);
  const days = Array.from({ length: 18 }, (_, index) => String(index + 1).padStart(2, '0'));
  const all = days.flatMap((day) =>
    ['a', 'b'].map((id) => ({ id: `${day}${id}`, at: `2026-07-${day}T10:00:00Z` })),
  );
  let items = all;
  for (const path of ['/own/by-page', '/own/at-once'])
    serve(rig, path, { rows: () => items, date: 'at', size: 5 });
  const endpoints = Object.keys(files);
  await rig.night('2026-07-14', { endpoints });
  items = all.filter(({ id }) => id !== '08a');
  await rig.night('2026-07-15', { endpoints });
  await rig.night('2026-07-16', { endpoints });
  for (const table of endpoints)
    expect(await rig.rows(`select id from own.${table} where removed_at is not null`)).toEqual([
      { id: '08a' },
    ]);
  await rig.night('2026-07-17', { endpoints });
  expect(rig.asked('/by-page').map(({ startDate }) => startDate)).toEqual(
    ['17', '16', '15', '14', '13', '12', '11', '10'].map((day) => `2026-07-${day}`),
  );
});

test('a dated row is of its UTC day, also where it is midnight in its own offset', async () => {
  const words = 'ask: dated\ndate: at\nrows: items\nkey: [id]\npages: { by: number, size: 2 }\n';
  const files = {
    by_day: `path: /own/by-day\n${words}start_date: 2026-07-10\n`,
    by_instant: `path: /own/by-instant\n${words}instants: [from, until]\nstart_date: 2026-07-10\n`,
  };
  await using rig = await openOwn(files);
  const items = ['11', '12', '13', '14'].map((day) => ({
    id: day,
    at: `2026-07-${day}T00:00:00+03:00`,
    utc: new Date(`2026-07-${day}T00:00:00+03:00`).toISOString(),
  }));
  for (const path of ['/own/by-day', '/own/by-instant']) serve(rig, path, { rows: () => items, date: 'utc' });
  const night = await rig.night('2026-07-14', { endpoints: Object.keys(files) });
  expect(night).toMatchObject({ exit_code: 0, rows_rejected: 0 });
  const expected = items.map(({ id, utc }) => ({ id, date: utc.slice(0, 10) }));
  for (const table of Object.keys(files))
    expect(await rig.rows(`select id, date from own.${table} order by id`)).toEqual(expected);
});

test('a value in a list inside a row that does not fit is drift, and an id beyond 2^53 refuses its row', async () => {
  const words = 'key: [id]\ncolumns: { text: [other] }\n';
  await using rig = await openOwn({
    things: `path: /own/things\n${words}each: { links: { integer: [rank] }, marks: integer }\n`,
  });
  const body = [
    { id: 'a', other: 'x', links: [{ rank: 1 }, { rank: 'first' }], marks: [1, 'two'] },
    { id: 2 ** 60, other: 2 ** 60, links: [], marks: [] },
  ];
  rig.answer('/own/things', () => ({ status: 200, body }));
  await rig.night('2026-07-14', { endpoints: ['things'] });
  const drift = "select path, sample from meta.drift where endpoint = 'things' order by path";
  expect(await rig.rows(drift)).toEqual([
    { path: '[].links[].rank', sample: '"first"' },
    { path: '[].marks[]', sample: '"two"' },
    { path: '[].other', sample: '1152921504606847000' },
  ]);
  const reason = 'id: is no text, and the key needs it';
  expect(await rig.rows('select reason from meta.rejects')).toEqual([{ reason }]);
  expect(await rig.rows('select id from own.things')).toEqual([{ id: 'a' }]);
});
