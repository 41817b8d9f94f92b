import { expect, it } from 'vitest';
import { openOutput } from '../../src/cli/terminal/io.ts';
import { openProgressLine, withWaits } from '../../src/cli/terminal/progress-line.ts';
import { silentLog } from '../../src/log.ts';
import { Progress } from '../../src/run/progress.ts';
import { sliceOf } from '../support/answers.ts';

const NOW_MS = Date.UTC(2026, 2, 1, 8, 17);

it('a wait for the quota is shown with its end, so that the bar does not just freeze', () => {
  let text = '';
  const stream = { write: (more: string) => (text += more), on: () => 0, once: () => 0, isTTY: true };
  using line = openProgressLine(openOutput({ ...stream, columns: 200 }, {}), () => NOW_MS);
  const log = withWaits(silentLog, line).child({ account: 'acme' });
  log.info('quota.waiting', { resetAt: '2026-03-01T09:00:00.000Z' });
  expect(text).toContain('waiting for the quota until 09:00 UTC, 43m; Ctrl-C is safe');
  log.info('request.slow', { path: '/api/v1/models' });
  expect(text).toContain('no answer from /api/v1/models for 10 s');
  log.info('throttle.waiting', { requestsPerMinute: 900, until: '2026-03-01T08:17:40.000Z' });
  expect(text).toContain(
    'waiting for api.requests_per_minute (900) until 08:17:40 UTC, 40.0 s; Ctrl-C is safe',
  );
});

it('in 80 columns a wait keeps its end and drops the bar, and a stop stays in the line', () => {
  let [text, nowMs] = ['', NOW_MS];
  const stream = { write: (more: string) => (text += more), on: () => 0, once: () => 0, isTTY: true };
  using line = openProgressLine(openOutput({ ...stream, columns: 80 }, {}), () => nowMs);
  const progress = {
    percent: 56,
    done: 252,
    planned: 450,
    isPlanned: true,
    project: null,
    quotaRemaining: null,
  };
  const drawn = (): string => text.slice(text.lastIndexOf('\u001B[2K') + 4);
  line.show(progress);
  line.wait('waiting for the quota', Date.UTC(2026, 2, 1, 9, 0, 1));
  expect(drawn()).toBe('56 % (252/450) · waiting for the quota until 09:00:01 UTC, 43m 1s');
  line.wait('stopping', Infinity);
  nowMs += 1000;
  line.show({ ...progress, done: 253 });
  expect(drawn()).toContain('(253/450) · stopping');
});

it('the percentage does not fall when later stages are planned', () => {
  const shown: number[] = [];
  const progress = new Progress(({ percent }) => shown.push(percent));
  const load = (): void =>
    progress.loaded({ quotas: new Map() }, { requests: 1, slice: sliceOf('visibility') });
  progress.expect(2);
  load();
  load();
  progress.begin('finer scopes');
  progress.expect(18);
  for (let loaded = 0; loaded < 18; loaded += 1) load();
  expect(shown).toEqual(shown.toSorted((a, b) => a - b));
  expect([shown[0], shown[1], shown.at(-1)]).toEqual([5, 10, 100]);
});
