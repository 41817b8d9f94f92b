import { addDays, dayNumber, type Day } from '../../src/day.ts';
import { ODD_DAYS } from '../../simulator/odd-worlds.ts';
import type { OverrideHandler } from '../../simulator/overrides.ts';
import type { Answer } from '../../simulator/refusal.ts';
import { placesOf, put, type Place } from '../support/json-places.ts';
import { numbersOfDay } from './day-entries.ts';
import { numbersOf } from './figure-alterations.ts';

/** Makes answers that are as legitimate as those of the world; `today` is the sync day of the night. */
export type OddAnswers = (today: () => Day) => OverrideHandler;

/** Changes a copy of each good answer to a path that ends so; undefined leaves it as it is. */
const changing =
  (path: RegExp, change: (body: unknown, today: Day) => void): OddAnswers =>
  (today) =>
  (request, { body, status }) => {
    if (status !== 200 || !path.test(request.path)) return undefined;
    const copy = structuredClone(body);
    change(copy, today());
    return { body: copy };
  };

/** Answers paths otherwise, on some nights. */
export const answering =
  (paths: RegExp, answer: (usual: Answer) => Partial<Answer>, [first, last] = [0, 99]): OddAnswers =>
  (today) =>
  ({ path }, usual) => {
    const night = dayNumber(today()) - dayNumber(ODD_DAYS.sync);
    return paths.test(path) && night >= first && night <= last ? answer(usual) : undefined;
  };

export const refusing = (status: number) => (): Partial<Answer> => ({
  status,
  body: { error: 'x', message: 'not in this plan' },
});

/** A plan that lacks features, each in other words. */
export const lacking: OddAnswers = (today) => (request, usual) =>
  [
    answering(/citations/, refusing(402)),
    answering(/crawlers/, refusing(501)),
    answering(/heatmap/, refusing(403)),
    answering(/visitors/, () => ({ status: 204, body: '' })),
  ]
    .map((odd) => odd(today)(request, usual))
    .find((answer) => answer !== undefined);

/** The server does not answer for the day that runs. */
export const notYetToday: OddAnswers =
  (today) =>
  ({ query }) =>
    query.some(([name, value]) => name === 'endDate' && value === today())
      ? { status: 400, body: { error: 'x', message: 'endDate must be over' } }
      : undefined;

const putAll = (places: readonly Place[], to: (value: unknown) => unknown): void => {
  for (const place of places) put(place, to(place.value));
};

/** A day of the past whose count is null, for ever. */
export const nullCount = changing(/share-of-voice\/time-series$/, (body) => {
  for (const row of body as { date: string; totalResponses: unknown }[])
    if (row.date.startsWith('2026-07-15')) row.totalResponses = null;
});

export const nullsOfRunningDay = changing(/./, (body, today) => {
  putAll(numbersOfDay(body, today), () => null);
});

export const numbersAsText = changing(/(?<!validate|models)$/, (body) => {
  putAll(numbersOf(body), String);
});

/** Crawlers without requests, referrers without visits, and rates over nothing. */
export const nullsForNothing = changing(/(trend|time-series|rank-analysis|prompts)$/, (body) => {
  const isNothing = ({ value, trail }: Place): boolean =>
    value === 0 && /data\[\]|shareOfVoice|averageRank|averageVisibility|change/i.test(trail);
  putAll(placesOf(body).filter(isNothing), () => null);
});

interface Events {
  events: { date: unknown; items: unknown[] }[];
  total: number;
}

const completed = (id: string, occurredAt: string): object => {
  const action = { id, type: 'CUSTOM', status: 'done', title: id };
  return { type: 'action', occurredAt, action };
};

/** Actions dated tomorrow, in years to come or not at all, one that a join lists twice, and kinds that nobody knows. */
export const oddEntries = changing(/events$/, (body, today) => {
  const list = body as Events;
  const twice = list.events
    .flatMap(({ items }) => items)
    .find((item) => (item as { type: string }).type === 'action');
  // A server that leaves nothing else out has more entries inside the range than outside.
  if (list.total < 4 || twice === undefined) return;
  const day = list.events.find(({ items }) => items.includes(twice));
  day?.items.push(twice, { type: 'merged', occurredAt: `${String(day.date)}T10:00:00Z` });
  const dates = [addDays(today, 1), '2031-01-01', null];
  for (const date of dates)
    list.events.push({ date, items: [completed(`odd ${String(date)}`, `${String(date)}T09:00:00Z`)] });
  list.total += 1 + dates.length;
});
