import { addDays, dayNumber, parseDay, type Day, type DayRange } from '../day.ts';

/** What one question found out; everything but `detail` may be passed on to other people. */
export interface Verdict {
  topic: string;
  endpoints: readonly string[];
  verdict: 'as documented' | 'as set' | 'to set' | 'nothing to set' | 'unusable' | 'cannot tell';
  /** Without names, ids, texts, figures and dates of the account. */
  text: string;
  /** The key of the configuration, with its value unless that depends on the account. */
  setting: string | null;
  /** What people see besides; may hold dates of the account. */
  detail?: string;
}

/** Points of an answer by day, each as a text that changes with its figures. */
export type Points = ReadonlyMap<Day, string>;

const WEEKDAYS = ['Thursday', 'Friday', 'Saturday', 'Sunday', 'Monday', 'Tuesday', 'Wednesday'] as const;

/** A verdict on one endpoint. */
export function verdictOn(
  topic: string,
  endpoint: string,
  [verdict, text, setting = null]: readonly [Verdict['verdict'], string, (string | null)?],
): Verdict {
  return { topic, endpoints: [endpoint], verdict, text, setting };
}

function parametersOf(endpoint: string): string {
  return `sync.endpoints.${endpoint}.parameters`;
}

/** How a server reads `endDate`; null when the answer does not show it. */
export type EndDate = 'inclusive' | 'exclusive' | 'ignored';

/** @param base points of a longer window; its `window.end` has a point */
export function endDateOf(
  base: Points,
  { points, window }: { points: Points; window: DayRange },
): EndDate | null {
  const days = [...points.keys()].toSorted();
  const last = days.at(-1);
  if (last === undefined) return null;
  if (last > window.end || (days[0] ?? last) < window.start) return 'ignored';
  if (last === window.end) return 'inclusive';
  const expected = [...base.keys()].filter((day) => day >= window.start && day < window.end);
  // A filter alone may leave out the end day, so every other day must be there.
  return expected.length > 1 && expected.every((day) => points.has(day)) ? 'exclusive' : null;
}

export interface EndDateFound {
  endpoint: string;
  /** All endpoints of its part of the server. */
  family: readonly string[];
  configured: 'inclusive' | 'exclusive';
  found: EndDate | null;
}

/** One line a family, or one for all families that agree on another reading than the configured one. */
export function endDateVerdicts(found: readonly EndDateFound[]): Verdict[] {
  const told = found.filter((one) => one.found === 'inclusive' || one.found === 'exclusive');
  const readings = new Set(told.map((one) => one.found));
  const [reading] = readings;
  if (readings.size === 1 && reading !== undefined && told.every((one) => one.configured !== reading)) {
    const rest = found.filter((one) => !told.includes(one));
    const all: Verdict = {
      topic: 'endDate',
      endpoints: told.flatMap(({ family }) => family),
      verdict: 'to set',
      text:
        reading === 'exclusive'
          ? 'the server does not count endDate itself'
          : 'the server counts endDate itself',
      setting: `api.end_date: ${reading ?? ''}`,
    };
    return [all, ...rest.map(endDateVerdict)];
  }
  return found.map(endDateVerdict);
}

function endDateVerdict({ endpoint, family, configured, found }: EndDateFound): Verdict {
  const line = (...told: Parameters<typeof verdictOn>[2]): Verdict => ({
    ...verdictOn('endDate', endpoint, told),
    endpoints: family,
  });
  if (found === null) return line('cannot tell', 'too few days with figures');
  if (found === 'ignored') {
    return line('to set', 'startDate and endDate have no effect', parametersOf(endpoint));
  }
  const text = found === 'inclusive' ? 'endDate itself is counted' : 'endDate itself is not counted';
  if (found !== configured) {
    return line('to set', text, family.map((name) => `sync.endpoints.${name}.end_date: ${found}`).join(', '));
  }
  return line(found === 'inclusive' ? 'as documented' : 'as set', text);
}

