import type { SliceJob } from '../../src/plan/owed.ts';
import { expect, test } from 'vitest';
import { silentLog } from '../../src/log.ts';
import type { SliceOutcome } from '../../src/load/prepare-answer.ts';
import type { ApiClient } from '../../src/extract/client.ts';
import { SliceAsker, type OutcomeSink } from '../../src/run/ask.ts';
import type { Problem } from '../../src/run/outcome.ts';
import { Progress } from '../../src/run/progress.ts';
import { json, openScriptedServer } from '../support/scripted-server.ts';
import { openRig, secretOf } from '../extract/rig.ts';
import { days, sliceOf } from '../support/answers.ts';
import { virtualEffects } from '../support/virtual-effects.ts';
import { FIRST_RUN } from '../support/warehouse-file.ts';

const account = {
  config: { name: 'acme', apiKey: secretOf('a-key'), projects: 'all' as const },
  organizationId: 'o1',
  isOrganizationKey: true,
};
const JOBS: SliceJob[] = Array.from({ length: 9 }, (_, index) => {
  const slice = sliceOf('visibility', { scope: 'model', scopeId: `m${String(index)}` });
  return { planned: { slice, asked: null, limit: null, askedWith: '' }, account, projectHeader: undefined };
});

/** A sink that has room for so many outcomes until it is emptied. */
function sinkOf(capacity: number): OutcomeSink & { taken: SliceOutcome[]; empty: () => void } {
  const taken: SliceOutcome[] = [];
  let left = capacity;
  let empty = (): void => undefined;
  const emptied = new Promise<void>((resolve) => {
    empty = () => {
      left = Number.POSITIVE_INFINITY;
      resolve();
    };
  });
  return {
    taken,
    empty,
    waitForCapacity: async () => {
      if (taken.length >= left) await emptied;
    },
    push: async (outcome) => {
      taken.push(outcome);
    },
  };
}

/** Asks for jobs with one request at a time. */
function ask(jobs: readonly SliceJob[], client: ApiClient, sink: OutcomeSink): Promise<Problem[]> {
  const asker = new SliceAsker({
    config: { api: { concurrency: 1 }, sync: { endpoints: {}, timezone: 'UTC' } },
    effects: virtualEffects(0),
    log: silentLog,
    signal: new AbortController().signal,
    run: FIRST_RUN,
    clients: { of: () => client },
    progress: new Progress(undefined),
    sink,
  });
  return asker.ask(jobs);
}

test('the slices of one series are asked one after the other, those of two at the same time', async () => {
  const waiting: (() => void)[] = [];
  let expected = 1;
  await using server = await openScriptedServer(() => (response, request) => {
    waiting.push(() => json([])(response, request));
    if (waiting.length >= expected) for (const reply of waiting.splice(0)) reply();
  });
  await using rig = openRig(server.origin, { api: { concurrency: 3 } });
  const [first] = JOBS;
  if (first === undefined) throw new Error('no job');
  const ofSeries = (scopeId: string): SliceJob[] =>
    ['01', '02', '03'].map((day) => {
      const window = days(`2026-03-${day}`, `2026-03-${day}`);
      const slice = sliceOf('visibility', { scope: 'model', scopeId, window });
      return { ...first, planned: { ...first.planned, slice } };
    });
  await ask(ofSeries('m1'), rig.client, sinkOf(9));
  expect([server.seen.length, server.mostOpen()]).toEqual([3, 1]);
  expected = 2;
  await ask([...ofSeries('m1'), ...ofSeries('m2')], rig.client, sinkOf(9));
  expect([server.seen.length, server.mostOpen()]).toEqual([9, 2]);
});

test('a sink without room keeps requests back, although answers that are read hold no slot', async () => {
  await using server = await openScriptedServer(() => json([]));
  await using rig = openRig(server.origin, { api: { concurrency: 1 } });
  const sink = sinkOf(2);
  const asked = ask(JOBS, rig.client, sink);
  while (sink.taken.length < 2) await new Promise(setImmediate);
  for (let turns = 0; turns < 200; turns += 1) await new Promise(setImmediate);
  // Two more tasks had begun while the first two answers were read.
  expect([sink.taken.length, server.seen.length]).toEqual([4, 4]);
  sink.empty();
  expect(await asked).toEqual([]);
  expect([sink.taken.length, server.seen.length]).toEqual([9, 9]);
});
