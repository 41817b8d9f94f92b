import type { Config } from '../config/config.ts';
import { askedScopes } from '../config/endpoints.ts';
import { z } from 'zod';
import { type Day, type DayRange, type Grain, dayOf, daySchema } from '../day.ts';
import { type Endpoint, MAX_WINDOW_DAYS, WINDOW_SERIES } from '../endpoints/endpoint.ts';
import { usageError } from '../errors.ts';
import { createHash } from 'node:crypto';
import { formatDuration } from '../quantity.ts';

/** An endpoint with its configuration. */
export type EndpointPlan = ReturnType<typeof endpointPlan> & {
  /** Look-back of this endpoint; left out: the run's. */
  lookbackDays?: number | undefined;
};

export function endpointPlan(config: Config, endpoint: Endpoint) {
  const { sync } = config;
  const own = sync.endpoints[endpoint.name] ?? {};
  return {
    endpoint,
    scopes: askedScopes(sync, endpoint),
    grains: own.grains ?? usualGrains(endpoint, sync.grains),
    windows: own.windows ?? sync.windows,
    /** Largest window of one request, as configured. */
    maxDays: own.maxWindowDays ?? MAX_WINDOW_DAYS,
    limit: endpoint.limit === null ? null : (own.limit ?? endpoint.limit),
    /** Whether the server counts `endDate`; if not, requests name the day after. */
    endDate: endDateOf(config, endpoint.name),
    askedWith: askedWith(config, endpoint),
    /** The daily series that shows whether the server still has the days of a closed window; null: no such series is requested. */
    series: windowSeriesOf(config, endpoint),
    /** First day to hold; null: that of the run. */
    start: own.startDate ?? null,
  };
}

/** An endpoint without any of the wanted periods is requested with those that it has. */
function usualGrains({ cut }: Endpoint, wanted: readonly Grain[]): readonly Grain[] {
  const own = cut.kind === 'series' ? cut.grains : [];
  const both = wanted.filter((grain) => own.includes(grain));
  return both.length > 0 ? both : own;
}

/** The series that shows whether the server still has the days of a window; null: none is requested. */
function windowSeriesOf(config: Config, { cut }: Endpoint): string | null {
  if (cut.kind !== 'window') return null;
  const isAsked = (name: string): boolean => {
    const { scopes, grains } = endpointPlan(config, config.catalogue.named(name));
    return (
      config.sync.endpoints[name]?.enabled !== false && scopes.includes('project') && grains.includes('day')
    );
  };
  return [cut.series, ...WINDOW_SERIES].find(isAsked) ?? null;
}

/** Endpoints that the configuration enables. */
export function enabledEndpoints(config: Config): Endpoint[] {
  return config.catalogue.asked.filter((endpoint) => config.sync.endpoints[endpoint.name]?.enabled !== false);
}

const day = daySchema.nullable().default(null);

/** The part of the configuration that a run covers; by default all. */
export const selectionSchema = z.object({
  /** Catalogue names; null: all that are enabled. */
  endpoints: z.array(z.string()).readonly().nullable().default(null),
  /** Limits the days to request again. */
  from: day,
  to: day,
  /** Requests everything again, whatever the ledger contains. */
  full: z.boolean().default(false),
  /** The UTC day to treat as today; null means the clock's day. */
  today: day,
  /** Overrides the configuration's look-back. */
  lookbackDays: z.number().nullable().default(null),
});
type RunSelection = z.output<typeof selectionSchema>;

/**
 * The scope of a run in days.
 * @param newest the newest day allowed; `--today` may only go back from there
 * @throws AnswerlakeError (configuration) when the days contradict each other
 */
export function selectRun(config: Config, request: RunSelection, newest: Day) {
  const today = request.today ?? newest;
  if (today > newest) {
    throw usageError(
      `--today ${today} is in the future (UTC): days that are not over would count as answered`,
    );
  }
  return {
    /** The day that the run counts as today (UTC). */
    today,
    /** Days to hold. */
    range: selectedRange(config, request, today),
    plans: enabledEndpoints(config)
      .filter(({ name }) => request.endpoints?.includes(name) ?? true)
      .map((endpoint) => ({
        ...endpointPlan(config, endpoint),
        lookbackDays: request.lookbackDays ?? endpoint.held.lookbackDays ?? undefined,
      })),
    lookbackDays: request.lookbackDays ?? config.sync.lookbackDays,
    /** Stored answers do not count, except those of runs that this one continues. */
    chainOnly: request.full || request.from !== null || request.to !== null,
  };
}

