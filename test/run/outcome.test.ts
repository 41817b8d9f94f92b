import { expect, it } from 'vitest';
import { AnswerlakeError, type ErrorClass } from '../../src/errors.ts';
import { NO_ROWS } from '../../src/load/merge.ts';
import { silentLog } from '../../src/log.ts';
import { concludeRun, logResult, Outcome, outcomeWarnings } from '../../src/run/outcome.ts';
import type { SliceResult, Step } from '../../src/run/outcome.ts';
import { sliceOf } from '../support/answers.ts';

const error = (kind: ErrorClass) => new AnswerlakeError('it broke', { class: kind });
const problem = (kind: ErrorClass): Step => ({ problems: [{ error: error(kind), account: 'acme' }] });
const REACHED = { reached: { accounts: 1, projects: 1 } };
const FAILURE = { errorClass: 'contract', message: 'another shape', alarm: 'bad_row' } as const;
const SHRUNK = { ...FAILURE, alarm: 'shrunk' } as const;

function result(status: SliceResult['status'], more: Partial<SliceResult> = {}): SliceResult {
  const plain = { counts: NO_ROWS, requests: 1, failure: null, drifts: 0 };
  return { slice: sliceOf('visibility'), status, ...plain, ...more };
}

const slices = (...results: SliceResult[]): Step => ({ ...REACHED, results });

function outcomeOf(...steps: Step[]): Outcome {
  const outcome = new Outcome();
  for (const step of steps) outcome.add(step);
  return outcome;
}

function end(step: Step, isStrict = false, signal = new AbortController().signal) {
  const { exitCode, status } = concludeRun(outcomeOf(step), { isStrict, signal });
  return `${exitCode} ${status}`;
}

it.each<[string, Step, string]>([
  ['nothing happened', {}, '0 ok'],
  ['a slice loaded', slices(result('loaded')), '0 ok'],
  ['one of two slices failed', slices(result('loaded'), result('failed', { failure: FAILURE })), '3 partial'],
  ['an answer was suspicious', slices(result('suspicious', { failure: SHRUNK })), '3 partial'],
  ['days were too old for the server', slices(result('refused', { failure: FAILURE })), '0 ok'],
  ['a row was refused', slices(result('loaded', { counts: { ...NO_ROWS, rejected: 1 } })), '0 ok'],
  ['the quota is used up', { ...REACHED, ...problem('quota') }, '5 parked'],
  ['the server cannot be reached', { ...REACHED, ...problem('transient') }, '5 failed'],
  ['one key of several is wrong', { ...REACHED, ...problem('auth') }, '3 partial'],
  ['the only key is wrong', problem('auth'), '4 failed'],
  ['keys work and reach nothing', { reached: { accounts: 1, projects: 0 }, ...problem('auth') }, '4 failed'],
  ['the only key has no usable answer', problem('contract'), '5 failed'],
  ['a key has no usable answer, another works', { ...REACHED, ...problem('contract') }, '3 partial'],
  ['a file is held by another process', { ...REACHED, ...problem('locked') }, '6 failed'],
  ['anything else was thrown', { ...REACHED, problems: [{ error: new TypeError('no') }] }, '1 failed'],
])('a run where %s ends with its exit code and status', (_, step, expected) => {
  expect(end(step)).toBe(expected);
});

it('a run warns of refused rows, undocumented fields and days that are too old', () => {
  const told = (...results: SliceResult[]): string[] => outcomeWarnings(outcomeOf({ results }));
  expect(told(result('loaded'))).toEqual([]);
  const odd = result('loaded', { counts: { ...NO_ROWS, rejected: 2 }, drifts: 1 });
  expect(told(odd, result('refused', { failure: FAILURE }))).toEqual(
    ['2 rows refused', 'does not document', '1 slice too old'].map((words) => expect.stringContaining(words)),
  );
});

it('a trouble that is known makes no run partial, but a strict one', () => {
  const known = { ...slices(result('failed', { failure: FAILURE })), isKnown: () => true };
  expect(end(known)).toBe('0 ok');
  expect(end(known, true)).toBe('3 partial');
  expect(end({ ...known, isKnown: (_, reason) => reason === 'refused' })).toBe('3 partial');
  const outcome = outcomeOf(known);
  const warnings = [expect.stringContaining('1 answer with')];
  expect([outcome.failures, outcomeWarnings(outcome)]).toEqual([[], warnings]);
});

