import {
  addDays,
  countDays,
  maxDay,
  minDay,
  nextPeriod,
  periodEnd,
  periodStart,
  shiftPeriod,
  type Day,
  type DayRange,
} from '../day.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import type { RangeLimits } from '../extract/range-limits.ts';
import * as slices from '../slice.ts';
import type { Scope, SeriesKey, Slice, SliceTarget, WindowKind } from '../slice.ts';
import type { Asks, Coverage } from './coverage.ts';
import type { EndpointPlan } from './selection.ts';
import { askedRange, cutWindows, uncovered, windowFrom, windowsOf, type CutOptions } from './cut.ts';

/** The reason for a request. */
export interface PlannedSlice {
  endpoint: Endpoint;
  slice: Slice;
  asked: DayRange | null;
  limit: number | null;
  /** Digest of the request's settings. */
  askedWith: string;
  /** Names that a second request asks for if the list is cut off before them. */
  wanted?: readonly string[];
}

export interface PlanInput {
  projectId: string;
  endpoints: readonly EndpointPlan[];
  /** The values of each scope to fan out over. */
  scopeValues: Readonly<Record<Exclude<Scope, 'project' | 'parent'>, readonly string[]>>;
  /** Days to hold: from the start date (or `--from`) to the sync day (or `--to`). */
  range: DayRange;
  today: Day;
  coverage: Coverage;
  /** Days that this run requests regardless of coverage. */
  recent: DayRange;
  /** Only repeats requests: for rows that a single answer lacked, and for these. */
  again?: Again;
}

/** Days of a series that are requested again regardless of coverage: a row left its day, or the series has figures older than the answered days. */
export type Again = (series: SeriesKey) => readonly DayRange[];

/** The slices owed by one project, in the order of the catalogue, those of a series from the newest to the oldest. Pure. */
export function planSlices(input: PlanInput): PlannedSlice[] {
  return input.endpoints.flatMap((plan) =>
    targetsOf(plan, input).flatMap((key) => {
      const { cut } = plan.endpoint;
      switch (cut.kind) {
        case 'list': {
          if (input.again !== undefined) return [];
          const list = { ...key, grain: null };
          const isOwed = input.coverage.asks(list) !== 'nothing' && input.coverage.settled(list).length === 0;
          return isOwed ? [listQuestion(plan, key)] : [];
        }
        case 'lookup':
          return [];
        case 'dated':
        case 'series':
          return grainsOf(plan).flatMap((grain) => planSeries(plan, { ...key, grain }, input));
        case 'window':
          return plan.windows.flatMap((windowKind) =>
            planWindows(plan, { ...key, grain: null, windowKind }, input),
          );
        default:
          return cut satisfies never;
      }
    }),
  );
}

/** The expected content of a project. */
export interface ExpectedSeries extends SeriesKey {
  /** First day to hold; null for lists and windows, which have no days that can be missing. */
  start: Day | null;
}

/** Every series, list and window table that a project is expected to hold, loaded or not. */
export function expectedSeries(
  input: Pick<PlanInput, 'projectId' | 'endpoints' | 'scopeValues'>,
  startDate: Day,
): ExpectedSeries[] {
  const { projectId } = input;
  return input.endpoints.flatMap((plan): ExpectedSeries[] => {
    const { cut, name: endpoint } = plan.endpoint;
    if (cut.kind !== 'dated' && cut.kind !== 'series')
      return [{ endpoint, projectId, scope: 'project', scopeId: projectId, grain: null, start: null }];
    const start = plan.start ?? startDate;
    return targetsOf(plan, input).flatMap((target) =>
      grainsOf(plan).map((grain) => ({ ...target, grain, start })),
    );
  });
}

/** The grains of an endpoint's series; null: dated things. */
function grainsOf({ endpoint: { cut }, grains }: EndpointPlan): readonly SeriesKey['grain'][] {
  if (cut.kind === 'dated') return [null];
  return cut.kind === 'series' ? grains.filter((grain) => cut.grains.includes(grain)) : [];
}