/**
 * The days that a run covers.
 * @throws AnswerlakeError (configuration) when the days contradict each other
 */
function selectedRange(config: Config, request: RunSelection, today: Day): DayRange {
  const range = { start: request.from ?? config.sync.startDate, end: request.to ?? today };
  const newest = request.today === null ? 'today (UTC)' : `--today ${today}`;
  if (range.end > today) {
    throw usageError([`--to ${range.end} is after ${newest}.`, 'Choose that day or an earlier one.']);
  }
  if (range.start > range.end) {
    const first = request.from === null ? 'sync.start_date' : '--from';
    const last = request.to === null ? newest : `--to ${range.end}`;
    throw usageError([
      `${first} ${range.start} is after ${last}.`,
      request.to === null ? 'Choose an earlier first day.' : 'Swap the two days.',
    ]);
  }
  return range;
}

const DIGEST_LENGTH = 16;

/** Whether the server counts `endDate` itself. */
export function endDateOf({ api, sync }: Config, endpoint: string) {
  return sync.endpoints[endpoint]?.endDate ?? api.endDate;
}

/** Digest of all settings that affect what an answer of the endpoint means: path, parameter names, `end_date`, zone and `instants`. */
export function askedWith(config: Config, endpoint: Endpoint): string {
  const { path = endpoint.path, parameters = {} } = config.sync.endpoints[endpoint.name] ?? {};
  const renamed = Object.entries(parameters)
    .filter(([name, sent]) => name !== sent)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  const zone = endpoint.hasTimezone ? config.sync.timezone : null;
  // Reading date-times differently moves the days of a series.
  const isMoved = endpoint.cut.kind === 'series' && config.api.instants === 'next_day';
  const read = isMoved ? ['next_day'] : [];
  const declared = endpoint.askedAs === '' ? [] : [endpoint.askedAs];
  const meaning = JSON.stringify([
    path,
    renamed,
    endDateOf(config, endpoint.name),
    zone,
    ...read,
    ...declared,
  ]);
  return createHash('sha256').update(meaning).digest('hex').slice(0, DIGEST_LENGTH);
}

const HOUR_MS = 3_600_000;
const WARNED_SKEW_MS = HOUR_MS;
/** A larger difference has no explanation in time zones or late answers: one of the clocks is wrong, and days that are not over would be entered. */
export const LARGEST_SKEW_MS = 36 * HOUR_MS;

const NO_TIME =
  "no answer to a key validation has the server's time (Date without Age): the day is that of this machine's clock";

/**
 * The UTC day by the server's clock, or by this machine's if no answer has the time; adds a warning then, and if the two differ by
 * more than an hour.
 * @throws AnswerlakeError (configuration) when the two clocks differ by more than 36 hours
 */
export function serverDay(nowMs: number, serverAheadMs: number | null): { day: Day; warning: string | null } {
  const aheadMs = serverAheadMs ?? 0;
  const day = dayOf(nowMs + aheadMs);
  if (Math.abs(aheadMs) <= WARNED_SKEW_MS) return { day, warning: serverAheadMs === null ? NO_TIME : null };
  const text = skewText(aheadMs);
  if (Math.abs(aheadMs) > LARGEST_SKEW_MS) {
    throw usageError([`${text}:`, `set this machine's clock, then run again; nothing was touched`]);
  }
  return { day, warning: `${text}: ${day} counts as today, by the server's clock; set this machine's clock` };
}

/** The correction of this machine's clock that keeps runs in order on either clock; 0 while the two agree. */
export function correctionMs(serverAheadMs: number | null): number {
  return serverAheadMs !== null && Math.abs(serverAheadMs) > WARNED_SKEW_MS ? serverAheadMs : 0;
}

/** The error of this machine's clock as text. @param aheadMs how far the server's clock is ahead */
export function skewText(aheadMs: number): string {
  const direction = aheadMs > 0 ? 'behind' : 'ahead of';
  return `this machine's clock is ${formatDuration(Math.abs(aheadMs))} ${direction} the server's`;
}
