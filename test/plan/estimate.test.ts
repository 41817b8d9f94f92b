import { expect, test } from 'vitest';
import { endpointNamed } from '../../src/endpoints/catalogue.ts';
import { estimateRequests, hoursNeeded, sumByEndpoint, type ListSizes } from '../../src/plan/estimate.ts';
import { askedDays, type PlannedSlice } from '../../src/plan/plan.ts';
import { sliceWindow } from '../../src/slice.ts';
import { sliceOf, type SliceChanges } from '../support/answers.ts';

function planned(
  endpoint: string,
  changes: Partial<PlannedSlice> & { target?: SliceChanges } = {},
): PlannedSlice {
  const { target, ...rest } = changes;
  const slice = sliceOf(endpoint, target);
  return { slice, asked: sliceWindow(slice), limit: null, askedWith: '', ...rest };
}

const SIZES: ListSizes = { prompts: 200, brands: 30, cutLists: new Set(['domain_citations']) };

test.each<[string, Partial<PlannedSlice>, Partial<ListSizes>, number]>([
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
  ['domain_citations', { wanted: ['a.example'] }, { cutLists: new Set() }, 1],
])('a slice of %s with %j and lists of %j takes %i requests', (...[endpoint, changes, sizes, requests]) => {
  const found = estimateRequests(planned(endpoint, changes), endpointNamed(endpoint), { ...SIZES, ...sizes });
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

test('a slice without days asks for none', () => {
  expect([askedDays(planned('prompts')), askedDays(planned('visibility'))]).toEqual([0, 7]);
});
