import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { loadConfig } from '../../../src/config/file.ts';
import type { NotifyState } from '../../../src/daemon/notify/decide-notifications.ts';
import { runWithNotification } from '../../../src/daemon/notify/run-with-notification.ts';
import { toDay } from '../../../src/day.ts';
import { realEffects } from '../../../src/effects.ts';
import { AnswerlakeError, type ErrorScope } from '../../../src/errors.ts';
import { openLog } from '../../../src/log.ts';
import type { RunReport } from '../../../src/run/run-to-end.ts';
import { syncRequest } from '../../../src/run/sync-request.ts';
import { CONFIG, writePublished } from '../../cli/published.ts';
import { changeFile } from '../../support/file-reader.ts';
import { openFolder } from '../../support/folder.ts';
import { bytes, openScriptedServer } from '../../support/scripted-server.ts';

const KEY = 'canary-key-7f3a91';
const HOOK_PATH = '/services/canary-webhook-51c0de';

interface Situation {
  /** What the webhook answers. */
  status?: number;
  /** From the second request on. */
  later?: number;
  headers?: Record<string, string>;
  published?: { covered?: boolean; expected?: boolean } | null;
  today?: string;
}

/** Runs in a folder with a webhook that keeps what it is told. */
async function openPlace({
  later,
  status = 200,
  headers = {},
  published = {},
  today = '2025-03-06',
}: Situation = {}) {
  const server = await openScriptedServer((n) => bytes('', n === 1 ? status : (later ?? status), headers));
  onTestFinished(() => server[Symbol.asyncDispose]());
  const folder = openFolder();
  if (published !== null) await writePublished(folder, published);
  const path = join(folder, 'answerlake.yaml');
  writeFileSync(path, `${CONFIG}notify: { webhook: env:HOOK }\n`);
  const env = { ACME_KEY: KEY, HOOK: server.origin + HOOK_PATH };
  const config = loadConfig({ path, env, today: toDay('2025-03-06') });
  const lines: string[] = [];
  const log = openLog({
    level: 'info',
    quiet: false,
    secrets: [],
    destination: { write: (line) => lines.push(line) },
  });
  let day = today;
  let passedMs = 0;
  const effects = {
    ...realEffects,
    now: () => Date.parse(`${day}T03:00:00Z`) + passedMs,
    sleep: () => Promise.resolve(),
  };
  const context = { config, effects, log, signal: new AbortController().signal };
  return {
    lines,
    published: join(folder, 'data', 'answers.duckdb'),
    state: join(folder, 'data', '.answers.runs.json'),
    run: (run: () => Promise<RunReport>) => runWithNotification(syncRequest({}), context, run),
    wait: (ms: number) => (passedMs += ms),
    moveTo: (other: string) => {
      day = other;
    },
    bodies: () => server.seen.map(({ body }) => body),
    texts: () => server.seen.map(({ body }) => (JSON.parse(body) as { text: string }).text),
  };
}

const done = (): Promise<RunReport> =>
  Promise.resolve({
    run_id: 'r2',
    job: null,
    status: 'ok',
    exit_code: 0,
    started_at: '2025-03-06T02:00:00.000Z',
    finished_at: '2025-03-06T02:05:00.000Z',
    slices_loaded: 1,
    slices_failed: 0,
    requests: 1,
    failures: [],
  } as unknown as RunReport);

const broken = (scope: ErrorScope = 'run') => {
  const message = `the key ${KEY} is not valid`;
  return () => Promise.reject(new AnswerlakeError(message, { class: 'configuration', scope }));
};

it('the webhook is told a failure once and the recovery, and neither body nor state has a secret', async () => {
  const place = await openPlace();
  await expect(place.run(broken())).rejects.toThrow('is not valid');
  await expect(place.run(broken())).rejects.toThrow('is not valid');
  expect(place.texts()).toEqual(['answerlake: sync failed (exit code 2)']);
  expect(statSync(place.state).mode & 0o777).toBe(0o600);
  await place.run(done);
  await place.run(done);
  expect(place.texts().slice(1)).toEqual(['answerlake: sync works again']);
  const shown = [...place.bodies(), ...place.lines, readFileSync(place.state, 'utf8')].join('\n');
  for (const secret of [KEY, HOOK_PATH]) expect(shown).not.toContain(secret);
});

it('a full disk that refuses the state makes a process neither repeat a failure nor forget the recovery', async () => {
  const place = await openPlace();
  mkdirSync(place.state);
  for (const _ of [1, 2, 3]) await expect(place.run(broken())).rejects.toThrow('is not valid');
  expect(place.texts()).toEqual([expect.stringContaining('failed')]);
  expect(place.lines.join('')).toContain('notify.not_stored');
  rmSync(place.state, { recursive: true });
  await place.run(done);
  expect(place.texts().slice(1)).toEqual([expect.stringContaining('works again')]);
  expect(JSON.parse(readFileSync(place.state, 'utf8'))).toMatchObject({ alerts: [] });
});

