import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { changeNotifyState } from '../../src/daemon/notify/decide-notifications.ts';
import { realEffects } from '../../src/effects.ts';
import { openPublished } from './published.ts';
import { fails, prints, type CliOptions } from './run.ts';
import { openSynced } from './small-world.ts';

const at = (instant: string): CliOptions => ({
  effects: { ...realEffects, now: () => Date.parse(instant) },
});

it('answerlake status gives every part as JSON', async () => {
  const { run } = await openPublished();
  const { report, stderr } = await run(['status', '--json'], at('2025-03-05T12:00:00Z'));
  expect(stderr).toBe('');
  expect(report).toMatchObject({
    ok: true,
    exit_code: 0,
    runs: [{ run_id: 'r1', job: 'nightly', status: 'ok', requests: 42, selection: { projects: null } }],
    freshness: expect.arrayContaining([
      expect.objectContaining({ endpoint: 'visibility', project_name: 'Fernhill', status: 'current' }),
    ]),
    quota: [],
    rejects: [{ endpoint: 'events', rows: 1 }],
    drift: [],
    alarms: [],
    gaps: [],
  });
  expect(report).not.toHaveProperty('queue');
});

it('a month that still runs has its figures to its newest answer, not to its first day', async () => {
  const { run } = await openSynced();
  expect((await run(['status', '--json'])).report).toMatchObject({ silent: [] });
});

it('a week without an event is no week without figures', async () => {
  const { run } = await openPublished(`
    insert into meta.asked_days (endpoint, project_id, scope, scope_id, date, asked_on, first_on, state)
      values ('events', 'p1', 'project', 'p1', '2025-02-01', '2025-03-05', '2025-02-01', 'row');
    insert into meta.slices by name select * replace ('events' as endpoint, null as grain) from meta.slices`);
  const { report } = await run(['status', '--json'], at('2025-03-05T12:00:00Z'));
  expect(report).toMatchObject({ silent: [] });
});

it('answerlake status and gaps say how old the newest answer is, and status ends with 3 once it is stale', async () => {
  const { run } = await openPublished();
  const early = at('2025-03-06T14:00:00Z');
  const fresh = await run(['status'], early);
  expect(fresh.code).toBe(0);
  expect(fresh.stdout).toContain('; newest answer 2025-03-05 02:17 UTC, 35 hours ago\n');
  expect(fresh.stdout).not.toMatch(/stale/i);
  expect((await run(['gaps'], early)).stderr).not.toMatch(/stale/i);
  const late = at('2025-03-06T15:00:00Z');
  const stale = await run(['status'], late);
  expect(stale.code).toBe(3);
  expect(stale.stdout).toMatch(/\nStale: the newest answer is from 2025-03-05 02:17 UTC, 36 hours ago\./);
  expect(stale.stdout).toMatch(/Fernhill │ stale +│ 1 of/);
  expect((await run(['status', '--json'], late)).report).toMatchObject({
    ok: false,
    exit_code: 3,
    newest_answer_at: '2025-03-05T02:17:10.000Z',
    age_hours: 36.71,
    is_stale: true,
    stale: [{ project_name: 'Fernhill', endpoint: 'visibility', age_hours: 36.71 }],
  });
  expect(await run(['gaps'], late)).toMatchObject(fails(0, 'Later days are no gaps yet.'));
  expect((await run(['gaps', '--json'], late)).report).toMatchObject({ is_stale: true });
});

it('a run that took an earlier day for today shows in status and gaps, which go by the clock', async () => {
  const { run } = await openPublished("insert into meta.settings values ('clock_day', '2025-03-09')");
  const says = /began on 2025-03-09 and used 2025-03-05 as today \(--today, or ANSWERLAKE_TODAY\)/;
  const noon = at('2025-03-05T12:00:00Z');
  const status = await run(['status'], noon);
  expect(status).toMatchObject(prints(0, says));
  expect(status.stdout).toMatch(/Fernhill │ behind/);
  const gaps = [5, 6, 7, 8].map((day) => ({ date: `2025-03-0${String(day)}` }));
  expect(await run(['gaps', '--json'], noon)).toMatchObject({ ...fails(3, says), report: { gaps } });
});

it('answerlake status says what became of the newest message to the webhook', async () => {
  const { run, folder } = await openPublished();
  const delivery = { at: '2025-03-05T03:00:00Z', problem: 'answered 404', not_before: null };
  const path = join(folder, 'data', '.answers.runs.json');
  changeNotifyState(path, { delivery });
  const noon = at('2025-03-05T12:00:00Z');
  expect((await run(['status'], noon)).stdout).toContain(
    'did not arrive (2025-03-05 03:00 UTC): it answered 404',
  );
  expect((await run(['status', '--json'], noon)).report).toMatchObject({ webhook: delivery });
  changeNotifyState(path, { delivery: { ...delivery, problem: null } });
  expect((await run(['status'], noon)).stdout).toContain('Webhook: the newest message arrived');
});

