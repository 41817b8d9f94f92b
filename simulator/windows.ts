import { dayFromNumber, type Grain } from '../src/day.ts';
import type { Parameters } from './parameters.ts';
import { badRequest, Refusal } from './refusal.ts';
import type { SimulatorState } from './state.ts';
import type { WorldProject } from './world.ts';

/** Day numbers that an answer covers, including both ends; empty when `end` is before `start`. */
export interface AnswerWindow {
  start: number;
  end: number;
  /** Days in one point of a daily series; default 1. */
  stepDays?: number;
}

const DEFAULT_DAYS = 30;

function refuseLongWindow(endpoint: string, days: number): Refusal {
  const message = `The date range is too large: at most ${days} days are allowed.`;
  const details = endpoint === 'events' ? {} : { details: { maxDays: days } };
  return new Refusal(400, { error: 'Bad Request', code: 'DATE_RANGE_TOO_LARGE', message, ...details });
}

/**
 * The window that a request asks for, limited to the days that exist.
 * @throws Refusal (400) when it ends before it starts or is longer than the endpoint allows
 */
export function readWindow(
  state: SimulatorState,
  { endpoint, parameters, project }: { endpoint: string; parameters: Parameters; project: WorldProject },
): AnswerWindow {
  const inclusive = state.options.endDateInclusive ?? true;
  const askedEnd =
    parameters.day('endDate') ??
    Math.max(state.today, parameters.day('startDate') ?? 0) + (inclusive ? 0 : 1);
  const askedStart = parameters.day('startDate') ?? askedEnd - DEFAULT_DAYS + 1;
  if (askedStart > askedEnd)
    throw badRequest('startDate must not be after endDate', { parameter: 'startDate' });
  const limit = state.windowLimit(endpoint);
  if (limit !== undefined && askedEnd - askedStart + 1 > limit) throw refuseLongWindow(endpoint, limit);
  const { createdOn } = project;
  if (createdOn !== undefined && dayFromNumber(askedStart) < createdOn) {
    const message = `startDate must not be earlier than ${createdOn}, the day on which the project was created`;
    throw badRequest(message, { parameter: 'startDate' });
  }
  const { coarseAfterDays, keepDays, tooOld, behindDays = 0, lateDays = 0 } = state.options;
  if (behindDays > 0 && askedEnd > state.today - behindDays) {
    const message = `endDate must not be after ${dayFromNumber(state.today - behindDays)}`;
    throw badRequest(message, { parameter: 'endDate' });
  }
  const oldest = keepDays === undefined ? askedStart : state.today - keepDays + 1;
  if (tooOld === 'refused' && askedStart < oldest) {
    throw badRequest(`startDate must not be earlier than ${dayFromNumber(oldest)}`, {
      parameter: 'startDate',
    });
  }
  const isCoarse = coarseAfterDays !== undefined && askedEnd - askedStart + 1 > coarseAfterDays;
  if (state.options.ignoreDates?.includes(endpoint) === true)
    return { start: state.firstDay, end: state.today };
  return {
    start: Math.max(askedStart, oldest),
    end: Math.min(inclusive ? askedEnd : askedEnd - 1, state.today - lateDays),
    stepDays: isCoarse ? 7 : 1,
  };
}

/** First day of the period that contains the day. */
function bucketStart(day: number, { window, grouping }: { window: AnswerWindow; grouping: Grain }): number {
  switch (grouping) {
    case 'day':
      return day - ((day - window.start) % (window.stepDays ?? 1));
    case 'week':
      return day - ((day + 3) % 7);
    case 'month':
      return day - Number(dayFromNumber(day).slice(8)) + 1;
    default:
      return grouping satisfies never;
  }
}

/** One period of a series, limited to the window. */
export interface Bucket {
  /** First day of the whole period; may be before the window. */
  start: number;
  days: number[];
}

/** The periods of a window in order. */
export function bucketsOf(window: AnswerWindow, grouping: Grain): Bucket[] {
  const buckets: Bucket[] = [];
  for (let day = window.start; day <= window.end; day += 1) {
    const start = bucketStart(day, { window, grouping });
    const last = buckets.at(-1);
    if (last?.start === start) last.days.push(day);
    else buckets.push({ start, days: [day] });
  }
  return buckets;
}

/** `2025-01-31T00:00:00.000Z` */
export function midnight(day: number): string {
  return `${dayFromNumber(day)}T00:00:00.000Z`;
}