/** Whether a parameter changes the figures of the days that both answers have. */
export function effectVerdict(
  base: Points,
  {
    points,
    endpoint,
    parameter,
    isUsed,
  }: { points: Points; endpoint: string; parameter: string; isUsed: boolean },
): Verdict {
  const topic = `filter ${parameter}`;
  const common = [...points].filter(([day]) => base.has(day));
  if (common.length === 0) return verdictOn(topic, endpoint, ['cannot tell', 'the filtered answer is empty']);
  if (common.some(([day, figures]) => base.get(day) !== figures)) {
    return verdictOn(topic, endpoint, ['as documented', 'the parameter changes the answer']);
  }
  return isUsed
    ? verdictOn(topic, endpoint, ['to set', 'the parameter has no effect', parametersOf(endpoint)])
    : verdictOn(topic, endpoint, [
        'nothing to set',
        'the parameter has no effect, and sync does not send it',
      ]);
}

/** Whether `timezone` moves figures to other days; a server without zones is no trouble where UTC is wanted. */
export function zoneVerdict(base: Points, sent: { points: Points; endpoint: string }, zone: string): Verdict {
  const found = effectVerdict(base, { ...sent, parameter: 'timezone', isUsed: true });
  if (found.verdict !== 'to set') return found;
  return zone === 'UTC'
    ? { ...found, verdict: 'nothing to set', setting: null }
    : { ...found, setting: 'sync.timezone: UTC' };
}

/** Whether grouping by week works, and the day on which a week begins. */
export function weekVerdicts(points: Points, endpoint: string): Verdict[] {
  const days = [...points.keys()].toSorted().map(dayNumber);
  const topic = 'grouping';
  if (days.length < 2) return [verdictOn(topic, endpoint, ['cannot tell', 'too few weeks with figures'])];
  const gaps = days.slice(1).map((day, index) => day - (days[index] ?? day));
  if (gaps.some((gap) => gap % 7 !== 0)) {
    return [verdictOn(topic, endpoint, ['to set', 'grouping by week has no effect', parametersOf(endpoint)])];
  }
  const weekday = WEEKDAYS[(days[0] ?? 0) % 7] ?? 'Monday';
  return [
    verdictOn(topic, endpoint, ['as documented', 'the parameter changes the answer']),
    verdictOn('week start', endpoint, [
      weekday === 'Monday' ? 'as documented' : 'nothing to set',
      `weeks begin on ${weekday}`,
    ]),
  ];
}

/** True for points that are all several days apart. */
export function isCoarse(points: Points): boolean {
  const days = [...points.keys()].toSorted();
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
  total: number | null;
  ids: readonly (string | null)[];
}

/** What `total` and `size` of a list mean, from its first page and from the second of the same size. */
export function listVerdicts(endpoint: string, first: ListSeen, second: ListSeen | null): Verdict[] {
  const { asked, ids, total } = first;
  const next = second?.ids.filter((id) => !ids.includes(id)) ?? [];
  const isRepeated = second !== null && second.ids.length > 0 && next.length === 0;
  const verdicts: Verdict[] = [];
  const add = (topic: string, ...told: Parameters<typeof verdictOn>[2]): void => {
    verdicts.push(verdictOn(topic, endpoint, told));
  };
  if (isRepeated) add('paging', 'to set', 'page has no effect', parametersOf(endpoint));
  if (ids.length === 0 && total === 0) add('total', 'cannot tell', 'the list is empty');
  else if (total === null)
    add('total', 'unusable', 'total is not a number: sync cannot prove that the list is whole');
  else if (total < ids.length + next.length) add('total', 'unusable', 'total is smaller than the list');
  else if (second !== null && second.ids.length === 0 && total > ids.length) {
    add('total', 'unusable', 'total is larger than the list');
  } else add('total', 'as documented', 'total is the length of the list');
  if (ids.length < asked && next.length > 0) {
    add(
      'page size',
      'to set',
      'pages are smaller than asked for',
      `sync.endpoints.${endpoint}.limit: ${String(ids.length)}`,
    );
  } else if (ids.length > asked) {
    add('page size', 'to set', 'size has no effect', parametersOf(endpoint));
  } else if (ids.length === asked) add('page size', 'as documented', 'pages are as long as asked for');
  else add('page size', 'cannot tell', 'the list fits in one page');
  return verdicts;
}