it('freshness.max_age of the configuration decides what is stale, also for a file that an earlier run left', async () => {
  const { config, run } = await openPublished();
  appendFileSync(config, 'freshness: { max_age: 2h }\n');
  expect((await run(['status'], at('2025-03-05T04:00:00Z'))).code).toBe(0);
  expect((await run(['status'], at('2025-03-05T05:00:00Z'))).code).toBe(3);
});

it('answerlake gaps names the monitor or model of a filter', async () => {
  const { run } = await openPublished(
    `insert into core.monitors values ('p1', 'm-1', 'Beans', 'r1', '2025-03-05');
      insert into meta.expected_series values ('visibility', 'p1', 'monitor', 'm-1', 'day', '2025-03-01')`,
  );
  expect((await run(['gaps'])).stdout).toContain('│ monitor Beans │');
});

it.each([
  ['every expected day is covered', '', true],
  [
    'only windows are asked for, and they were answered',
    `insert into meta.slices (endpoint, project_id, scope, scope_id, window_kind, window_start, window_end, sync_day, status, run_id, fetched_at)
     values ('response_summary', 'p1', 'project', 'p1', 'month', '2025-02-01', '2025-02-28', '2025-03-05', 'loaded', 'r1', '2025-03-05')`,
    false,
  ],
  [
    'only lists are asked for',
    `insert into meta.expected_series values ('prompts', 'p1', 'project', 'p1', null, null)`,
    false,
  ],
])('answerlake gaps ends with 0 where %s', async (_, sql, covered) => {
  const { run } = await openPublished(sql, { covered, expected: covered });
  const stdout = 'No gaps before 2025-03-05: every expected day is covered.\n';
  expect(await run(['gaps'])).toMatchObject({ code: 0, stdout });
});

it('answerlake gaps lists what is known apart, with its reason, and ends with 0 when nothing else is missing', async () => {
  const { run } = await openPublished(
    `update meta.asked_days set state = 'refused', reason = 'bad_row' where date = '2025-03-02';
     insert into meta.alarms (endpoint, project_id, scope, scope_id, grain, reason, first_on, days, last_on, known_since, asked_on)
     values ('visibility', 'p1', 'project', 'p1', 'day', 'bad_row', '2025-02-20', 3, '2025-02-22', '2025-02-23', '2025-03-01')`,
  );
  const known = [{ date: '2025-03-02', known_reason: 'bad_row', known_first_on: '2025-02-20' }];
  const report = { ok: true, gaps: [], known };
  expect(await run(['gaps', '--json'])).toMatchObject({ code: 0, report });
  expect(await run(['gaps'])).toMatchObject(prints(0, /No gaps[^]*Known[^]*bad row/));
});

it('answerlake gaps ends with 3, and its JSON lists each day', async () => {
  const { run } = await openPublished('', { covered: false });
  const gaps = [1, 2, 3, 4].map((day) => ({ date: `2025-03-0${day}` }));
  const report = { ok: false, exit_code: 3, is_known: true, gaps };
  expect(await run(['gaps', '--json'])).toMatchObject({ code: 3, report });
});

// The name as macOS writes it: its letter and its accent apart.
const CAFE = 'Café Nord'.normalize('NFD');

it('answerlake status and gaps --project are about that project alone', async () => {
  const sql = `insert into core.projects values ('p2', 'o1', 'Café Nord', 'cafe-nord', 'r1', '2025-03-05');
       insert into meta.expected_series values ('sentiment', 'p2', 'project', 'p2', 'day', '2025-03-04')`;
  const { run } = await openPublished(sql, { covered: false });
  const status = await run(['status', '--project', CAFE]);
  expect(status.stdout).toMatch(/Freshness\n[^]*Café Nord[^]*│ Café Nord │ sentiment │ +1 │/);
  expect(status.stdout).not.toContain('Fernhill');
  expect(status.stdout).toContain('nightly');
  const gaps = await run(['gaps', '--json', '--project', 'p2']);
  expect(gaps.report).toMatchObject({ gaps: [{ project_id: 'p2', date: '2025-03-04' }] });
  expect((await run(['gaps', '--project', 'cafe-nord'])).stdout).not.toContain('Fernhill');
});

it('answerlake status, gaps and export name the projects that there are to those who name another', async () => {
  const { run } = await openPublished();
  for (const command of ['status', 'gaps', 'export'])
    expect(await run([command, '--project', 'nobody']), command).toMatchObject(
      fails(2, /has no project "nobody". It has:\n {2}p1 {2}Fernhill\n/),
    );
});
