import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { cli } from '../../cli/run.ts';
import { openPlace, ORGANIZATION_KEY, WEBHOOK_PATH, type Place } from '../serve/daemon-rig.ts';
import { bytes, openScriptedServer } from '../../support/scripted-server.ts';

/** A webhook that keeps what it is told. */
async function openHook(status = 200) {
  const server = await openScriptedServer(() => bytes('', status));
  onTestFinished(() => server[Symbol.asyncDispose]());
  return {
    url: `${server.origin}${WEBHOOK_PATH}`,
    bodies: () => server.seen.map(({ body }) => body),
    texts: () => server.seen.map(({ body }) => (JSON.parse(body) as { text: string }).text),
  };
}

const FEW = ['--endpoint', 'visibility', 'events', '--max-wait', '0'];

function sync(place: Place, ...more: string[]) {
  const config = join(place.folder, 'answerlake.yaml');
  return cli(['sync', '--config', config, ...FEW, ...more], { env: place.env });
}

it('notifications of sync tell failure once and recovery, across processes and without a secret', async () => {
  const hook = await openHook();
  const place = await openPlace({ webhook: hook.url });
  const wrong = { ...place, env: { ...place.env, KEY: 'canary-wrong-key-000' } };
  expect((await sync(wrong)).code).toBe(4);
  expect((await sync(wrong)).code).toBe(4);
  expect(hook.texts()).toEqual(['answerlake: sync failed (exit code 4)']);
  const good = await sync(place);
  expect(good.code).toBe(0);
  expect(hook.texts().slice(1)).toEqual(['answerlake: sync works again']);
  await sync(place);
  expect(hook.texts()).toHaveLength(2);
  const shown = [...hook.bodies(), good.stdout, good.stderr, readRuns(place)].join('\n');
  for (const secret of [ORGANIZATION_KEY, 'canary-wrong-key-000', WEBHOOK_PATH]) {
    expect(shown).not.toContain(secret);
  }
});

it('sync reports a recovery by the journal of runs when the state of notifications is missing', async () => {
  const hook = await openHook();
  const place = await openPlace({ webhook: hook.url });
  place.simulator.setFaults(({ path }) =>
    path.includes('visibility-time-series') ? { kind: 'status', status: 400 } : undefined,
  );
  await sync(place);
  writeFileSync(join(place.folder, 'data', '.answers.runs.json'), '{"version": 1, "jobs": [');
  place.simulator.setFaults(undefined);
  expect((await sync(place)).code).toBe(0);
  expect(hook.texts().at(-1)).toBe('answerlake: sync works again');
});

it('sync sends a message about stale data', async () => {
  const hook = await openHook();
  const place = await openPlace({ webhook: hook.url });
  const threeDaysAgo = new Date(Date.now() - 3 * 86_400_000).toISOString().slice(0, 10);
  expect((await sync(place, '--today', threeDaysAgo)).code).toBe(0);
  expect(hook.texts()).toEqual(['answerlake: data is stale']);
  expect((await sync(place)).code).toBe(0);
  expect(hook.texts().slice(1)).toEqual(['answerlake: data is fresh again']);
});

it('notifications of sync never fail a run, whatever the webhook answers', async () => {
  const hook = await openHook(500);
  const place = await openPlace({ webhook: hook.url });
  place.simulator.setFaults(({ path }) =>
    path.includes('visibility-time-series') ? { kind: 'status', status: 400 } : undefined,
  );
  const { code, stderr } = await sync(place);
  expect(code).toBe(3);
  expect(hook.texts()).toHaveLength(2);
  expect(stderr).toContain('"event":"notify.failed"');
  expect(stderr).not.toContain(WEBHOOK_PATH);
});

it('a dry run sends no message, and a run that touched nothing leaves no file', async () => {
  const hook = await openHook();
  const place = await openPlace({ webhook: hook.url });
  await sync(place, '--dry-run');
  expect(hook.texts()).toEqual([]);
  expect(existsSync(join(place.folder, 'data', '.answers.runs.json'))).toBe(false);
});

function readRuns(place: Place): string {
  return readFileSync(join(place.folder, 'data', '.answers.runs.json'), 'utf8');
}
