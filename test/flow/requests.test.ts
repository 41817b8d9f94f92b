import { expect, it } from 'vitest';
import { catalogue } from '../support/catalogue.ts';
import type { Config } from '../../src/config/config.ts';
import type { RequestRecord } from '../../simulator/request-record.ts';
import { openRig, SMALL } from './rig.ts';

function stageOf({ path, query }: RequestRecord): string {
  if (/validate|models|prompts$/.test(path)) return '1 reference';
  if (query.some(([name]) => /^(models?|llmMonitorId)$/.test(name))) return '4 finer scopes';
  const isSeries = /series|trend|events|rank-analysis|domains-over-time|visibility-over-time/.test(path);
  return isSeries ? '2 series or window' : '3 windows';
}

it('requests cover the catalogue as GETs: lists, series and events of all projects, windows, finer scopes', async () => {
  // A slow machine with a fast clock would ask again.
  const change = (config: Config): Config => ({ ...config, api: { ...config.api, timeoutMs: 600_000 } });
  await using rig = await openRig({ ...SMALL, world: 'demo', startDate: '2026-07-01', change });
  await rig.pull();
  const { requests } = rig.simulator;
  const paths = requests.map(({ path }) => path.replace(/prompts\/.+$/, 'prompts/{id}'));
  expect(new Set(paths)).toEqual(new Set(catalogue.map(({ path }) => path)));
  for (const request of requests)
    expect(request).toMatchObject({ method: 'GET', contentType: undefined, body: undefined });
  const keyless = requests.filter(({ apiKey }) => apiKey === undefined);
  expect(keyless.map(({ path, projectId }) => [path, projectId])).toEqual([['/api/v1/models', undefined]]);
  expect(requests.flatMap(({ query }) => query).filter(([, value]) => value === '')).toEqual([]);
  const asked = requests.filter(({ path }) => !path.includes('/prompts/'));
  expect(asked.filter(({ status }) => status !== 200)).toEqual([]);
  const stages = asked.map(stageOf);
  const lists = stages.filter((stage) => stage === '1 reference').length;
  expect(lists).toBeGreaterThan(6);
  // The first series are asked for while the last lists are under way.
  expect(stages.indexOf('2 series or window')).toBeGreaterThan(lists - 8);
  const lastSeries = asked.findLastIndex(({ path }) => /crawlers\/trend|events$/.test(path));
  expect(lastSeries).toBeLessThan(stages.indexOf('3 windows'));
  expect(stages.lastIndexOf('3 windows')).toBeLessThan(stages.indexOf('4 finer scopes'));
});

it('a run that is asked for nothing but the validations loads their answers', async () => {
  await using rig = await openRig(SMALL);
  const { requests, slices_loaded: loaded } = await rig.pull({ endpoints: ['validate'] });
  expect([rig.simulator.requests.length, rig.asked('/v2/auth/validate').length, loaded]).toEqual([2, 2, 2]);
  expect(requests).toBe(2);
  const slices = 'select endpoint, status, count(*) as n from meta.slices group by all';
  expect(await rig.workingRows(slices)).toEqual([{ endpoint: 'validate', status: 'loaded', n: 2 }]);
  expect(await rig.workingRows('select count(*) as keys from core.api_keys')).toEqual([{ keys: 1 }]);
});
