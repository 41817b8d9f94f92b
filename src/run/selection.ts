import type { Config } from '../config/config.ts';
import type { Day, DayRange, Grain } from '../day.ts';
import { catalogue } from '../endpoints/catalogue.ts';
import { type Endpoint, MAX_WINDOW_DAYS } from '../endpoints/endpoint.ts';
import { usageError } from '../errors.ts';
import { askedWith, endDateOf } from '../plan/asked-with.ts';
import type { EndpointPlan } from '../plan/plan.ts';
import type { Scope } from '../slice.ts';
import type { SyncRequest } from './sync-request.ts';

/** An endpoint with everything that the configuration says about it. */
export function endpointPlan(config: Config, endpoint: Endpoint): EndpointPlan {
  const { sync } = config;
  const own = sync.endpoints[endpoint.name] ?? {};
  return {
    endpoint,
    scopes: own.scopes ?? sync.scopes[endpoint.name] ?? defaultScopes(endpoint),
    grains: own.grains ?? usualGrains(endpoint, sync.grains),
    windows: own.windows ?? sync.windows,
    maxDays: own.maxWindowDays ?? MAX_WINDOW_DAYS,
    limit: endpoint.limit === null ? null : (own.limit ?? endpoint.limit),
    endDate: endDateOf(config, endpoint.name),
    askedWith: askedWith(config, endpoint),
  };
}

/** An endpoint that has none of the wanted periods is asked for those that it has. */
function usualGrains({ cut }: Endpoint, wanted: readonly Grain[]): readonly Grain[] {
  const own = cut.kind === 'series' ? cut.grains : [];
  const both = wanted.filter((grain) => own.includes(grain));
  return both.length > 0 ? both : own;
}

function defaultScopes(endpoint: Endpoint): readonly Scope[] {
  return Object.hasOwn(endpoint.scopes, 'project') ? ['project'] : [];
}

/** Endpoints that the configuration enables. */
export function enabledEndpoints(config: Config): Endpoint[] {
  return catalogue.filter((endpoint) => config.sync.endpoints[endpoint.name]?.enabled !== false);
}

/** What a run is about. */
export interface Selected {
  /** The day that the run counts as today (UTC). */
  today: Day;
  /** Days to hold. */
  range: DayRange;
  endpoints: Endpoint[];
  lookbackDays: number;
  /** Stored answers do not count, except those of runs that this one continues. */
  chainOnly: boolean;
}

/**
 * @param newest the day that it is; `--today` may only go back from there
 * @throws AnswerlakeError (configuration) when the days contradict each other
 */
export function selectRun(config: Config, request: SyncRequest, newest: Day): Selected {
  const today = request.today ?? newest;
  if (today > newest) {
    throw usageError(
      `--today ${today} is in the future (UTC): days that are not over would count as answered`,
    );
  }
  return {
    today,
    range: selectedRange(config, request, today),
    endpoints: selectedEndpoints(config, request),
    lookbackDays: request.lookbackDays ?? config.sync.lookbackDays,
    chainOnly: request.full || request.from !== null || request.to !== null,
  };
}

/** Endpoints of one run. */
function selectedEndpoints(config: Config, request: SyncRequest): Endpoint[] {
  const wanted = request.endpoints === null ? null : new Set(request.endpoints);
  return enabledEndpoints(config).filter((endpoint) => wanted === null || wanted.has(endpoint.name));
}

/**
 * The days a run is about.
 * @throws AnswerlakeError (configuration) when the days contradict each other
 */
function selectedRange(config: Config, request: SyncRequest, today: Day): DayRange {
  const range = { start: request.from ?? config.sync.startDate, end: request.to ?? today };
  const newest = request.today === null ? 'today (UTC)' : `--today ${today}`;
  if (range.end > today) {
    throw usageError(`--to ${range.end} is after ${newest}. Choose that day or an earlier one.`);
  }
  if (range.start > range.end) {
    const first = request.from === null ? 'sync.start_date' : '--from';
    const last = request.to === null ? newest : `--to ${range.end}`;
    throw usageError(
      `${first} ${range.start} is after ${last}. ${request.to === null ? 'Choose an earlier first day' : 'Swap the two days'}.`,
    );
  }
  return range;
}