function targetsOf(
  { endpoint: { name: endpoint }, scopes }: EndpointPlan,
  { projectId, scopeValues }: Pick<PlanInput, 'projectId' | 'scopeValues'>,
): SliceTarget[] {
  return scopes.flatMap((scope) => {
    if (scope === 'parent') return [];
    const values = scope === 'project' ? [projectId] : scopeValues[scope];
    return values.map((scopeId) => ({ endpoint, projectId, scope, scopeId }));
  });
}

/** The days that an endpoint should hold. */
export function rangeOf(plan: Pick<EndpointPlan, 'start'>, range: DayRange): DayRange {
  return { start: plan.start ?? range.start, end: range.end };
}

function planSeries(plan: EndpointPlan, key: SeriesKey, planInput: PlanInput): PlannedSlice[] {
  const held = rangeOf(plan, planInput.range);
  if (held.start > held.end) return [];
  const leadPeriods = leadOf(plan.endpoint);
  const grain = key.grain ?? 'day';
  const input = { ...planInput, range: withNext(held, { ...planInput, grain, leadPeriods }) };
  const { coverage, today } = input;
  const asks = coverage.asks(key);
  if (asks === 'nothing') return [];
  const lastAsked = plan.endDate === 'inclusive' ? today : addDays(today, 1);
  const overlapDays = overlapOf(plan);
  const options = { grain, maxDays: plan.maxDays, leadPeriods, today, lastAsked, overlapDays };
  const nightly =
    asks === 'all'
      ? nightlyWindows(key, input, options)
      : windowsUnderAlarm(key, input, { ...options, asks });
  const { again } = input;
  let windows = nightly;
  if (again !== undefined) {
    const isConfirmed = asks === 'all' || asks === 'parts';
    const confirmed = { ...input, ...options, again };
    windows = isConfirmed ? cutWindows(unconfirmedDays(key, confirmed, nightly), options) : [];
  }
  const fits = coverage.fits(key);
  // Newest first: if old days are refused or the quota is short, the new ones are loaded.
  return (fits === null ? windows : windows.flatMap((window) => fittingParts(window, fits)))
    .toReversed()
    .map((window) => {
      const slice =
        key.grain === null ? slices.datedSlice(key, window) : slices.seriesSlice(key, key.grain, window);
      const planned = { ...askedAs(plan), slice, asked: askedRange(window, options) };
      const [barer = planned] = fits?.(planned.asked) === false ? barerOf(planned, plan.endDate) : [];
      return barer;
    });
}

/** The fewest parts of a window that each fit one answer; a day that does not is a part of its own. */
function fittingParts({ start, end }: DayRange, fits: (days: DayRange) => boolean): DayRange[] {
  const parts: DayRange[] = [];
  for (let day = start; day <= end; day = addDays(day, 1)) {
    const part = parts.at(-1);
    if (part !== undefined && fits({ start: part.start, end: day })) part.end = day;
    else parts.push({ start: day, end: day });
  }
  return parts;
}

/** A range, and the period after it if that has figures of the period before. */
function withNext(
  { start, end }: DayRange,
  { grain, leadPeriods, today }: Pick<CutOptions, 'grain' | 'leadPeriods' | 'today'>,
): DayRange {
  return { start, end: leadPeriods === 0 ? end : minDay(periodEnd(nextPeriod(end, grain), grain), today) };
}

/** Whether a request has no day beyond its window, except one that the server does not count. */
function isExact({ cut }: Endpoint): boolean {
  return 'isExact' in cut && (cut.isExact ?? false);
}

function overlapOf({ endpoint, endDate }: EndpointPlan): number | undefined {
  if (!isExact(endpoint)) return undefined;
  return endDate === 'inclusive' ? 0 : 1;
}

function leadOf({ cut }: Endpoint): 0 | 1 {
  return cut.kind === 'series' ? cut.leadPeriods : 0;
}

