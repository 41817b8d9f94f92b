import { addDays, dayNumber, parseDay, type Day, type DayRange } from '../day.ts';
import type { Instants } from '../slice.ts';

/** One finding; everything except `detail` may be passed on to other people. */
export interface Finding {
  topic: string;
  endpoints: readonly string[];
  verdict: 'as documented' | 'as set' | 'to set' | 'nothing to set' | 'unusable' | 'cannot tell';
  /** Without names, ids, texts, figures and dates of the account. */
  text: string;
  /** The key of the configuration, with its value unless that depends on the account. */
  setting: string | null;
  /** Further text for people; may contain dates of the account. */
  detail: string | null;
}

const WEEKDAYS = ['Thursday', 'Friday', 'Saturday', 'Sunday', 'Monday', 'Tuesday', 'Wednesday'] as const;

/** A verdict, its text, what to set, and further text for people. */
export type Told = readonly [
  verdict: Finding['verdict'],
  text: string,
  setting?: string | null,
  detail?: string | null,
];

/** A verdict on the endpoints of a topic. */
export function verdictOn(topic: string, endpoints: string | readonly string[], told: Told): Finding {
  const [verdict, text, setting = null, detail = null] = told;
  return { topic, endpoints: [endpoints].flat(), verdict, text, setting, detail };
}

/** The setting for a parameter that the server ignores. */
export function parametersOf(endpoint: string): string {
  return `sync.endpoints.${endpoint}.parameters`;
}

/** How a server reads `endDate`; null if the answer does not show it. */
export type EndDate = 'inclusive' | 'exclusive' | 'ignored';

/** @param base days of the answer to a longer window, `window.end` among them @param days those of the answer to `window`, in order */
export function endDateSeen(base: readonly Day[], days: readonly Day[], window: DayRange): EndDate | null {
  const last = days.at(-1);
  if (last === undefined) return null;
  if (last > window.end || (days[0] ?? last) < window.start) return 'ignored';
  if (last === window.end) return 'inclusive';
  const expected = base.filter((day) => day >= window.start && day < window.end);
  // A filter alone may leave out the end day, so every other day must be there.
  return expected.length > 1 && expected.every((day) => days.includes(day)) ? 'exclusive' : null;
}

export interface EndDateFound {
  endpoint: string;
  /** All endpoints of its part of the server. */
  family: readonly string[];
  configured: 'inclusive' | 'exclusive';
  found: EndDate | null;
}

/** @param isOwn whether date-times that are no midnight lie in their UTC day */
export function instantsTold(isOwn: boolean, configured: Instants): Told {
  const wanted = isOwn ? 'utc' : 'next_day';
  const text = isOwn ? 'date-times lie in their UTC day' : 'date-times are local midnights of the day after';
  if (wanted !== configured) return ['to set', text, `api.instants: ${wanted}`];
  return [isOwn ? 'nothing to set' : 'as set', text];
}

/** One line a family, or one for all families that agree on another reading than the configured one. */
export function endDateVerdicts(found: readonly EndDateFound[]): Finding[] {
  const told = found.filter((one) => one.found === 'inclusive' || one.found === 'exclusive');
  const readings = new Set(told.map((one) => one.found));
  const [reading] = readings;
  if (readings.size === 1 && reading !== undefined && told.every((one) => one.configured !== reading)) {
    const rest = found.filter((one) => !told.includes(one));
    const endpoints = told.flatMap(({ family }) => family);
    const text = `the server ${reading === 'exclusive' ? 'does not count' : 'counts'} endDate itself`;
    const all = verdictOn('endDate', endpoints, ['to set', text, `api.end_date: ${reading}`]);
    return [all, ...endDateVerdictsApart(rest)];
  }
  return endDateVerdictsApart(found);
}

function endDateVerdictsApart(found: readonly EndDateFound[]): Finding[] {
  return found.map((one) => verdictOn('endDate', one.family, endDateTold(one)));
}

function endDateTold({ endpoint, family, configured, found }: EndDateFound): Told {
  if (found === null) return ['cannot tell', 'too few days with figures'];
  if (found === 'ignored') return ['to set', 'startDate and endDate have no effect', parametersOf(endpoint)];
  const text = found === 'inclusive' ? 'endDate itself is counted' : 'endDate itself is not counted';
  if (found !== configured)
    return ['to set', text, family.map((name) => `sync.endpoints.${name}.end_date: ${found}`).join(', ')];
  return [found === 'inclusive' ? 'as documented' : 'as set', text];
}