it('a recovery is told once although the published file cannot be read for the weekly message', async () => {
  const place = await openPlace();
  await expect(place.run(broken())).rejects.toThrow('is not valid');
  rmSync(place.published);
  writeFileSync(place.published, 'no database');
  await place.run(done);
  await place.run(done);
  expect(place.texts()).toEqual(['answerlake: sync failed (exit code 2)', 'answerlake: sync works again']);
});

it('a webhook that fails never fails a run, and the next run sends the message', async () => {
  const place = await openPlace({ status: 500 });
  for (const count of [2, 4]) {
    await expect(place.run(broken())).rejects.toThrow('is not valid');
    expect(place.texts()).toHaveLength(count);
  }
  expect(place.lines.join('')).toContain('"event":"notify.failed"');
  expect(place.lines.join('')).not.toContain(HOOK_PATH);
});

it('a mistyped project sends nothing; a run without a folder leaves no file', async () => {
  const place = await openPlace({ published: null });
  await expect(place.run(broken('project'))).rejects.toThrow('is not valid');
  expect(place.texts()).toEqual([]);
  await expect(place.run(broken())).rejects.toThrow('is not valid');
  expect([place.texts().length, existsSync(place.state)]).toEqual([1, false]);
  expect(place.lines.join('')).not.toContain('notify.failed');
});

it.each<[string, Situation, RegExp]>([
  ['a day old', { today: '2025-03-06' }, /^$/],
  [
    'three days old',
    { today: '2025-03-08' },
    /^\{"text":"answerlake: data is stale".*Fernhill visibility: answered 3 days ago/,
  ],
  ['of a series that was never answered', { today: '2025-03-08', published: { covered: false } }, /^$/],
])('the webhook is told of data that is %s as far as it is stale', async (_, situation, told) => {
  const place = await openPlace(situation);
  await place.run(done);
  expect(place.bodies().join('')).toMatch(told);
});

const MOVED = `create or replace view main.why_visibility_moved as
  select v.*, 54.2 as visibility_before, 45.1 as visibility_after, -9.1 as change, 3.0 as typical_change, null::varchar as not_told
  from (values ('p1', 'Fernhill', 7, 'prompts_added', -8.7), ('p1', 'Fernhill', 7, 'real_change', -0.4),
    ('p1', 'Fernhill', 7, 'models', 0.01), ('p1', 'Fernhill', 28, 'real_change', 1.0)) v(project_id, project_name, window_days, part, points)`;

it('the webhook is told once a week why visibility moved, after a run that loaded', async () => {
  const place = await openPlace();
  await place.run(done);
  expect(place.texts()).toEqual([]);
  await changeFile(place.published, MOVED);
  await expect(place.run(broken())).rejects.toThrow('is not valid');
  expect(place.texts()).toHaveLength(1);
  await place.run(done);
  await place.run(done);
  const told = 'answerlake: visibility over the last 7 days against the 7 before';
  expect(place.texts().slice(1)).toEqual(['answerlake: sync works again', told]);
  expect(place.bodies()[2]).toContain('• Fernhill −9.1 (54.2 to 45.1): new prompts −8.7, real change −0.4');
  place.moveTo('2025-03-09');
  await place.run(done);
  expect(place.texts().filter((text) => text === told)).toHaveLength(1);
  place.moveTo('2025-03-10');
  await place.run(done);
  expect(place.texts().filter((text) => text === told)).toHaveLength(2);
});

it('a webhook that asks for a pause gets no message before its end, and what became of the newest one is kept', async () => {
  const place = await openPlace({ status: 429, later: 200, headers: { 'retry-after': '600' } });
  const delivery = () => (JSON.parse(readFileSync(place.state, 'utf8')) as NotifyState).delivery;
  for (const passedMs of [0, 599_000]) {
    place.wait(passedMs);
    await expect(place.run(broken())).rejects.toThrow('is not valid');
    expect(place.bodies()).toHaveLength(1);
  }
  const [at, until] = ['2025-03-06T03:00:00.000Z', '2025-03-06T03:10:00.000Z'];
  expect(delivery()).toEqual({ at, problem: 'answered 429', not_before: until });
  expect(place.lines.join('')).toContain('wants no message before 2025-03-06T03:10');
  place.wait(1000);
  await expect(place.run(broken())).rejects.toThrow('is not valid');
  expect([place.bodies().length, delivery()]).toEqual([2, { at: until, problem: null, not_before: null }]);
});
