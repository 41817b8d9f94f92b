import { z } from 'zod';
import { GRAINS, toDay, type Day } from '../day.ts';
import type { Catalogue } from '../endpoints/catalogue.ts';
import { MAX_WINDOW_DAYS, type Endpoint } from '../endpoints/endpoint.ts';
import { SCOPES, WINDOW_KINDS, seriesSlice, type Scope } from '../slice.ts';
import { text, whole, type OwnDeclaration } from '../own/declaration.ts';
import { apiPathRule, section } from './rules.ts';

/** Endpoint → its own settings; settings that an endpoint does not support are unknown to it. */
export const endpointList = (catalogue: Catalogue) => byEndpoint(catalogue, endpointSettings);

export type BuiltInSettings = z.output<ReturnType<typeof endpointSettings>>;

/** The settings of a declared endpoint: its file contains the rest. */
export function settingsOf(declaration: OwnDeclaration): BuiltInSettings & { startDate?: Day } {
  const { ask, pages, scopes, parents, enabled, windows, end_date, max_window_days, start_date } =
    declaration;
  const own = SCOPES.filter((scope) => scope === 'project' || Object.hasOwn(scopes ?? {}, scope));
  // Pages of several days at once would shift while they are read.
  const maxDays = ask === 'dated' && pages !== undefined ? 1 : max_window_days;
  return {
    enabled,
    scopes: parents === null ? own : [],
    ...(maxDays === undefined ? {} : { maxWindowDays: maxDays }),
    ...(end_date === undefined ? {} : { endDate: end_date }),
    ...(windows === undefined ? {} : { windows }),
    ...(start_date === undefined ? {} : { startDate: start_date }),
  };
}

/** Endpoint → the filters of its requests. */
export const scopeList = (catalogue: Catalogue) =>
  byEndpoint(catalogue, (endpoint) => listOf(scopesOf(endpoint)));

function byEndpoint<Schema extends z.ZodType>(
  { asked }: Catalogue,
  schemaOf: (endpoint: Endpoint) => Schema,
) {
  return z.strictObject(
    Object.fromEntries(
      asked.map((endpoint) => {
        const schema = endpoint.isExtra ? saidByFile(endpoint) : schemaOf(endpoint);
        return [endpoint.name, schema.exactOptional()];
      }),
    ),
  );
}

function saidByFile({ name }: Endpoint) {
  return z.custom<never>(
    () => false,
    `is an endpoint of your own, and endpoints/${name}.yaml contains its settings: remove it`,
  );
}

function endpointSettings(endpoint: Endpoint) {
  const { cut, paging } = endpoint;
  const mostEntries = endpoint.limit ?? (paging.kind === 'number' ? paging.size : null);
  const names = parameterNames(endpoint).map((name) => [name, z.string().min(1).exactOptional()] as const);
  const settings = {
    enabled: z.boolean().exactOptional(),
    path: text(apiPathRule(endpoint.path.includes('{id}'))).exactOptional(),
    parameters: z.strictObject(Object.fromEntries(names)).exactOptional(),
    limit: whole(1, mostEntries ?? 1).exactOptional(),
    max_window_days: whole(1, MAX_WINDOW_DAYS).exactOptional(),
    end_date: endDate.exactOptional(),
    scopes: listOf(scopesOf(endpoint)).exactOptional(),
    grains: listOf(cut.kind === 'series' ? cut.grains : GRAINS).exactOptional(),
    windows: listOf(WINDOW_KINDS).exactOptional(),
  };
  if (mostEntries === null) Reflect.deleteProperty(settings, 'limit');
  if (cut.kind !== 'series') Reflect.deleteProperty(settings, 'grains');
  if (cut.kind !== 'window') Reflect.deleteProperty(settings, 'windows');
  return section(settings);
}

/** At least one of the words; duplicates count once. */
export function listOf<const Words extends readonly string[]>(words: Words) {
  return z
    .array(z.enum(words))
    .min(1)
    .transform((written): readonly Words[number][] => [...new Set(written)]);
}

/** Whether `endDate` itself is included. */
export const endDate = z.enum(['inclusive', 'exclusive']);

function scopesOf(endpoint: Endpoint): Scope[] {
  return SCOPES.filter((scope) => Object.hasOwn(endpoint.scopes, scope));
}

/** The configured filters. */
interface AskedFilters {
  scopes: Readonly<Record<string, readonly Scope[]>>;
  endpoints: Readonly<Record<string, { scopes?: readonly Scope[] }>>;
  landingPages: readonly { pathname: string; project?: string }[];
}

/** The filters of an endpoint's requests. Landing pages need no further setting. */
export function askedScopes(sync: AskedFilters, endpoint: Endpoint): readonly Scope[] {
  const usual = scopesOf(endpoint).filter(
    (scope) => scope === 'project' || (scope === 'page' && sync.landingPages.length > 0),
  );
  return sync.endpoints[endpoint.name]?.scopes ?? sync.scopes[endpoint.name] ?? usual;
}

/** The landing pages whose visits are requested. */
export function landingPagesOf({ landingPages }: AskedFilters, projectId: string): readonly string[] {
  const own = landingPages.filter(({ project }) => project === undefined || project === projectId);
  return [...new Set(own.map(({ pathname }) => pathname))];
}

/** The names of all parameters that an endpoint may send. */
function parameterNames({ name, params, limit, paging, scopes }: Endpoint): string[] {
  const day = toDay('2025-01-01');
  const window = { start: day, end: day };
  const slice = seriesSlice(
    { endpoint: name, projectId: null, scope: 'project', scopeId: '' },
    'day',
    window,
  );
  const asked = params({ slice, asked: window, limit, timezone: 'UTC' }).map(([parameter]) => parameter);
  const filters = Object.values(scopes).filter((parameter) => parameter !== null);
  const paged = 'names' in paging && typeof paging.names !== 'function' ? paging.names : [];
  const named = 'parameter' in paging ? [paging.parameter] : [];
  return [...new Set([...asked, ...filters, ...paged, ...named])];
}