const CHANGES: Told = ['as documented', 'the parameter changes the answer'];

/**
 * Whether a parameter changes the answer.
 * @param agrees as of `agreeOnDays`, for the answers with and without it @param setting what to set if it does not; null: sync does not need it
 */
export function effectOf(agrees: boolean | null, setting: string | null): Told {
  if (agrees === null) return ['cannot tell', 'the filtered answer is empty'];
  if (!agrees) return CHANGES;
  const text = 'the parameter has no effect';
  return setting === null
    ? ['nothing to set', `${text}, and sync does not need it`]
    : ['to set', text, setting];
}

/** The verdicts, by topic. */
type Topics = (readonly [topic: string, told: Told])[];

/** Whether grouping by week works, and the day on which a week begins. */
export function weekVerdicts(starts: readonly Day[], endpoint: string): Topics {
  const days = starts.map(dayNumber);
  if (days.length < 2) return [['grouping', ['cannot tell', 'too few weeks with figures']]];
  const gaps = days.slice(1).map((day, index) => day - (days[index] ?? day));
  if (gaps.some((gap) => gap % 7 !== 0))
    return [['grouping', ['to set', 'grouping by week has no effect', parametersOf(endpoint)]]];
  const weekday = WEEKDAYS[(days[0] ?? 0) % 7] ?? 'Monday';
  const verdict = weekday === 'Monday' ? 'as documented' : 'nothing to set';
  return [
    ['grouping', CHANGES],
    ['week start', [verdict, `weeks begin on ${weekday}`]],
  ];
}

/** True for days in order that are all several days apart. */
export function isSparse(days: readonly Day[]): boolean {
  return days.length > 2 && days.slice(1).every((day, index) => day > addDays(days[index] ?? day, 1));
}

/** The day that a refusal names as the oldest, and the number of days that it names as the longest window. */
export function readRefusal(message: string | null): { oldest: Day | null; longest: number | null } {
  const day = /\d{4}-\d{2}-\d{2}/.exec(message ?? '')?.[0];
  const longest = /\b(\d{1,3})[ -]?days?\b/i.exec(message ?? '')?.[1];
  return {
    oldest: day === undefined ? null : (parseDay(day) ?? null),
    longest: longest === undefined ? null : Number(longest),
  };
}

export interface ListSeen {
  asked: number;
  total: number | null | undefined;
  ids: readonly (string | null)[];
}

/** What `total` and `size` of a list mean, from its first page and from the second of the same size. */
export function listVerdicts(endpoint: string, first: ListSeen, second: ListSeen | null): Topics {
  const next = second?.ids.filter((id) => !first.ids.includes(id)) ?? [];
  const isRepeated = second !== null && second.ids.length > 0 && next.length === 0;
  const paging: Told = ['to set', 'page has no effect', parametersOf(endpoint)];
  return [
    ...(isRepeated ? [['paging', paging] as const] : []),
    ['total', totalTold(first, second, next.length)],
    ['page size', sizeTold(endpoint, first, next.length)],
  ];
}

function totalTold({ ids, total }: ListSeen, second: ListSeen | null, more: number): Told {
  if (ids.length === 0 && total === 0) return ['cannot tell', 'the list is empty'];
  if (total === null || total === undefined)
    return ['unusable', 'total is not a number: sync cannot prove that the list is whole'];
  if (total < ids.length + more) return ['unusable', 'total is smaller than the list'];
  if (second !== null && second.ids.length === 0 && total > ids.length)
    return ['unusable', 'total is larger than the list'];
  return ['as documented', 'total is the length of the list'];
}

function sizeTold(endpoint: string, { asked, ids }: ListSeen, more: number): Told {
  const limit = `sync.endpoints.${endpoint}.limit: ${String(ids.length)}`;
  if (ids.length < asked && more > 0) return ['to set', 'pages are smaller than asked for', limit];
  if (ids.length > asked) return ['to set', 'size has no effect', parametersOf(endpoint)];
  return ids.length === asked
    ? ['as documented', 'pages are as long as asked for']
    : ['cannot tell', 'the list fits in one page'];
}
