import { expect, test } from 'vitest';
import type { ArchivedAnswer } from '../../src/slice.ts';
import { answerOf } from '../support/answers.ts';
import { WarehouseFile } from '../support/warehouse-file.ts';

const logged =
  'select table_name, key, change, old, new, run_id, changed_at from meta.restatements order by key';
const SECOND = { runId: 'run-2', startedAt: Date.parse('2026-03-11T02:00:00Z') };

function share(date: string, brandMentions: number, change: number | null): unknown {
  return { date, totalResponses: 10, brandMentions, shareOfVoice: brandMentions * 10, change };
}

test('a restatement holds the changed columns alone, before and after, under the exact key', async () => {
  await using file = await WarehouseFile.open();
  const scope = { slice: { scope: 'model', scopeId: `a"b'c` } } as const;
  const before = [share('2026-03-02', 1, null), share('2026-03-03', 2, 10)];
  await file.load([answerOf('share_of_voice', before, scope)]);
  expect(await file.rows(logged)).toEqual([]);
  const after = [share('2026-03-02', 1, 0.1), share('2026-03-03', 3, 10)];
  await file.load([answerOf('share_of_voice', after, scope)], SECOND);
  const key = (date: string): string =>
    `{"project_id":"project-1","grain":"day","date":"${date}","scope":"model","scope_id":"a\\"b'c"}`;
  const rest = {
    table_name: 'share_of_voice',
    change: 'updated',
    run_id: 'run-2',
    changed_at: '2026-03-11T02:00:00.000Z',
  };
  expect(await file.rows(logged)).toEqual([
    { ...rest, key: key('2026-03-02'), old: '{"change":null}', new: '{"change":0.1}' },
    {
      ...rest,
      key: key('2026-03-03'),
      old: '{"brand_mentions":2,"share_of_voice":20.0}',
      new: '{"brand_mentions":3,"share_of_voice":30.0}',
    },
  ]);
});

test('a restatement holds every measure of a row that is gone', async () => {
  await using file = await WarehouseFile.open();
  const [first, second, third] = ['2026-03-02', '2026-03-03', '2026-03-04'].map((date) =>
    share(date, 1, null),
  );
  await file.night(1, [answerOf('share_of_voice', [first, second, third])]);
  for (const number of [2, 3]) await file.night(number, [answerOf('share_of_voice', [first, third])]);
  expect(await file.rows(logged)).toMatchObject([
    {
      change: 'deleted',
      old:
        '{"total_responses":10,"brand_mentions":1,"share_of_voice":10.0,' +
        '"previous_period_share_of_voice":null,"change":null}',
      new: null,
      run_id: 'run-3',
    },
  ]);
});

test('a restatement of a day older than the look-back says that it was final, whatever the run looked back', async () => {
  await using file = await WarehouseFile.open();
  await file.connection.run(
    `insert into meta.runs (run_id, started_at, sync_day, status, lookback_days, configured_lookback_days)
     values ('run-2', '2026-03-11 02:00:00', '2026-03-11', 'running', 90, 7),
       ('run-3', '2026-03-12 02:00:00', '2026-03-12', 'running', 90, 7)`,
  );
  const answer = (days: readonly number[], mentions: number): ArchivedAnswer =>
    answerOf(
      'share_of_voice',
      days.map((day) => share(`2026-03-0${String(day)}`, mentions, null)),
    );
  await file.night(1, [answer([2, 3, 4, 5, 6, 7], 1)]);
  for (const number of [2, 3]) await file.night(number, [answer([2, 3, 6, 7], 2)]);
  const all =
    "select run_id, key ->> 'date' as date, change, was_final from meta.restatements order by run_id, date";
  expect(await file.rows(all)).toEqual([
    { run_id: 'run-2', date: '2026-03-02', change: 'updated', was_final: true },
    { run_id: 'run-2', date: '2026-03-03', change: 'updated', was_final: true },
    { run_id: 'run-2', date: '2026-03-06', change: 'updated', was_final: false },
    { run_id: 'run-2', date: '2026-03-07', change: 'updated', was_final: false },
    { run_id: 'run-3', date: '2026-03-04', change: 'deleted', was_final: true },
    { run_id: 'run-3', date: '2026-03-05', change: 'deleted', was_final: false },
  ]);
});
