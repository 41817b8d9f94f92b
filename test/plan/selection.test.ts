import { expect, it } from 'vitest';
import type { Config, EndpointSettings } from '../../src/config/config.ts';
import { toDay, type Grain } from '../../src/day.ts';
import { catalogue, endpointNamed } from '../support/catalogue.ts';
import { owedSlices, type Stage } from '../../src/plan/owed.ts';
import {
  askedWith,
  correctionMs,
  enabledEndpoints,
  endDateOf,
  endpointPlan,
  selectRun,
  serverDay,
} from '../../src/plan/selection.ts';
import { syncRequest } from '../../src/run/sync-request.ts';
import { PLAIN } from '../config/loaded.ts';
import { ACCOUNT, NOTHING_KNOWN, NO_VALUES } from './input.ts';

const NEWEST = toDay('2025-03-05');

const CONFIG: Config = { ...PLAIN, sync: { ...PLAIN.sync, startDate: toDay('2025-03-01') } };

function select(days: { from?: string; to?: string; today?: string }) {
  const named = Object.entries(days).map(([name, day]) => [name, toDay(day)]);
  return selectRun(CONFIG, syncRequest(Object.fromEntries(named)), NEWEST);
}

it('the days of a run go from the configured first day to today, or as the flags say', () => {
  expect(select({}).range).toEqual({ start: '2025-03-01', end: '2025-03-05' });
  const [first, last, only] = ['2025-02-01', '2025-03-04', '2025-03-03'];
  expect(select({ from: first, today: last }).range).toEqual({ start: first, end: last });
  expect(select({ from: only, to: only }).range).toEqual({ start: only, end: only });
});

it('only answers of the chain count for a run of named days, or of all days again', () => {
  const chainOnly = (request: Parameters<typeof syncRequest>[0]): boolean =>
    selectRun(CONFIG, syncRequest(request), NEWEST).chainOnly;
  expect([{}, { today: NEWEST }].map(chainOnly)).toEqual([false, false]);
  expect([{ full: true }, { from: NEWEST }, { to: NEWEST }].map(chainOnly)).toEqual([true, true, true]);
});

it('an endpoint that the configuration disables is not asked', () => {
  const { sync, ...rest } = CONFIG;
  const endpoints = { visibility: { enabled: false }, sentiment: { enabled: true } };
  const asked = enabledEndpoints({ ...rest, sync: { ...sync, endpoints } }).map(({ name }) => name);
  expect(asked).toEqual(catalogue.map(({ name }) => name).filter((name) => name !== 'visibility'));
});

it('runs are put in order by the clock of the server when ours is more than an hour off', () => {
  const hour = 3_600_000;
  expect([null, 0, hour, -hour].map(correctionMs)).toEqual([0, 0, 0, 0]);
  expect([hour + 1, -hour - 1].map(correctionMs)).toEqual([hour + 1, -hour - 1]);
  expect([hour, -hour].map((aheadMs) => serverDay(0, aheadMs).warning)).toEqual([null, null]);
  const warned = (words: string): unknown => expect.stringContaining(words);
  expect(serverDay(0, null)).toEqual({ day: '1970-01-01', warning: warned('Date without Age') });
  expect(serverDay(0, -hour - 1)).toMatchObject({ day: '1969-12-31', warning: warned('ahead') });
});

it.each([
  [{ from: '2025-03-03', to: '2025-03-01' }, '--from 2025-03-03 is after --to 2025-03-01. Swap the two'],
  [{ from: '2025-03-06' }, '--from 2025-03-06 is after today (UTC). Choose an earlier first day.'],
  [{ from: '2025-03-01', to: '2025-03-06' }, '--to 2025-03-06 is after today (UTC). Choose that day'],
  [{ today: '2025-02-01' }, 'sync.start_date 2025-03-01 is after --today 2025-02-01.'],
  [{ today: '2025-03-06' }, '--today 2025-03-06 is in the future'],
])('the days of a run refuse %j', (days, message) => {
  expect(() => select(days)).toThrow(message);
});

it('an endpoint that knows none of the wanted periods is asked for those that it has', () => {
  const plan = (name: string, grains: readonly Grain[], own?: readonly Grain[]): readonly Grain[] => {
    const endpoints = own === undefined ? {} : { [name]: { grains: [...own] } };
    const changed = { ...CONFIG, sync: { ...CONFIG.sync, grains: [...grains], endpoints } };
    return endpointPlan(changed, endpointNamed(name)).grains;
  };
  expect(plan('response_sentiment', ['week', 'month'])).toEqual(['day']);
  expect(plan('crawler_requests', ['day', 'week'])).toEqual(['day']);
  expect(plan('visibility', ['week', 'month'])).toEqual(['week', 'month']);
  expect(plan('visibility', ['day'], ['week'])).toEqual(['week']);
});

