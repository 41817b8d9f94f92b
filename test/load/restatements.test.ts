import { expect, test } from 'vitest';
import { answerOf } from '../support/answers.ts';
import { WarehouseFile } from '../support/warehouse-file.ts';
import { share } from './lists.ts';

const LOGGED =
  'select table_name, key, change, old, new, run_id, changed_at from meta.restatements order by key';

test('a restatement holds the changed columns alone, before and after, under the exact key', async () => {
  await using file = await WarehouseFile.open();
  const scope = { slice: { scope: 'model', scopeId: `a"b'c` } } as const;
  await file.load([answerOf('share_of_voice', [share(2, 1), share(3, 2, { change: 10 })], scope)]);
  expect(await file.rows(LOGGED)).toEqual([]);
  const run = { runId: 'run-2', startedAt: Date.parse('2026-03-11T02:00:00Z') };
  await file.load(
    [answerOf('share_of_voice', [share(2, 1, { change: 0.1 }), share(3, 3, { change: 10 })], scope)],
    run,
  );
  const row = (date: string, old: string, now: string): object => ({
    table_name: 'share_of_voice',
    key: `{"project_id":"project-1","grain":"day","date":"${date}","scope":"model","scope_id":"a\\"b'c"}`,
    change: 'updated',
    old,
    new: now,
    run_id: 'run-2',
    changed_at: '2026-03-11T02:00:00.000Z',
  });
  const [old, now] = [2, 3].map((n) => `{"brand_mentions":${String(n)},"share_of_voice":${String(n)}0.0}`);
  expect(await file.rows(LOGGED)).toEqual([
    row('2026-03-02', '{"change":null}', '{"change":0.1}'),
    row('2026-03-03', old ?? '', now ?? ''),
  ]);
});

test('a restatement holds every measure of a row that is gone', async () => {
  await using file = await WarehouseFile.open();
  await file.answered(1, answerOf('share_of_voice', [share(2, 1), share(3, 1), share(4, 1)]));
  for (const number of [2, 3])
    await file.answered(number, answerOf('share_of_voice', [share(2, 1), share(4, 1)]));
  const old =
    '{"total_responses":10,"brand_mentions":1,"share_of_voice":10.0,"previous_period_share_of_voice":null,"change":null}';
  expect(await file.rows(LOGGED)).toMatchObject([{ change: 'deleted', old, new: null, run_id: 'run-3' }]);
});

test('a restatement of a day older than the look-back says that it was final, whatever the run looked back', async () => {
  await using file = await WarehouseFile.open();
  await file.connection.run(
    `insert into meta.runs (run_id, started_at, sync_day, status, lookback_days, configured_lookback_days)
     values ('run-2', '2026-03-11 02:00:00', '2026-03-11', 'running', 90, 7),
       ('run-3', '2026-03-12 02:00:00', '2026-03-12', 'running', 90, 7)`,
  );
  const night = (number: number, mentions: number, days: readonly number[]) =>
    file.answered(
      number,
      answerOf(
        'share_of_voice',
        days.map((day) => share(day, mentions)),
      ),
    );
  await night(1, 1, [2, 3, 4, 5, 6, 7]);
  for (const number of [2, 3]) await night(number, 2, [2, 3, 6, 7]);
  const all = `select concat_ws(' ', run_id, day(cast(key ->> 'date' as date)), change, if(was_final, 'final', 'open'))
    from meta.restatements order by 1`;
  expect(await file.column(all)).toEqual([
    'run-2 2 updated final',
    'run-2 3 updated final',
    'run-2 6 updated open',
    'run-2 7 updated open',
    'run-3 4 deleted final',
    'run-3 5 deleted open',
  ]);
});

const ODD = [
  'nul\u0000inside',
  'lone \ud83d surrogate',
  '"; drop table core.prompts; --',
  `'`,
  '\\',
  ' ',
  '𝒳'.repeat(5000),
  '\u202eright to left',
  'toString',
  'Café Zürich',
];

test('names of any kind are stored, found again in another Unicode form, and restated', async () => {
  await using file = await WarehouseFile.open();
  const load = async (run: number, count: number, form = 'NFC'): Promise<unknown> => {
    const mentions = ODD.map((name) => ({ competitor: name.normalize(form), count, percentage: 1e308 }));
    const [entry] = await file.load([answerOf('competitor_mentions', mentions)], {
      runId: `run-${String(run)}`,
    });
    const { inserted, unchanged, updated } = entry?.counts ?? {};
    return [entry?.status, inserted, unchanged, updated];
  };
  expect(await load(1, 1)).toEqual(['loaded', ODD.length, 0, 0]);
  expect(await load(2, 1, 'NFD')).toEqual(['loaded', 0, ODD.length, 0]);
  expect(await load(3, 2)).toEqual(['loaded', 0, 0, ODD.length]);
  const stored = (await file.column('select competitor from core.competitor_mentions')).map(String);
  // A lone surrogate is no text in UTF-8; DuckDB gets the replacement character.
  expect(stored.toSorted()).toEqual(ODD.map((name) => name.replace('\ud83d ', '\ufffd ')).toSorted());
  const keys = await file.column('select key from meta.restatements');
  const named = keys.map((key) => (JSON.parse(String(key)) as { competitor: string }).competitor);
  expect(named.toSorted()).toEqual(stored.toSorted());
});
