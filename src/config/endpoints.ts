import { GRAINS, toDay, type Day } from '../day.ts';
import { suggestion } from '../text.ts';
import { catalogue, ENDPOINT_NAMES } from '../endpoints/catalogue.ts';
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

export interface EndpointProblem {
  path: readonly (string | number)[];
  message: string;
  /** True when the name of the setting is what is wrong, not its value. */
  isName?: boolean;
}

/** Unknown endpoint names, and scopes that an endpoint cannot do. `scopes` is unchecked input. */
export function scopeProblems(scopes: unknown): EndpointProblem[] {
  return problemsByEndpoint(scopes, (endpoint, wanted) => scopeListProblems(endpoint, wanted, []));
}

/** Unknown endpoint names, and settings that an endpoint cannot follow. `settings` is unchecked input. */
export function endpointProblems(settings: unknown): EndpointProblem[] {
  return problemsByEndpoint(settings, (endpoint, wanted) => {
    const { scopes, grains, windows, limit, parameters, path } = Object.fromEntries(entriesOf(wanted));
    const { name, cut, paging } = endpoint;
    const mostEntries = endpoint.limit ?? (paging.kind === 'number' ? paging.size : null);
    const problems = scopeListProblems(endpoint, scopes, ['scopes']);
    const refuse = (setting: string, message: string): void => {
      problems.push({ path: [setting], message });
    };
    if (grains !== undefined && cut.kind !== 'series')
      refuse('grains', `${name} is not a series: remove this`);
    const groupings: readonly string[] = cut.kind === 'series' ? cut.grains : GRAINS;
    for (const { index, entry } of refusedEntries(grains, groupings)) {
      const message = `${name} cannot be grouped by ${entry}, only by ${groupings.join(', ')}`;
      problems.push({ path: ['grains', index], message });
    }
    if (windows !== undefined && cut.kind !== 'window')
      refuse('windows', `${name} does not answer about windows: remove this`);
    if (typeof limit === 'number' && mostEntries === null)
      refuse('limit', `${name} has no limit: remove this`);
    if (typeof limit === 'number' && mostEntries !== null && limit > mostEntries)
      refuse('limit', `the API allows at most ${mostEntries} for ${name}`);
    const pathProblem =
      typeof path === 'string' ? apiPathRule(endpoint.path.includes('{id}'))(path) : undefined;
    if (pathProblem !== undefined) refuse('path', pathProblem);
    return [...problems, ...parameterProblems(endpoint, entriesOf(parameters))];
  });
}

function problemsByEndpoint(
  settings: unknown,
  problemsOf: (endpoint: Endpoint, wanted: unknown) => EndpointProblem[],
): EndpointProblem[] {
  return entriesOf(settings).flatMap(([name, wanted]): EndpointProblem[] => {
    const endpoint = catalogue.find((candidate) => candidate.name === name);
    if (endpoint !== undefined)
      return problemsOf(endpoint, wanted).map((problem) => ({ ...problem, path: [name, ...problem.path] }));
    const message = `there is no endpoint with this name; ${suggestion(name, ENDPOINT_NAMES)}`;
    return [{ path: [name], message, isName: true }];
  });
}

function scopeListProblems(endpoint: Endpoint, wanted: unknown, path: readonly string[]): EndpointProblem[] {
  const allowed = scopesOf(endpoint);
  return refusedEntries(wanted, allowed).map(({ index, entry }) => ({
    path: [...path, index],
    message: `${endpoint.name} has no filter by ${entry}; it has ${allowed.join(', ')}`,
  }));
}

function parameterProblems(endpoint: Endpoint, renamed: readonly [string, unknown][]): EndpointProblem[] {
  if (renamed.length === 0) return [];
  const known = parameterNames(endpoint);
  return renamed
    .filter(([name]) => !known.includes(name))
    .map(([name]) => ({
      path: ['parameters', name],
      message: `${endpoint.name} sends no parameter with this name; ${suggestion(name, known)}`,
      isName: true,
    }));
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