/** The owed days, from the first day that lets the request succeed: at most one request more, and none if the owed days take one. */
function nightlyWindows(key: SeriesKey, { coverage, range }: PlanInput, options: CutOptions): DayRange[] {
  const owed = uncovered(range, coverage.settled(key));
  const windows = cutWindows(owed, options);
  const newest = owed.at(-1);
  const begin = coverage.begin(key);
  if (newest === undefined || begin === null) return windows;
  const { grain, leadPeriods, maxDays } = options;
  const oldest = nextPeriod(addDays(askedRange(newest, options).end, -maxDays), grain);
  const [longer = windows] = [begin, shiftPeriod(oldest, grain, leadPeriods)]
    .filter((start) => start >= begin && start < newest.start)
    .map((start) => {
      const within = { start: minDay(start, range.start), end: range.end };
      return cutWindows(union(within, [...owed, { start, end: newest.end }]), options);
    })
    .filter(({ length }) => length <= windows.length);
  const isHeld = ({ start, end }: DayRange): boolean =>
    longer.some((window) => window.start <= start && end <= window.end);
  const others = coverage.needed(key).filter((days) => !isHeld(days));
  const isMissing = ({ start, end }: DayRange): boolean =>
    coverage.missing(key).some((days) => start <= days.start && days.start <= end);
  const asked = cutWindows(union({ start: begin, end: range.end }, others), options)
    .filter((window) => isMissing(window) && !isHeld(window))
    .slice(-1);
  return [...asked, ...longer];
}

/** The look-back as one range, even if older days fail, and the days that the request needs before it if they cost no further request. */
function windowsUnderAlarm(
  key: SeriesKey,
  { coverage, range, recent }: PlanInput,
  { asks, ...options }: CutOptions & { asks: Asks },
): DayRange[] {
  const latest = periodStart(recent.start, options.grain);
  const begin = minDay(coverage.begin(key) ?? latest, latest);
  const isOneRequest = cutWindows([{ start: begin, end: range.end }], options).length === 1;
  const start = isOneRequest ? maxDay(begin, range.start) : latest;
  const last = addDays(start, -1);
  const owed = uncovered(range, coverage.settled(key));
  const within = { start: maxDay(start, range.start), end: range.end };
  const newer = start < latest ? [within] : union(within, owed);
  const older = asks === 'recent' || last < range.start ? [] : union({ start: range.start, end: last }, owed);
  const rest = cutWindows(older, { ...options, today: last });
  return [...(asks === 'newest' ? rest.slice(-1) : rest), ...cutWindows(newer, options)];
}

/** Unconfirmed days before the look-back. @param asked the requests of earlier stages */
function unconfirmedDays(
  key: SeriesKey,
  { coverage, range, again, recent, ...options }: PlanInput & { again: Again } & CutOptions,
  asked: readonly DayRange[],
): DayRange[] {
  const days = [...coverage.unconfirmed(key), ...again(key)].map((range) => withNext(range, options));
  const before = uncovered(range, [...asked, { start: recent.start, end: range.end }]);
  return before.flatMap((part) => union(part, days));
}

/** The days of `ranges` that lie in one range, sorted and disjoint. */
function union(within: DayRange, ranges: readonly DayRange[]): DayRange[] {
  return uncovered(within, uncovered(within, ranges));
}

/** The request for a list, or for a look-up by id. */
export function listQuestion(plan: EndpointPlan, target: SliceTarget): PlannedSlice {
  return { ...askedAs(plan), slice: slices.listSlice(target), asked: null };
}

/** The request for one day of a series. */
export function dayQuestion(plan: EndpointPlan, target: SliceTarget, day: Day): PlannedSlice {
  const window = { start: day, end: day };
  const leadPeriods = leadOf(plan.endpoint);
  const overlapDays = overlapOf(plan);
  const asked = askedRange(window, { leadPeriods, lastAsked: addDays(day, 1), overlapDays, grain: 'day' });
  return { ...askedAs(plan), slice: slices.seriesSlice(target, 'day', window), asked };
}

