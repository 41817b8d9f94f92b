import { expect, test } from 'vitest';
import { endpointNamed } from '../support/catalogue.ts';
import { estimateRequests, hoursNeeded, plannedHours, sumByEndpoint } from '../../src/plan/estimate.ts';
import type { ListSizes } from '../../src/plan/estimate.ts';
import { askedDays, type PlannedSlice } from '../../src/plan/plan.ts';
import type { QuotaSnapshot } from '../../src/extract/quota-state.ts';
import type { Reached } from '../../src/extract/reach-projects.ts';
import { sliceWindow } from '../../src/slice.ts';
import { sliceOf, type SliceChanges } from '../support/answers.ts';
import { ACCOUNT } from './input.ts';

function planned(name: string, changes: Partial<PlannedSlice> & { target?: SliceChanges } = {}) {
  const { target, ...rest } = changes;
  const slice = sliceOf(name, target);
  const asked = sliceWindow(slice);
  return { endpoint: endpointNamed(name), slice, asked, limit: null, askedWith: '', ...rest };
}

const SIZES: ListSizes = { prompts: 200, brands: 30, cut_lists: ['domain_citations'] };

test.each<[string, Partial<PlannedSlice>, Partial<ListSizes & { pageSize: number }>, number]>([
  ['visibility', {}, {}, 1],
  // A full last page is followed by one more request.
  ['prompts', {}, {}, 3],
  ['prompts', {}, { prompts: 199 }, 2],
  ['prompts', {}, { pageSize: 50 }, 5],
  ['events', {}, {}, 1],
  // 30 brands on each of 7 days.
  ['brand_visibility', { limit: 100 }, {}, 3],
  ['brand_visibility', { limit: 210 }, {}, 2],
  ['brand_visibility', { limit: 211 }, {}, 1],
  ['brand_visibility', {}, {}, 1],
  // A list that was cut off is followed by one request for the names that it lacks.
  ['domain_citations', { wanted: ['a.example'] }, {}, 2],
  ['domain_citations', { wanted: [] }, {}, 1],
  ['domain_citations', {}, {}, 1],
  ['domain_citations', { wanted: ['a.example'] }, { cut_lists: [] }, 1],
])('a slice of %s with %j and lists of %j takes %i requests', (...[endpoint, changes, sizes, requests]) => {
  const found = estimateRequests(planned(endpoint, changes), { ...SIZES, ...sizes }, sizes.pageSize);
  expect(found).toBe(requests);
});

test('estimates are summed by project and endpoint, in the order of the plan', () => {
  const ofProject = (projectId: string | null, endpoint: string, requests: number) => ({
    planned: planned(endpoint, { target: { projectId } }),
    requests,
  });
  const sums = sumByEndpoint(
    [
      ofProject('q', 'visibility', 1),
      ofProject('p', 'visibility', 2),
      ofProject('q', 'visibility', 3),
      ofProject('q', 'sentiment', 4),
      ofProject(null, 'models', 5),
    ],
    new Map([['q', 'Quince']]),
  );
  expect(sums).toEqual([
    { project_id: 'q', project_name: 'Quince', endpoint: 'visibility', slices: 2, requests: 4 },
    { project_id: 'p', project_name: null, endpoint: 'visibility', slices: 1, requests: 2 },
    { project_id: 'q', project_name: 'Quince', endpoint: 'sentiment', slices: 1, requests: 4 },
    { project_id: '', project_name: null, endpoint: 'models', slices: 1, requests: 5 },
  ]);
});

test.each([
  [90, 100, 100, 1],
  [91, 100, 100, 2],
  [180, 100, 100, 2],
  [181, 100, 100, 3],
  [1, 100, 10, 2],
  [90, 100, 10, 2],
  // Others have used more than the reserve leaves.
  [91, 100, 0, 3],
  [2, 0, 0, 3],
])(
  '%i requests with a quota of %i, %i of them left, take %i hours',
  (...[requests, limit, remaining, hours]) => {
    expect(hoursNeeded(requests, { limit, remaining }, 0.1)).toBe(hours);
  },
);

/** Requests of one project of each organization, whose key has no quota but the remembered one. */
function hoursOf(requests: Readonly<Record<string, number>>, quotas: Record<string, QuotaSnapshot>) {
  const accounts = Object.keys(requests).map((name) => ({
    ...ACCOUNT,
    config: { ...ACCOUNT.config, name },
    organizationId: name,
  }));
  const projects = accounts.map((account) => {
    return { projectId: account.config.name, account, except: [] };
  });
  return plannedHours({
    reached: { ...NOTHING_REACHED, accounts, projects },
    planned: Object.entries(requests).map(([projectId, count]) => {
      return { planned: planned('visibility', { target: { projectId } }), requests: count };
    }),
    organizations: new Map(),
    quotas: new Map(),
    remembered: new Map(Object.entries(quotas)),
    reserve: 0,
    now: 1000,
  });
}

const NOTHING_REACHED: Reached = {
  accounts: [],
  projects: [],
  answers: [],
  problems: [],
  listed: null,
  listedBy: new Map(),
  serverAheadMs: null,
};

test('a plan takes the hours of the organization that needs most, by the quotas whose hour still runs', () => {
  const small = { limit: 10, remaining: 10, resetAt: 2000 };
  const large = { limit: 1000, remaining: 1000, resetAt: 2000 };
  // Each key and each project is validated too.
  const quota = { limit: 10, remaining: 10, reset_at: '1970-01-01T00:00:02.000Z' };
  const needed = { quota, hours: 2 };
  expect(hoursOf({ small: 18, large: 900 }, { small, large })).toEqual(needed);
  expect(hoursOf({ large: 900, small: 18 }, { small, large })).toEqual(needed);
  expect(hoursOf({ small: 19 }, { small })).toEqual({ quota, hours: 3 });
  const unknown = { quota: null, hours: null };
  expect(hoursOf({ small: 18 }, { small: { ...small, resetAt: 1000 } })).toEqual(unknown);
});

test('a slice without days asks for none', () => {
  expect([askedDays(planned('prompts')), askedDays(planned('visibility'))]).toEqual([0, 7]);
});
