import { expect, test } from 'vitest';
import { toDay } from '../../src/day.ts';
import { PLAIN } from '../config/loaded.ts';
import { pruneLogs, startRun, unfinishedRuns } from '../../src/run/run-record.ts';
import { MAX_AGE_HOURS } from '../../src/warehouse/freshness.ts';
import { writeSettings } from '../../src/warehouse/tables.ts';
import { answerOf } from '../support/answers.ts';
import { FIRST_RUN, WarehouseFile } from '../support/warehouse-file.ts';
import { table } from '../support/table.ts';

const RUN = { ...FIRST_RUN, baseUrl: 'http://localhost' };
const ASKED = { job: null, selection: '{}', version: '0.0.0', lookback_days: 7 };
const start = (hour: number): number => Date.parse(`2026-03-10T0${hour}:00:00Z`);

test('a run that was killed has the number of slices that it loaded until then', async () => {
  await using file = await WarehouseFile.open();
  const { connection } = file;
  await startRun(connection, { ...RUN, sequence: 1, runId: 'killed', startedAt: start(2) }, ASKED);
  const body = ['2026-03-02', '2026-03-03', '2026-03-04'].map((date) => ({ date, value: 1 }));
  await file.load([answerOf('visibility', body), answerOf('sentiment', body.slice(1))], { runId: 'killed' });
  await startRun(connection, { ...RUN, sequence: 2, runId: 'next', startedAt: start(3) }, ASKED);
  expect(await file.rows('select run_id, status, slices_loaded from meta.runs order by started_at')).toEqual(
    table('run_id status slices_loaded', ['killed', 'failed', 2], ['next', 'running', null]),
  );
});

test('logs older than meta.keep_days go, final restatements after three times as long, runs with their archive', async () => {
  await using file = await WarehouseFile.open();
  const { connection } = file;
  const ages = [0, 99, 101, 299, 301];
  const at = (age: number): string => new Date(start(1) - age * 86_400_000).toISOString();
  for (const [index, age] of ages.entries()) {
    const run = { ...RUN, sequence: ages.length - index, runId: `r${age}`, startedAt: Date.parse(at(age)) };
    await startRun(connection, run, ASKED);
    for (const sql of [
      `insert into meta.rejects (endpoint, reason, run_id, rejected_at) values ('events', '', 'r${age}', $1)`,
      `insert into meta.restatements (table_name, key, change, old, run_id, changed_at, was_final)
       select 'visibility', '{}', 'updated', '{}', 'r${age}' || kind, cast($1 as timestamp), final from (values (' final', true), ('', false), (' unknown', null)) v(kind, final)`,
    ])
      await connection.run(sql, [at(age)]);
  }
  const left = async (now: string, keepDays = 100): Promise<unknown[]> => {
    const config = { ...PLAIN, meta: { keepDays }, raw: { dir: '', keepDays: 200 } };
    await pruneLogs(connection, { config, run: { ...RUN, runId: 'now' }, now: () => Date.parse(now) });
    const tables = ['rejects', 'restatements', 'runs'];
    return await Promise.all(
      tables.map((name) =>
        file.column(`select run_id from meta.${name} order by regexp_extract(run_id, '\\d+')::int, run_id`),
      ),
    );
  };
  const restatements = 'r0,r0 final,r0 unknown,r99,r99 final,r99 unknown,r101 final,r299 final'.split(',');
  const expected = [['r0', 'r99'], restatements, ['r0', 'r99', 'r101']];
  expect(await left('2026-03-10T02:00:00Z')).toEqual(expected);
  // A clock that is years ahead for a night.
  expect(await left('2031-03-10T02:00:00Z')).toEqual(expected);
});

const SELECTION = '{"full":true}';

test.each([
  // However many nights they took.
  ['06-30 failed, 07-01 ok, 07-03 stopped, 07-08 parked, 07-12 failed', '07-12 07-08 07-03'],
  // What was restated since a week ago would be missed.
  ['07-07 failed, 07-13 stopped', '07-13'],
])('after the runs %s of its selection, a run of July 14 continues %s', async (known, expected) => {
  await using file = await WarehouseFile.open();
  for (const [sequence, run] of known.split(', ').entries()) {
    const [day, status] = `2026-${run}`.split(' ') as [string, string];
    await file.connection.run(
      'insert into meta.runs (run_id, started_at, sync_day, status, selection, sequence) select $1, cast($1 as timestamp), cast($1 as date), $2, $3, $4',
      [day, status, SELECTION, sequence],
    );
  }
  const continued = (selection: string) => unfinishedRuns(file.connection, selection, toDay('2026-07-14'));
  expect(await continued(SELECTION)).toEqual(expected.split(' ').map((day) => `2026-${day}`));
  expect(await continued('{"full":false}')).toEqual([]);
});

test('the ages from which on answers are stale replace those of the run before, and no other setting', async () => {
  await using file = await WarehouseFile.open();
  await file.connection.run("insert into meta.settings values ('max_age', 'other')");
  for (const endpoint of ['events', 'prompts'])
    await writeSettings(file.connection, { [MAX_AGE_HOURS + endpoint]: '36' }, { instead: [MAX_AGE_HOURS] });
  const ages = "select name || ' ' || value from meta.settings where starts_with(name, 'max_age') order by 1";
  expect(await file.column(ages)).toEqual(['max_age other', 'max_age_hours:prompts 36']);
});
