import { expect, it } from 'vitest';
import { loadConfig } from '../../src/config/file.ts';
import { runDaemon } from '../../src/daemon/run-daemon.ts';
import { realEffects } from '../../src/effects.ts';
import { AnswerlakeError } from '../../src/errors.ts';
import { openLog } from '../../src/log.ts';
import { writePublished } from '../cli/published.ts';
import { openFolder } from '../support/folder.ts';
import { job } from './jobs.ts';

/** A daemon that makes up for nothing waits for its next tick. */
const IN_TIME = { timeout: 60_000 };

it('the daemon makes up for a tick since the last success of an earlier process', IN_TIME, async () => {
  const config = loadConfig({ path: await writePublished(openFolder()), env: { ACME_KEY: 'a-key' } });
  const stopping = new AbortController();
  const events: Record<string, unknown>[] = [];
  const write = (line: string): void => {
    const event = JSON.parse(line) as Record<string, unknown>;
    events.push(event);
    if (event['event'] === 'job.catch_up')
      stopping.abort(new AnswerlakeError('Stopped.', { class: 'stopped', exitCode: 143 }));
  };
  const code = await runDaemon([job('nightly', '17 2 * * *'), job('other', '0 0 * * *')], {
    config,
    effects: { ...realEffects, now: () => Date.parse('2025-03-09T03:00:00Z') },
    log: openLog({ level: 'info', quiet: false, secrets: [], destination: { write } }),
    signal: stopping.signal,
    version: '1',
  });
  expect(code).toBe(143);
  expect(events.filter(({ event }) => event === 'job.catch_up')).toMatchObject([
    { job: 'nightly', missed: '2025-03-09T02:17:00.000Z', gap_days: 4 },
  ]);
});