/** The slices of a project that nothing is known of but a model, and the accounts that ask for them. */
function owed(stage: Stage, accounts = [ACCOUNT], waits: Readonly<Record<string, number>> = { p: 0 }) {
  return owedSlices([stage], {
    ...NOTHING_KNOWN,
    plans: catalogue.map((endpoint) => endpointPlan(CONFIG, endpoint)),
    range: { start: NEWEST, end: NEWEST },
    today: NEWEST,
    reached: {
      accounts,
      projects: Object.keys(waits).map((projectId) => ({ projectId, account: ACCOUNT, except: [] })),
    },
    again: () => [],
    lastAskedOf: (id) => waits[id] ?? 0,
    recent: { start: NEWEST, end: NEWEST },
    valuesOf: () => ({ ...NO_VALUES, model: ['a'] }),
    mentions: ['p', 'elsewhere'].map((projectId) => ({
      plan: endpointPlan(CONFIG, endpointNamed('prompt')),
      projectId,
      id: 'p-9',
    })),
    namesOf: (endpoint) => (endpoint === 'domain_citations' ? ['a.example'] : null),
  });
}

it('a list of the key is asked once a key, and one of the run once a run', () => {
  const other = { ...ACCOUNT, config: { ...ACCOUNT.config, name: 'other' } };
  const lists = owed('reference', [ACCOUNT, other]).filter(({ planned }) => planned.slice.projectId === null);
  expect(lists.map(({ planned: { slice }, account }) => [slice.endpoint, slice.scopeId, account])).toEqual([
    ['validate_v1', 'acme', ACCOUNT],
    ['validate_v1', 'other', other],
    ['models', '', ACCOUNT],
  ]);
});

it('a short quota for finer scopes goes first to the project that waits longest', () => {
  const waits: Readonly<Record<string, number>> = { p: 2, q: 1 };
  const order = (stage: Stage): unknown[] => [
    ...new Set(owed(stage, [ACCOUNT], waits).map(({ planned }) => planned.slice.projectId)),
  ];
  expect(order('finer scopes')).toEqual(['q', 'p']);
  expect(order('windows')).toEqual(['p', 'q']);
});

it('each endpoint is asked for in the stage of its kind, finer scopes apart', () => {
  const namesOf = (stage: Stage): Set<string> =>
    new Set(owed(stage).map(({ planned }) => planned.slice.endpoint));
  const series = catalogue.filter(({ isDaily }) => isDaily).map(({ name }) => name);
  const own = series.filter((name) => name !== 'domain_citations');
  expect(namesOf('reference')).toEqual(new Set(['validate_v1', 'models', 'prompts']));
  expect(namesOf('series')).toEqual(new Set(own));
  expect(owed('named series').map(({ planned: { slice, wanted } }) => [slice.endpoint, wanted])).toEqual([
    ['domain_citations', ['a.example']],
  ]);
  const windows = catalogue.filter(({ cut }) => cut.kind === 'window').map(({ name }) => name);
  expect(namesOf('windows')).toEqual(new Set(windows));
  const finer = owed('finer scopes').map(({ planned }) => [planned.slice.scope, planned.slice.scopeId]);
  expect(new Set(finer.map((one) => one.join(' ')))).toEqual(new Set(['model a']));
  expect(
    owed('look-ups').map(({ planned: { slice } }) => [slice.endpoint, slice.projectId, slice.scopeId]),
  ).toEqual([['prompt', 'p', 'p-9']]);
});

const settings = (visibility: EndpointSettings | undefined, timezone = 'UTC'): Config => ({
  ...CONFIG,
  sync: { ...CONFIG.sync, timezone, endpoints: visibility === undefined ? {} : { visibility } },
});
const digest = (own: EndpointSettings | undefined, timezone?: string, endpoint = 'visibility'): string =>
  askedWith(settings(own, timezone), endpointNamed(endpoint));

it.each<[string, EndpointSettings]>([
  ['another path', { path: '/v3/visibility' }],
  ['a renamed parameter', { parameters: { range: 'step' } }],
  ['another end_date', { endDate: 'exclusive' }],
])('%s of an endpoint changes what its answers mean', (_title, own) => {
  expect(digest(own)).not.toBe(digest({}));
  expect(digest(own, 'UTC', 'sentiment')).toBe(digest({}, 'UTC', 'sentiment'));
});

it('settings that send the same requests have one digest of 16 characters', () => {
  expect(digest({})).toMatch(/^[0-9a-f]{16}$/);
  expect(digest(undefined)).toBe(digest({}));
  const { path } = endpointNamed('visibility');
  expect(digest({ path, parameters: { range: 'range' }, endDate: 'inclusive' })).toBe(digest({}));
  const [range, endDate] = ['step', 'to'];
  expect(digest({ parameters: { range, endDate } })).toBe(digest({ parameters: { endDate, range } }));
});

it('the time zone counts where an endpoint is asked with it', () => {
  const changed = catalogue.filter(({ name }) => digest({}, 'UTC', name) !== digest({}, 'Asia/Tokyo', name));
  expect(changed).toEqual(catalogue.filter(({ hasTimezone }) => hasTimezone));
  expect(changed.length).toBeGreaterThan(0);
});

it('an endpoint has the end_date of its own or that of the API', () => {
  const own = settings({ endDate: 'exclusive' });
  expect([endDateOf(own, 'visibility'), endDateOf(own, 'sentiment')]).toEqual(['exclusive', 'inclusive']);
});