it('a strict run is partial when a row was refused or a field is new', () => {
  expect(end(slices(result('loaded')), true)).toBe('0 ok');
  expect(end(slices(result('loaded', { counts: { ...NO_ROWS, rejected: 1 } })), true)).toBe('3 partial');
  expect(end(slices(result('loaded', { drifts: 1 })), true)).toBe('3 partial');
});

it('a run that was stopped ends with the code of the signal, whatever happened before', () => {
  const terminated = new AnswerlakeError('Stopped by SIGTERM.', { class: 'stopped', exitCode: 143 });
  expect(end(problem('quota'), false, AbortSignal.abort(terminated))).toBe('143 stopped');
  expect(end({}, false, AbortSignal.abort('no reason'))).toBe('130 stopped');
});

it('an outcome adds up its steps and tells each failure with its place', () => {
  const figures = { inserted: 1, updated: 2, deleted: 4, unchanged: 8, deduplicated: 16 };
  const counts = { ...NO_ROWS, ...figures, received: 27, rejected: 3 };
  const loaded = result('loaded', { counts, drifts: 5 });
  const [failed, refused] = (['failed', 'refused'] as const).map((one) => result(one, { failure: FAILURE }));
  const suspicious = result('suspicious', { failure: SHRUNK });
  const steps: Step[] = [
    { ...REACHED, results: [loaded, failed ?? loaded], warnings: ['first'] },
    {
      results: [result('empty'), refused ?? loaded, suspicious],
      problems: [{ error: error('auth'), account: 'acme', projectId: 'p' }, { error: 'text' }],
      warnings: ['second'],
    },
  ];
  const { totals, failures, ...rest } = outcomeOf(...steps);
  const warnings = ['first', 'second'];
  expect(rest).toEqual({
    ...REACHED,
    warnings,
    drifts: 5,
    known: 0,
    newlyKnown: 0,
    refused: 1,
    viewsLeftOut: 0,
    exitCodes: new Set([4, 1]),
  });
  expect(Object.values(totals).join(' ')).toBe('27 1 2 4 8 3 16 2 1');
  const ofSlice = { scope: 'slice', class: 'contract', message: 'another shape' };
  expect(failures).toMatchObject([
    { ...ofSlice, project: 'project-1', endpoint: 'visibility' },
    { scope: 'run', account: 'acme', project: 'p', endpoint: null, class: 'auth', message: 'it broke' },
    { scope: 'run', account: null, project: null, endpoint: null, class: 'bug', message: 'text' },
    { scope: 'slice', alarm: 'shrunk' },
  ]);
});

it('each slice is one line of the log: level and event say what became of it, fields which slice it is', () => {
  const lines: (readonly [string, string, object | undefined])[] = [];
  const write = (level: string) => (event: string, fields?: object) =>
    void lines.push([level, event, fields]);
  const log = { ...silentLog, debug: write('debug'), warn: write('warn') };
  const model = { slice: sliceOf('visibility', { scope: 'model', scopeId: 'm' }) };
  for (const one of [
    result('loaded', model),
    result('loaded', { slice: sliceOf('response_summary'), failure: FAILURE }),
    result('failed', { slice: sliceOf('prompts'), failure: FAILURE }),
    result('refused', { failure: FAILURE }),
    result('suspicious', { failure: FAILURE }),
  ])
    logResult(log, 'run-1', one);
  expect(lines.map(([level, event]) => `${level} ${event}`)).toEqual([
    'debug slice.loaded',
    'warn slice.incomplete',
    'warn slice.failed',
    'warn slice.refused',
    'warn slice.suspicious',
  ]);
  const [loaded, incomplete, failed] = lines.map(([, , fields]) => Object.keys(fields ?? {}).join(' '));
  const counts = 'status rows changed rejected requests';
  expect(loaded).toBe(`run endpoint project scope scope_id grain from to ${counts}`);
  expect(incomplete).toBe(`run endpoint project window_kind from to ${counts} error`);
  expect(failed).toBe(`run endpoint project ${counts} error`);
});
