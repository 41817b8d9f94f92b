import type { Alteration, Exchange } from './alteration.ts';
import { placesOf, put } from './json-places.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const SKEWS_MS = [0.5, -0.5, 1.5, -1.5, 5, -5, 25, -30, 37, -37, 9600, -500_000].map(
  (hours) => hours * HOUR_MS,
);
const NO_DATES = ['', '0', 'soon', 'Thu, 01 Jan 1970 00:00:00 GMT', 'Fri, 31 Dec 9999 23:59:59 GMT', '-1'];

/** Changes the header that tells the server's time. */
export const skewedClock: Alteration = {
  name: 'a clock that is wrong',
  belief: 'refused',
  alter: ({ date }, dice) => {
    const told = new Date(Date.parse(date) + dice.pick(SKEWS_MS)).toUTCString();
    return { headers: { date: dice.chance(0.2) ? dice.pick(NO_DATES) : told } };
  },
};

const DAYS_ALONE = /time-series$|visibility-over-time$|\/trend$/;
/** What midnight of a zone looks like to somebody who counts days in UTC. */
const ZONES: readonly { days: number; time: string }[] = [
  { days: -1, time: 'T15:00:00.000Z' },
  { days: 0, time: 'T00:00:00+09:00' },
  { days: 1, time: '' },
  { days: 1, time: 'T00:00:00.000Z' },
  { days: -1, time: '' },
  { days: 0, time: 'T05:00:00.000Z' },
  { days: 0, time: 'T00:00:00-05:00' },
  { days: 0, time: 'T23:59:59.999Z' },
];

/** Every day of an answer is one of another zone: it lies outside the days asked for at one end, or is the same day in UTC. */
export const shiftedDays: Alteration = {
  name: 'days of another zone',
  belief: 'refused',
  alter: ({ body, path }: Exchange, dice) => {
    if (!DAYS_ALONE.test(path)) return undefined;
    const days = placesOf(body).filter(
      ({ value, trail }) =>
        typeof value === 'string' &&
        /(\.date|\.dates\[\]|^\[\])$/.test(trail) &&
        /^\d{4}-\d\d-\d\d/.test(value),
    );
    if (days.length === 0) return undefined;
    const zone = dice.pick(ZONES);
    for (const place of days) {
      const moved = new Date(Date.parse(String(place.value).slice(0, 10)) + zone.days * DAY_MS);
      put(place, `${moved.toISOString().slice(0, 10)}${zone.time}`);
    }
    return { body };
  },
};
