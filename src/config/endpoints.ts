import { toDay, type Day, type Grain } from '../day.ts';
import { suggestion } from '../text.ts';
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
import { apiPathRule } from './rules.ts';

/** What the configuration may say of one endpoint, as the catalogue knows it. */
export interface EndpointFacts {
  name: string;
  path: string;
  scopes: readonly Scope[];
  /** Empty when it is not a series. */
  grains: readonly Grain[];
  /** True when it answers about whole windows. */
  hasWindows: boolean;
  /** Largest list, or page of one, that may be asked for; null when it has no limit. */
  limit: number | null;
  /** Names of all query parameters it may send, before renaming. */
  parameterNames: readonly string[];
}

export interface EndpointProblem {
  path: readonly (string | number)[];
  message: string;
  /** True when the name of the setting is what is wrong, not its value. */
  isName?: boolean;
}

/** Unknown endpoint names, and scopes that an endpoint cannot do. `scopes` is unchecked input. */
export function scopeProblems(scopes: unknown, catalogue: readonly EndpointFacts[]): EndpointProblem[] {
  return entriesOf(scopes).flatMap(([name, wanted]) => {
    const facts = catalogue.find((candidate) => candidate.name === name);
    if (facts === undefined) return [unknownEndpoint(name, catalogue)];
    return refusedEntries(wanted, facts.scopes).map(({ index, entry }) => ({
      path: [name, index],
      message: `${name} has no filter by ${entry}; it has ${facts.scopes.join(', ')}`,
    }));
  });
}

/** Unknown endpoint names, and settings that an endpoint cannot follow. `settings` is unchecked input. */
export function endpointProblems(settings: unknown, catalogue: readonly EndpointFacts[]): EndpointProblem[] {
  return entriesOf(settings).flatMap(([name, wanted]) => {
    const facts = catalogue.find((candidate) => candidate.name === name);
    if (facts === undefined) return [unknownEndpoint(name, catalogue)];
    return settingProblems(facts, Object.fromEntries(entriesOf(wanted))).map((problem) => ({
      ...problem,
      path: [name, ...problem.path],
    }));
  });
}

function settingProblems(facts: EndpointFacts, wanted: Readonly<Record<string, unknown>>): EndpointProblem[] {
  const problems: EndpointProblem[] = [];
  for (const { index, entry } of refusedEntries(wanted['scopes'], facts.scopes)) {
    const message = `${facts.name} has no filter by ${entry}; it has ${facts.scopes.join(', ')}`;
    problems.push({ path: ['scopes', index], message });
  }
  if (wanted['grains'] !== undefined && facts.grains.length === 0) {
    problems.push({ path: ['grains'], message: `${facts.name} is not a series: remove this` });
  } else {
    for (const { index, entry } of refusedEntries(wanted['grains'], facts.grains)) {
      const message = `${facts.name} cannot be grouped by ${entry}, only by ${facts.grains.join(', ')}`;
      problems.push({ path: ['grains', index], message });
    }
  }
  if (wanted['windows'] !== undefined && !facts.hasWindows) {
    problems.push({ path: ['windows'], message: `${facts.name} does not answer about windows: remove this` });
  }
  return [...problems, ...limitProblems(facts, wanted['limit']), ...requestProblems(facts, wanted)];
}

function limitProblems(facts: EndpointFacts, limit: unknown): EndpointProblem[] {
  if (typeof limit !== 'number') return [];
  if (facts.limit === null) return [{ path: ['limit'], message: `${facts.name} has no limit: remove this` }];
  if (limit <= facts.limit) return [];
  return [{ path: ['limit'], message: `the API allows at most ${facts.limit} for ${facts.name}` }];
}

function requestProblems(facts: EndpointFacts, wanted: Readonly<Record<string, unknown>>): EndpointProblem[] {
  const problems: EndpointProblem[] = entriesOf(wanted['parameters'])
    .filter(([name]) => !facts.parameterNames.includes(name))
    .map(([name]) => ({
      path: ['parameters', name],
      message: `${facts.name} sends no parameter with this name; ${suggestion(name, facts.parameterNames)}`,
      isName: true,
    }));
  const path = wanted['path'];
  const pathProblem = typeof path === 'string' ? apiPathRule(facts.path.includes('{id}'))(path) : undefined;
  if (pathProblem !== undefined) problems.push({ path: ['path'], message: pathProblem });
  return problems;
}

function unknownEndpoint(name: string, catalogue: readonly EndpointFacts[]): EndpointProblem {
  const names = catalogue.map((facts) => facts.name);
  return {
    path: [name],
    message: `there is no endpoint with this name; ${suggestion(name, names)}`,
    isName: true,
  };
}

function refusedEntries(wanted: unknown, allowed: readonly string[]): { index: number; entry: string }[] {
  if (!Array.isArray(wanted)) return [];
  return wanted.flatMap((entry: unknown, index) =>
    typeof entry === 'string' && !allowed.includes(entry) ? [{ index, entry }] : [],
  );
}

function entriesOf(value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
}

/** The catalogue as the configuration is checked against. */
export function endpointFacts(): EndpointFacts[] {
  return catalogue.map((endpoint) => ({
    name: endpoint.name,
    path: endpoint.path,
    scopes: scopesOf(endpoint),
    grains: endpoint.cut.kind === 'series' ? endpoint.cut.grains : [],
    hasWindows: endpoint.cut.kind === 'window',
    limit: endpoint.limit ?? (endpoint.paging.kind === 'number' ? endpoint.paging.size : null),
    parameterNames: parameterNames(endpoint),
  }));
}

function scopesOf(endpoint: Endpoint): Scope[] {
  return SCOPES.filter((scope) => Object.hasOwn(endpoint.scopes, scope));
}

/** What the configuration says of filters. */
interface AskedFilters {
  scopes: Readonly<Record<string, readonly Scope[]>>;
  endpoints: Readonly<Record<string, { scopes?: readonly Scope[] }>>;
  landingPages: readonly { pathname: string; project?: string }[];
}

/** The filters that an endpoint is asked with. Landing pages need no other setting than their own. */
export function askedScopes(sync: AskedFilters, endpoint: Endpoint): readonly Scope[] {
  const usual = scopesOf(endpoint).filter(
    (scope) => scope === 'project' || (scope === 'page' && sync.landingPages.length > 0),
  );
  return sync.endpoints[endpoint.name]?.scopes ?? sync.scopes[endpoint.name] ?? usual;
}

/** The landing pages whose visits are asked for. */
export function landingPagesOf(
  { landingPages }: Pick<AskedFilters, 'landingPages'>,
  projectId: string,
): readonly string[] {
  const own = landingPages.filter(({ project }) => project === undefined || project === projectId);
  return [...new Set(own.map(({ pathname }) => pathname))];
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
