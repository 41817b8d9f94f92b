import { expect, test } from 'vitest';
import { queueLines, type QueueState } from '../../src/scale/queue/queue-state.ts';

const since = new Date('2026-03-01T02:10:00Z');
const round = { job_id: '1', run: 'run-1', round: '000001', slices: 24, tries: 0, since };
const state: QueueState = {
  isPaused: false,
  processes: [],
  runs: [],
  organizations: [],
  deadLetters: [],
  partsWaiting: 0,
  zone: null,
};

test('the state of the queue says who waits since when, and who until when', () => {
  const organizations: QueueState['organizations'] = [
    { ...round, organization: 'account:acme', state: 'under way' },
    { ...round, organization: 'o1', state: 'parked' },
    { ...round, organization: 'o2', state: 'waiting' },
    { ...round, organization: 'o3', state: 'tried again', slices: 1, tries: 2 },
  ];
  expect(queueLines({ ...state, organizations }).slice(1)).toEqual([
    '  account acme: under way since 2026-03-01 02:10 UTC, 24 slices',
    '  organization o1: parked until 2026-03-01 02:10 UTC, 24 slices',
    '  organization o2: waiting since 2026-03-01 02:10 UTC, 24 slices',
    '  organization o3: tried again from 2026-03-01 02:10 UTC, 1 slice, try 3',
    '  ! no worker is there: start answerlake worker',
    '  ! no loader is there: start answerlake loader',
  ]);
});

test('a paused queue, missing processes and dead letters are told with what to do', () => {
  const process = { process_id: '1', host: 'h1', version: '0.0.0', started_at: since, seen_at: since };
  const processes: QueueState['processes'] = [
    { ...process, kind: 'worker', is_alive: false, detail: { landing_problem: 'gone' } },
    {
      ...process,
      kind: 'loader',
      is_alive: true,
      detail: { landing_problem: 'it is full.', parked: [['account:acme', since.getTime()]] },
    },
  ];
  const dead = {
    id: '1',
    run: 'run-1',
    organization: 'o1',
    slices: 3,
    reason: 'it cannot land',
    died_at: since,
  };
  expect(queueLines({ ...state, processes, isPaused: true, deadLetters: [dead], partsWaiting: 1 })).toEqual([
    '0 workers, 1 loader',
    '  account acme: parked until 2026-03-01 02:10 UTC',
    '  1 part is not loaded yet',
    '  ! the queue is paused: answerlake queue resume goes on',
    '  ! no worker is there: start answerlake worker',
    '  ! the loader on h1 waits for the landing zone: it is full',
    '  ! organization o1 was given up (it cannot land): answerlake queue retry tries it again',
  ]);
});
