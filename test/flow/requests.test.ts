import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { catalogue } from '../../src/endpoints/catalogue.ts';
import { openRig, type Rig } from './rig.ts';

const SMALL = { world: 'small', today: '2026-07-14', startDate: '2026-07-05' } as const;

function stageOf(path: string, query: readonly (readonly [string, string])[]): string {
  if (/validate|models|prompts$/.test(path)) return '1 reference';
  if (query.some(([name]) => /^(models?|llmMonitorId)$/.test(name))) return '4 finer scopes';
  if (/series|trend|events|rank-analysis|domains-over-time|visibility-over-time/.test(path))
    return '2 series or window';
  return '3 windows';
}

it('every request of a run is a GET without content type, with the key to all but the model list', async () => {
  await using rig = await openRig(SMALL);
  await rig.pull();
  const { requests } = rig.simulator;
  expect(requests.length).toBeGreaterThan(50);
  expect(
    requests.every(
      ({ method, contentType, body }) => method === 'GET' && contentType === undefined && body === undefined,
    ),
  ).toBe(true);
  const keyless = requests.filter(({ apiKey }) => apiKey === undefined);
  expect(keyless.map(({ path, projectId }) => [path, projectId])).toEqual([['/api/v1/models', undefined]]);
  expect(requests.every(({ status }) => status === 200)).toBe(true);
  const names = requests.flatMap(({ query }) => query);
  expect(names.every(([, value]) => value !== '')).toBe(true);
});

describe('the requests of the demo world', () => {
  let rig: Rig;
  beforeAll(async () => {
    rig = await openRig({ ...SMALL, world: 'demo', startDate: '2026-07-01' });
    await rig.pull();
  });
  afterAll(async () => {
    await rig[Symbol.asyncDispose]();
  });

  it('the requests of the demo world cover every endpoint of the catalogue', () => {
    const paths = rig.simulator.requests.map(({ path }) => path.replace(/prompts\/.+$/, 'prompts/{id}'));
    expect(new Set(paths)).toEqual(new Set(catalogue.map(({ path }) => path)));
  });

  it('requests go to lists, series and events of all projects first, then to windows, then to finer scopes', () => {
    const asked = rig.simulator.requests.filter(({ path }) => !path.includes('/prompts/'));
    const stages = asked.map(({ path, query }) => stageOf(path, query));
    const lists = stages.filter((stage) => stage === '1 reference').length;
    expect(lists).toBeGreaterThan(6);
    const lastSeries = asked.findLastIndex(({ path }) => /crawlers\/trend|events$/.test(path));
    const firstWindow = stages.indexOf('3 windows');
    const lastWindow = stages.lastIndexOf('3 windows');
    const firstFiner = stages.indexOf('4 finer scopes');
    // The first series are asked for while the last lists are under way.
    expect(stages.indexOf('2 series or window')).toBeGreaterThan(lists - 8);
    expect(lastSeries).toBeLessThan(firstWindow);
    expect(lastWindow).toBeLessThan(firstFiner);
  });
});

it('a run that is asked for nothing but the validations loads their answers', async () => {
  await using rig = await openRig(SMALL);
  const { requests, totals } = await rig.pull({ endpoints: ['validate'] });
  expect(rig.simulator.requests.map(({ path }) => path)).toEqual(
    Array.from({ length: requests }, () => '/api/v2/auth/validate'),
  );
  expect(totals.slices_loaded).toBe(requests);
  expect(await rig.workingRows('select endpoint, status from meta.slices')).toEqual(
    Array.from({ length: requests }, () => ({ endpoint: 'validate', status: 'loaded' })),
  );
  expect(await rig.workingRows('select count(*)::integer as keys from core.api_keys')).toEqual([{ keys: 1 }]);
});
