import type { DayVersion } from './cells.ts';
import type { Facts, Filter } from './facts.ts';
import type { ParameterRules, Parameters } from './parameters.ts';
import { unit } from './random.ts';
import type { SimulatorState } from './state.ts';
import { addTotals, emptyTotals, type Totals } from './totals.ts';
import type { AnswerWindow, Bucket } from './windows.ts';
import type { WorldKey, WorldProject } from './world.ts';

/** An entry of a list that an answer holds. */
export type ListEntry = Readonly<Record<string, unknown>>;

/** What a route needs to answer. */
export interface RouteRequest {
  state: SimulatorState;
  endpoint: string;
  project: WorldProject;
  parameters: Parameters;
  window: AnswerWindow;
  /** The `{id}` of the path, decoded. */
  id: string;
  /** The parsed JSON body of a POST. */
  body: unknown;
}

/** What validation needs to answer: a project is optional. */
export interface OpenRequest {
  state: SimulatorState;
  version: 'v1' | 'v2';
  key: WorldKey | undefined;
  project: WorldProject | undefined;
}

interface RouteBase {
  version: 'v1' | 'v2';
  /** The path after the version, `{id}` for the one variable part; also the name in options. */
  endpoint: string;
  rules: ParameterRules;
}

interface ProjectRoute extends RouteBase {
  access: 'project';
  method: 'GET' | 'POST';
  answer(request: RouteRequest): unknown;
  list?: (request: RouteRequest) => readonly ListEntry[];
}

export type Route =
  | (RouteBase & { access: 'open' | 'validation'; method: 'GET'; answer(request: OpenRequest): unknown })
  | ProjectRoute;

/** A route that reads figures of a project. */
export function projectRoute(
  route: Pick<ProjectRoute, 'endpoint' | 'rules' | 'answer'> & Partial<ProjectRoute>,
): ProjectRoute {
  return { version: 'v2', method: 'GET', access: 'project', ...route };
}

export function factsOf(request: RouteRequest): Facts {
  return request.state.facts(request.project);
}

export function versionOn(request: RouteRequest, day: number): DayVersion {
  return request.state.version(request.project.id, request.endpoint, day);
}

/** The filter that the request's parameters ask for. */
export function filterOf(request: RouteRequest): Filter {
  const { parameters } = request;
  const model = parameters.text('model');
  return {
    models: model === undefined ? parameters.list('models') : [model],
    monitorId: parameters.text('llmMonitorId'),
    promptId: parameters.text('promptId'),
    promptTypes: parameters.list('promptTypes'),
  };
}

export function totalsOn(request: RouteRequest, day: number, filter: Filter): Totals {
  return factsOf(request).totals(day, filter, versionOn(request, day));
}

/** The sum over the days of a window or bucket; the caller must not change it. */
export function totalsOver(request: RouteRequest, days: Iterable<number>, filter: Filter): Totals {
  const all = [...days];
  const [only] = all;
  if (only !== undefined && all.length === 1) return totalsOn(request, only, filter);
  const sum = emptyTotals(request.project.brands.length, request.project.domains.length);
  for (const day of all) addTotals(sum, totalsOn(request, day, filter));
  return sum;
}

export function* daysOf(window: AnswerWindow): Generator<number> {
  for (let day = window.start; day <= window.end; day += 1) yield day;
}

/** Whether a bucket without data is shown as an empty point. */
export function showsEmpty(request: RouteRequest, bucket: Bucket): boolean {
  const style = request.project.gapStyle ?? request.state.options.missingDays ?? 'absent';
  if (style === 'mixed') return unit(request.state.seed, bucket.start) < 0.5;
  return style === 'null';
}

/** The entries of the page that a request asks for, `otherwise` as many as that, and the paging fields of the answer. */
export function pageOf<T>({ parameters, state }: RouteRequest, list: readonly T[], otherwise: number) {
  const { maxPageSize, totals } = state.options;
  const page = parameters.integer('page', 1);
  const asked = parameters.integer('size', otherwise);
  const size = Math.min(asked, maxPageSize ?? asked);
  const behind = typeof totals === 'object' ? totals.behind : 0;
  const total = Math.max(0, list.length - behind);
  return {
    items: list.slice((page - 1) * size, page * size),
    counters: {
      total: totals === 'text' ? String(total) : total,
      page,
      // The requested size, although the page may be shorter.
      size: asked,
      totalPages: Math.ceil(list.length / size),
    },
  };
}

/** Two decimals, as the service reports percentages. */
export function round(value: number, decimals = 2): number {
  const scale = 10 ** decimals;
  return Math.round(value * scale) / scale;
}

/** `part` of `whole` in percent; 0 of nothing. */
export function percent(part: number, whole: number): number {
  return whole === 0 ? 0 : (part / whole) * 100;
}
