import { expect, test } from 'vitest';
import { toDay } from '../../src/day.ts';
import { runSync } from '../../src/run/sync.ts';
import { syncRequest } from '../../src/run/sync-request.ts';
import { daysOf, openOwn, withFile } from './served.ts';

const LIST = 'key: [id]\ncolumns: { text: [name] }\n';
const FILES = {
  scores: 'path: /own/scores\nask: series\ncolumns: { double: [score] }\nquery: { range: day }\n',
  ranks:
    'path: /own/ranks\nask: series\nkey: [prompt.id]\ncolumns: { integer: [rank] }\nlimit: { limit: 6 }\n',
  sites: 'path: /own/sites\nask: window\nkey: [url]\ncolumns: { integer: [count] }\nwindows: [month]\n',
  by_offset: `path: /own/by-offset\nrows: data.items\npages: { by: offset, size: 2 }\n${LIST}`,
  by_cursor: `path: /own/by-cursor\nrows: items\npages: { by: cursor, names: { next: meta.next, cursor: after } }\n${LIST}`,
  details: `path: /own/details/{id}\nrows: items\nfor: by_cursor\nat_most: 2\n${LIST}`,
};

const items = (...ids: string[]) => ids.map((id) => ({ id, name: id.toUpperCase() }));

test('series, windows, offsets, cursors and parents load as they are declared', async () => {
  await using rig = await openOwn(FILES, { change: (config) => config });
  const at = (path: string, body: (query: Readonly<Record<string, string>>, path: string) => unknown): void =>
    rig.simulator.override(
      (request) => request.path.startsWith(path),
      (request) => ({ status: 200, body: body(Object.fromEntries(request.query), request.path) }),
    );
  at('/own/scores', ({ startDate, endDate }) =>
    daysOf(startDate, endDate).map((date) => ({ date: `${date}T00:00:00Z`, score: '1.5', by: 'x' })),
  );
  at('/own/ranks', ({ startDate, endDate, limit }) =>
    daysOf(startDate, endDate)
      .flatMap((date) => ['p', 'q'].map((id, rank) => ({ date, prompt: { id }, rank })))
      .slice(0, Number(limit)),
  );
  at('/own/sites', () => [{ url: 'https://a', count: 2 }]);
  at('/own/by-offset', ({ offset = '0', limit }) => {
    const all = items('a', 'b', 'c', 'd', 'e');
    return { data: { items: all.slice(Number(offset), Number(offset) + Number(limit)) }, total: 5 };
  });
  at('/own/by-cursor', ({ after = '' }) =>
    after === ''
      ? { items: items('x', 'y'), meta: { next: 'n' } }
      : { items: items('z'), meta: { next: null } },
  );
  at('/own/details', (_query, path) => ({ items: items(`${path.at(-1) ?? ''}1`) }));
  const endpoints = Object.keys(FILES);
  const night = await rig.night('2026-07-14', { endpoints });
  expect(night).toMatchObject({ failures: [], exit_code: 0 });
  expect(await rig.rows('select date, score, rest from own.scores order by date limit 1')).toEqual([
    { date: '2026-07-05', score: 1.5, rest: '{"by":"x"}' },
  ]);
  expect(await rig.rows('select count(*) as n, count(distinct date) as days from own.ranks')).toEqual([
    { n: 20, days: 10 },
  ]);
  expect(await rig.rows('select window_kind, url, count from own.sites')).toEqual([
    { window_kind: 'month', url: 'https://a', count: 2 },
  ]);
  const ids = async (table: string): Promise<unknown> =>
    (await rig.rows(`select id from own.${table} order by id`)).map(({ id }) => id);
  expect(await ids('by_offset')).toEqual(['a', 'b', 'c', 'd', 'e']);
  expect(await ids('by_cursor')).toEqual(['x', 'y', 'z']);
  const details = 'select by_cursor_id as parent, id from own.details order by all';
  const [x, y, z] = ['x', 'y', 'z'].map((parent) => ({ parent, id: `${parent}1` }));
  expect(await rig.rows(details)).toEqual([x, y]);
  expect(await rig.gaps()).toEqual([]);

  expect(await rig.night('2026-07-15', { endpoints })).toMatchObject({ exit_code: 0, rows_deleted: 0 });
  expect(await rig.rows(details)).toEqual([x, y, z]);
});

test('a refused path that never gave a row is known at once and asked again after a week', async () => {
  await using rig = await openOwn({ gone: `path: /own/gone\n${LIST}` });
  const night = async (day: string) => await rig.night(day, { endpoints: ['prompts', 'gone'] });
  const first = await night('2026-07-14');
  expect(first).toMatchObject({ exit_code: 0, failures: [] });
  expect(first.warnings.join()).toContain('known');
  await night('2026-07-15');
  expect(rig.asked('/own/gone')).toHaveLength(0);
  // A week later, and not each night from then on.
  for (const [day, count] of Object.entries({ '2026-07-21': 1, '2026-07-22': 0, '2026-07-28': 1 })) {
    await night(day);
    expect(rig.asked('/own/gone')).toHaveLength(count);
  }
  expect(await rig.rows("select known_since from meta.alarms where endpoint = 'gone'")).toEqual([
    { known_since: '2026-07-14' },
  ]);
});

test('a request that was refused is sent again once its file is corrected', async () => {
  const words = `path: /own/things\n${LIST}`;
  await using rig = await openOwn({
    typo: words.replace('things', 'thigns'),
    sorted: `${words}query: { sort: bad }\n`,
    wrong: `${words}query: { sort: bad }\n`,
  });
  rig.answer('/own/things', ({ query }) =>
    query.some(([name]) => name === 'sort')
      ? { status: 400, body: { error: 'Bad Request', message: 'sort is none of id' } }
      : { status: 200, body: items('a') },
  );
  const endpoints = ['prompts', 'typo', 'sorted', 'wrong'];
  expect((await rig.night('2026-07-14', { endpoints })).failures).toHaveLength(2);
  withFile(rig, 'sorted', words);
  const context = withFile(rig, 'typo', words);
  await rig.effects.sleep(86_400_000);
  const asked = { ...syncRequest({ maxWaitMs: 0 }), today: toDay('2026-07-15'), endpoints };
  const { failures } = await runSync(asked, context);
  // One that the server finds wrong is not what it lacks: it is asked each night.
  expect(failures.map(({ endpoint }) => endpoint)).toEqual(['wrong']);
  expect(await rig.rows('select id from own.typo union all select id from own.sorted')).toHaveLength(2);
});
