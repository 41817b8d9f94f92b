import type { EndpointFacts } from './endpoints.ts';
import { toDay, type Day } from '../day.ts';
import { catalogue } from '../endpoints/catalogue.ts';
import type { Endpoint, Paging } from '../endpoints/endpoint.ts';
import {
  datedSlice,
  listSlice,
  SCOPES,
  seriesSlice,
  windowSlice,
  type Scope,
  type Slice,
  type SliceTarget,
} from '../slice.ts';

/** The catalogue as the configuration is checked against. */
export function endpointFacts(): EndpointFacts[] {
  return catalogue.map((endpoint) => ({
    name: endpoint.name,
    path: endpoint.path,
    scopes: scopesOf(endpoint),
    grains: endpoint.cut.kind === 'series' ? endpoint.cut.grains : [],
    hasWindows: endpoint.cut.kind === 'window',
    hasDays: endpoint.cut.kind !== 'list' && endpoint.cut.kind !== 'lookup',
    limit: endpoint.limit ?? (endpoint.paging.kind === 'number' ? endpoint.paging.size : null),
    parameterNames: parameterNames(endpoint),
  }));
}

function scopesOf(endpoint: Endpoint): Scope[] {
  return SCOPES.filter((scope) => Object.hasOwn(endpoint.scopes, scope));
}

function parameterNames(endpoint: Endpoint): string[] {
  const day = toDay('2025-01-01');
  const asked = scopesOf(endpoint).flatMap((scope) =>
    endpoint.params({
      slice: sampleSlice(endpoint, scope, day),
      asked: { start: day, end: day },
      limit: endpoint.limit,
      timezone: 'UTC',
    }),
  );
  return [...new Set([...asked.map(([name]) => name), ...pageParameters(endpoint.paging)])];
}

function sampleSlice({ name, cut }: Endpoint, scope: Scope, day: Day): Slice {
  const target: SliceTarget = { endpoint: name, projectId: 'project', scope, scopeId: 'id' };
  const window = { start: day, end: day };
  switch (cut.kind) {
    case 'list':
    case 'lookup':
      return listSlice(target);
    case 'series':
      return seriesSlice(target, 'day', window);
    case 'dated':
      return datedSlice(target, window);
    case 'window':
      return windowSlice(target, 'month', window);
    default:
      return cut satisfies never;
  }
}

function pageParameters(paging: Paging): readonly string[] {
  switch (paging.kind) {
    case 'none':
      return [];
    case 'number':
      return ['page', 'size'];
    case 'offset':
      return ['offset'];
    case 'named':
      return [paging.parameter];
    default:
      return paging satisfies never;
  }
}
