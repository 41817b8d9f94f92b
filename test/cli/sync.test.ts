import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startProgram } from '../support/program.ts';
import { openFolder } from '../support/folder.ts';
import { afterRun, summariseRun } from '../../src/cli/sync.ts';
import type { RunReport } from '../../src/run/run-to-end.ts';
import { fails, prints } from './run.ts';
import { openSmallWorld, TODAY } from './small-world.ts';

it('answerlake sync prints a summary, shows one line of progress, and publishes a file that query reads', async () => {
  const { run, env } = await openSmallWorld();
  const few = ['--endpoint', 'visibility-time-series', 'events', '--today', TODAY];
  const { code, stdout, stderr } = await run(['sync', ...few], { columns: 80 });
  expect(stdout).toMatch(
    /^Done: 1 project, 2025-02-10, .*\n {2}requests +\d+\n {2}slices +\d+ loaded, 0 failed\n/,
  );
  expect(code).toBe(0);
  expect(stderr).toMatch(/opening the warehouse[\s\S]*[█░]{20} 100 % \(\d+\/\d+\) · Small Shop/);
  expect(stderr).toContain('\r\u001B[2K\nNext:\n');
  expect(stderr).not.toMatch(/\{"level"|answerlake status/);
  const rows = await run(['query', 'select count(*) as days from daily_kpis', '--json']);
  expect(rows.report).toMatchObject({ ok: true, exit_code: 0, next: null, rows: [{ days: 26 }] });

  const again = await run(['sync', ...few, '--json']);
  const report = again.report as { rows_received: number };
  expect(report).toMatchObject({ ok: true, exit_code: 0, sync_day: TODAY });
  expect(report.rows_received).toBeGreaterThan(0);
  expect(again.code).toBe(0);
  expect(again.stderr).not.toContain(env['SMALL_KEY']);
});

const REPORT = {
  status: 'ok',
  exit_code: 0,
  sync_day: '2025-02-10',
  duration_ms: 1500,
  projects: 2,
  requests: 1200,
  retries: 3,
  slices_loaded: 40,
  slices_failed: 0,
  rows_received: 2071,
  rows_inserted: 2000,
  rows_updated: 4,
  rows_deleted: 7,
  rows_unchanged: 5,
  rows_rejected: 2,
  rows_deduplicated: 60,
  published: null,
  failures: [],
  warnings: Array.from({ length: 12 }, (_, number) => `remark ${number}`),
} as unknown as RunReport;

it('the rows of a summary add up, those that an answer repeats included; ten warnings are listed', () => {
  const lines = summariseRun(REPORT).split('\n');
  expect([...lines.slice(0, 6), ...lines.slice(14)]).toEqual([
    'Done: 2 projects, 2025-02-10, 1.5 s',
    '  requests   1,200 (3 of them repeated)',
    '  slices     40 loaded, 0 failed',
    '  rows       2,071 received: 2,000 new, 4 changed, 5 unchanged, 60 sent twice, 2 refused; stored rows gone: 7',
    '  published  nothing new',
    '  warning    remark 0',
    '  warning    remark 9',
    '  … and 2 more (answerlake status)',
    'The next run pulls new data, and the newest days again.',
  ]);
  const last = (end: Partial<RunReport>) =>
    summariseRun({ ...REPORT, ...end })
      .split('\n')
      .at(-1);
  expect(last({ status: 'stopped' })).toContain('where this one stopped, and publishes.');
  expect(last({ status: 'stopped', published: '/lake' })).toMatch(/stopped\.$/);
  expect(last({ status: 'failed', exit_code: 4 })).toContain('correct api.base_url or the keys first');
  expect(last({ status: 'failed', exit_code: 7 })).toMatch(/stopped\.$/);
});

const FIRST = { rows_updated: 0, rows_unchanged: 20, rows_deleted: 0, published: '/lake' };

it.each<[Partial<RunReport>, string[]]>([
  [{}, ['report --open']],
  [FIRST, ['check --api', 'report --open']],
  [{ ...FIRST, rows_deleted: 1 }, ['report --open']],
  [{ ...FIRST, rows_unchanged: 9000 }, ['report --open']],
  [{ ...FIRST, exit_code: 3 }, ['status', 'check --api', 'report --open']],
  [{ ...FIRST, exit_code: 3, published: null }, ['sync', 'status']],
  [{ exit_code: 4 }, ['check']],
  [{ exit_code: 5, status: 'parked' }, ['sync', 'status']],
])('after a run with %j people are told what to type', (end, commands) => {
  const steps = afterRun({ ...REPORT, ...end });
  expect(steps.map(([command]) => command.replace('answerlake ', ''))).toEqual(commands);
  expect(steps.some(([, what]) => what.includes('after the reset'))).toBe(end.status === 'parked');
});

it('in a pipe, answerlake sync prints one plain line a fact, or JSON, and the project of a failure', async () => {
  const { run, simulator } = await openSmallWorld();
  simulator.override('/events', () => ({ status: 400, body: { error: 'no events today' } }));
  const few = ['sync', '--today', TODAY, '--endpoint', 'events'];
  const { code, stdout, stderr } = await run(few);
  expect(code).toBe(3);
  expect(stdout).toMatch(/\n {2}failed {5}Small Shop events \(contract\): .*no events today/);
  const [log = ''] = stderr.split('\nNext:');
  const lines = log.trim().split('\n');
  expect(lines[0]).toMatch(/^\d\d:\d\d:\d\d info {2}run\.opening$/);
  for (const line of lines)
    expect(line).toMatch(/^\d\d:\d\d:\d\d (?:info|warn) +[a-z_]+\.[a-z_]+(?: [a-z_]+=.+)*$/);
  const facts = lines.map((line) => line.slice(9));
  expect(new Set(facts).size).toBe(facts.length);
  expect(log.match(/quota\.learned/g)).toHaveLength(1);
  expect(`${log}${stdout}`.match(/no events today/g)).toHaveLength(1);
  const json = await run([...few, '--log-format', 'json']);
  const events = json.stderr
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(events.map(({ event }) => event)).toEqual(expect.arrayContaining(['run.opening', 'slice.failed']));
  expect(events.flatMap((event) => Object.keys(event)).filter((key) => /[A-Z]/.test(key))).toEqual([]);
});

it('answerlake check and sync say how to start the simulator where its server has gone', async () => {
  const { run, simulator } = await openSmallWorld();
  const { port } = new URL(simulator.url);
  await simulator.close();
  const says = new RegExp(`no server listens there: .*answerlake simulate .*--port ${port}\\b`);
  for (const command of ['check', 'sync']) expect(await run([command])).toMatchObject(prints(5, says));
});

it('answerlake sync --quiet prints nothing when all went well, and gives exit 4 when no key works', async () => {
  const { run } = await openSmallWorld();
  const quiet = ['sync', '--today', TODAY, '--endpoint', 'events', '--quiet'];
  expect(await run(quiet)).toMatchObject({ code: 0, stdout: '', stderr: '' });
  expect(await run(quiet, { env: { SMALL_KEY: 'a-wrong-key' } })).toMatchObject(
    prints(4, 'the key from env:SMALL_KEY is not valid'),
  );
});

it('answerlake sync gives exit 2 and writes nothing when the first day lies after --today', async () => {
  const { folder, run } = await openSmallWorld({ isNew: true });
  expect(await run(['sync', '--today', '2025-01-01'])).toMatchObject(
    fails(2, 'sync.start_date: is in the future (today is 2025-01-01 UTC)'),
  );
  expect(readdirSync(folder)).toEqual(['answerlake.yaml']);
});

it('answerlake schedule reads jobs again on SIGHUP, and goes on with the old ones when the new are wrong', async () => {
  const folder = openFolder();
  const { env, folder: cwd } = await openSmallWorld({ more: `jobs_dir: ${folder}\n` });
  const write = (name: string): void =>
    writeFileSync(join(folder, 'job.yaml'), `name: ${name}\nschedule: '0 0 1 1 *'\nendpoints: [models]\n`);
  write('first');
  const { child, saw, ended } = startProgram(['schedule'], { cwd, env });
  await saw('schedule.waiting', 'first');
  write('no name');
  child.kill('SIGHUP');
  await saw('schedule.reload_failed');
  write('second');
  child.kill('SIGHUP');
  await saw('schedule.waiting', 'second');
  child.kill('SIGTERM');
  expect((await ended).code).toBe(143);
});