function planWindows(
  plan: EndpointPlan,
  key: SeriesKey & { windowKind: WindowKind },
  input: PlanInput,
): PlannedSlice[] {
  const { coverage, today, again } = input;
  const range = rangeOf(plan, input.range);
  const asks = coverage.asks(key);
  if (asks === 'nothing') return [];
  const all =
    again === undefined
      ? windowsOf(key.windowKind, range, today)
          .filter(({ start }) => coverage.settled(key).every((one) => one.start !== start))
          .toReversed()
      : coverage.unconfirmed(key).map(({ start }) => windowFrom(key.windowKind, start, today));
  const owed = all.filter(({ end }) => asks !== 'recent' || end >= input.recent.start);
  return (asks === 'newest' ? owed.slice(0, 1) : owed).map((window) => {
    const asked = plan.endDate === 'inclusive' ? window : { ...window, end: addDays(window.end, 1) };
    return { ...askedAs(plan), slice: slices.windowSlice(key, key.windowKind, window), asked };
  });
}

function askedAs({ endpoint, limit, askedWith }: EndpointPlan) {
  return { endpoint, limit, askedWith };
}

/** The slice in shorter windows, after the server refused `maxDays + 1` or more; empty if it cannot be cut. */
function cutShorter(planned: PlannedSlice, maxDays: number): PlannedSlice[] {
  const { endpoint, slice, asked } = planned;
  if (slice.kind === 'list' || slice.kind === 'window' || asked === null) return [];
  const grain = slices.sliceGrain(slice) ?? 'day';
  const leadPeriods = leadOf(endpoint);
  const overlapDays = isExact(endpoint) ? countDays(slice.window.end, asked.end) - 1 : undefined;
  const options = { grain, leadPeriods, lastAsked: asked.end, overlapDays };
  const windows = cutWindows([slice.window], { ...options, maxDays, today: slice.window.end });
  if (windows.length < 2) return [];
  return windows.map((window) => ({
    ...planned,
    slice: { ...slice, window },
    asked: askedRange(window, options),
  }));
}

/** Days that a planned request includes; 0 if it has no days. */
export function askedDays(planned: PlannedSlice): number {
  return planned.asked === null ? 0 : countDays(planned.asked.start, planned.asked.end);
}

/** The parts of a slice to request instead, newest first; none: the slice itself. */
export function cutToLimits(
  planned: PlannedSlice,
  range: RangeLimits,
): readonly PlannedSlice[] | 'too old' | 'too long' {
  const { slice, asked } = planned;
  if (asked === null || slice.kind === 'list') return [];
  const { available, maxDays } = range;
  if (available !== null && slice.window.end < available) return 'too old';
  if (slice.kind === 'window') return range.isTooLong(asked) ? 'too long' : [];
  if (available !== null && slice.window.start < available) {
    const before = { ...slice, window: { start: slice.window.start, end: addDays(available, -1) } };
    const after = { ...slice, window: { start: available, end: slice.window.end } };
    return [
      { ...planned, slice: after, asked: { start: available, end: asked.end } },
      { ...planned, slice: before, asked: { start: asked.start, end: minDay(asked.end, available) } },
    ];
  }
  if (maxDays === null || askedDays(planned) <= maxDays) return [];
  return cutShorter(planned, maxDays).toReversed();
}

/** A slice that cannot be cut, with fewer extra days: first without the day after it, then without the period before it; empty if it has neither. @param isShort so many days are not too many, so the day after it stays */
export function barerOf(
  planned: PlannedSlice,
  endDate: EndpointPlan['endDate'],
  isShort = false,
): readonly PlannedSlice[] {
  const { slice, asked } = planned;
  const window = slices.sliceWindow(slice);
  if (asked === null || window === null) return [];
  // A server's weeks may begin on any weekday, so the days after a week belong to it.
  const isWhole = isShort || slices.sliceGrain(slice) === 'week';
  const last = isWhole ? asked.end : addDays(window.end, endDate === 'inclusive' ? 0 : 1);
  if (asked.end > last) return [{ ...planned, asked: { ...asked, end: last } }];
  return asked.start < window.start ? [{ ...planned, asked: { ...asked, start: window.start } }] : [];
}

/** A slice in two parts, newer first; fewer if it cannot be cut. */
export function halvesOf(planned: PlannedSlice): readonly PlannedSlice[] {
  let maxDays = Math.ceil(askedDays(planned) / 2);
  let pieces = cutShorter(planned, maxDays);
  // Requests overlap, so two halves include more days than the whole.
  while (pieces.length > 2) pieces = cutShorter(planned, (maxDays += 1));
  return pieces.toReversed();
}
