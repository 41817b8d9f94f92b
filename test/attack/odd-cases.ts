import type { WindowKind } from '../../src/slice.ts';
import type { Config } from '../../src/config/config.ts';
import * as worlds from '../../simulator/odd-worlds.ts';
import type { Below, OddWorld } from '../../simulator/odd-worlds.ts';
import * as odd from './odd-answers.ts';

/** One run of the program. */
export interface Visit {
  /** Days after the first sync. */
  night: number;
  /** UTC hour; 3 when left out. */
  hour?: number;
  /** The hourly job asks for the events of two days; left out: the night's whole sync. */
  isHourly?: boolean;
  isAltered?: boolean;
}

/** A world, the visits to it, and what its server gets wrong. */
export interface OddCase {
  name: string;
  make(below: Below): OddWorld;
  /** Night on which the oddity begins: exit 0 from its fourth night on. */
  from?: number;
  visits: readonly Visit[];
  config?(config: Config): Config;
  /** How answers differ from those of the world, as legitimate as it is. */
  change?: odd.OddAnswers;
  /** Its answers say what the world says, in other words, or nothing: the truth is asked from a twin that is not altered. */
  isSameTruth?: boolean;
  /** Days before the sync day that its answers end at the latest. */
  behindDays?: number;
  /** The alterations of which one makes answers wrong on the visits that are altered. */
  faults?: readonly string[];
  /** Paths whose answers it alters; left out: all of them. */
  faultyPaths?: RegExp;
  /** Nights, both counted, on which each run ends with 3: all that is new of a series is lost. */
  loud?: readonly [from: number, to: number];
  /** The oddity may leave an alarm, and what lies behind it is not stored. */
  hasAlarm?: boolean;
  /** Kinds of windows that are asked for; left out: months and the last 7 days. */
  windows?: readonly WindowKind[];
  /** Most requests of a night on which nothing is odd any more; left out: those of an ordinary one. */
  most?: number;
}

const plain = (): OddWorld => ({ world: worlds.pairWorld() });

const nights = (...numbers: readonly number[]): Visit[] => numbers.map((night) => ({ night }));
const through = (last: number): Visit[] => nights(...Array.from({ length: last + 1 }, (_, night) => night));
const altered = (visits: readonly Visit[], ...numbers: readonly number[]): Visit[] =>
  visits.map((visit) => ({ ...visit, isAltered: numbers.includes(visit.night) }));

/** Three hourly jobs after each night; two of them see an outage. */
const hourly = (outage: number | null): Visit[] =>
  through(6).flatMap((visit) => [
    visit,
    { night: visit.night, hour: 12, isHourly: true },
    { night: visit.night, hour: 23.7, isHourly: true, isAltered: visit.night === outage },
    { night: visit.night + 1, hour: 0.7, isHourly: true, isAltered: visit.night === outage },
  ]);

const DATED = [
  'visibility',
  'sentiment',
  'share_of_voice',
  'brand_visibility',
  'domain_citations',
  'citation_ranks',
  'response_sentiment',
  'crawler_requests',
  'visitor_visits',
  'events',
];

const inShortRanges = ({ sync, ...config }: Config): Config => ({
  ...config,
  sync: { ...sync, endpoints: Object.fromEntries(DATED.map((name) => [name, { maxWindowDays: 12 }])) },
});

const withLookback =
  (lookbackDays: number) =>
  ({ sync, ...config }: Config): Config => ({ ...config, sync: { ...sync, lookbackDays } });

const inShortPages = ({ sync, ...config }: Config): Config => ({
  ...config,
  sync: { ...sync, endpoints: { prompts: { limit: 3 }, events: { limit: 3 } } },
});

const later = { from: 2, visits: through(8) };
const gone = { ...later, hasAlarm: true };
/** From the fourth night on nothing new of a series comes. */
const dead = { from: 3, loud: [3, Infinity], visits: through(9) } as const;

const CASES: readonly (Partial<OddCase> & { name: string })[] = [
  { name: 'an ordinary world' },
  { name: 'one monitor after another', make: worlds.oneMonitorAfterAnother },
  { name: 'weekdays and weekends', make: worlds.weekdaysAndWeekends },
  { name: 'one model after another', make: worlds.oneModelAfterAnother },
  { name: 'two projects of one web site', make: worlds.oneWebSite },
  { name: 'one prompt, equal months', make: worlds.equalMonths },
  { name: 'two clients with equal totals', make: worlds.equalClients },
  // A rolling window without a row is asked once more on the next day; figures of one day are equal in two windows.
  { name: 'prompts asked weekly', make: worlds.askedWeekly, windows: ['month'] },
  { name: 'prompts asked monthly', make: worlds.askedMonthly, windows: ['month'] },
  { name: 'a deleted monitor, its filter is empty', make: worlds.deletedMonitor('empty'), ...gone },
  { name: 'a deleted monitor, its filter is refused', make: worlds.deletedMonitor('not_found'), ...gone },
  { name: 'a retired model, its filter is empty', make: worlds.retiredModel('empty'), ...gone },
  { name: 'a retired model, its filter is refused', make: worlds.retiredModel('not_found'), ...gone },
  // An event that left its day is looked for.
  // From its third night on, more than half of the days of the look-back are gone.
  { name: 'a server keeps 3 days', make: worlds.retention(3, 'absent'), hasAlarm: true, most: 90, from: 2 },
  // The running month is refused from the second night on, and every other night halving finds the day that is too old now.
  {
    name: 'a server refuses all but 3 days',
    make: worlds.retention(3, 'refused'),
    hasAlarm: true,
    from: 1,
    most: 258,
  },
  { name: 'a server keeps 30 days', make: worlds.retention(30, 'absent') },
  { name: 'a server keeps 60 days', make: worlds.retention(60, 'absent') },
  { name: 'a server refuses the sync day', make: worlds.behindByADay },
  { name: 'figures that come days late', make: worlds.lateFigures, config: withLookback(1) },
  { name: 'a server refuses all but 60 days', make: worlds.retention(60, 'refused') },
  { name: 'a young and an old project', make: worlds.youngAndOld, config: inShortRanges },
  { name: 'a new monitor', make: worlds.newMonitor, ...later },
  // A row of NULL is a row: models that are no longer in use are asked for while it comes.
  { name: 'days without data', make: worlds.daysWithoutData, most: 118 },
  { name: 'an abandoned project', make: worlds.abandonedProject, most: 98 },
  { name: 'a count of long ago is null', change: odd.nullCount },
  { name: 'the running day is null', change: odd.nullsOfRunningDay, isSameTruth: true },
  { name: 'nothing is null', change: odd.nullsForNothing },
  { name: 'numbers come as text', change: odd.numbersAsText, isSameTruth: true },
  { name: 'odd entries in the list of events', change: odd.oddEntries, isSameTruth: true },
  // Nothing but the alarms of the plan is asked about once more.
  {
    name: 'a plan that lacks features',
    change: odd.lacking,
    hasAlarm: true,
    visits: through(8),
  },
  // Each night brings rows next to the days that are still missing, so these are asked for again.
  {
    name: 'a server that caps rows below the limit that it was sent',
    change: odd.answering(/visibility-over-time$/, ({ body }) => ({
      body: (body as unknown[]).slice(0, 60),
    })),
    isSameTruth: true,
    visits: through(8),
  },
  { name: 'a server that lags by a day', change: odd.notYetToday, behindDays: 1 },
  {
    name: 'a series in another envelope',
    change: odd.answering(/sentiment-time-series/, ({ body }) => ({ body: { data: body } }), [3, 99]),
    isSameTruth: true,
    hasAlarm: true,
    ...dead,
  },
  {
    name: 'a path that is lost',
    change: odd.answering(/rank-analysis/, odd.refusing(404), [3, 99]),
    ...dead,
  },
  {
    name: 'a path that is mended',
    change: odd.answering(/rank-analysis/, odd.refusing(404), [3, 7]),
    from: 3,
    loud: [3, 7],
    visits: through(11),
  },
  {
    name: 'a feature that the plan lacks for a week',
    change: odd.answering(/v1\/visibility-time-series$/, odd.refusing(402), [1, 7]),
    from: 1,
    visits: through(9),
    most: 130,
  },
  { name: 'an action completed twice', make: worlds.completedTwice },
  { name: 'an action dated back', make: worlds.datedBack, ...later, most: 90 },
  { name: 'a monitor that moved', make: worlds.movedMonitor, ...later, most: 92 },
  { name: 'groups without a monitor', make: worlds.groupsWithoutMonitor },
  {
    name: '40 days offline',
    from: 42,
    visits: nights(0, 1, 42, 43, 44, 45, 46, 47),
  },
  { name: 'an hourly events job', visits: hourly(null) },
  {
    name: 'older days are missing on the first night',
    faults: ['the server keeps a few days only'],
    config: inShortRanges,
    // Closed windows are asked again two nights after the days that they lacked.
    visits: altered(through(6), 0),
  },
  {
    name: 'older days are missing after 40 days offline',
    faults: ['the server keeps a few days only'],
    config: inShortRanges,
    from: 42,
    visits: altered(nights(0, 1, 42, 43, 44, 45, 46, 47, 48), 42),
  },
  {
    name: 'zeros or empty lists on one night',
    faults: ['every number is 0', 'an empty answer'],
    faultyPaths: /(?<!validate|models|prompts|events)$/,
    from: 4,
    visits: altered(through(9), 3),
  },
  {
    name: 'every monitor is refused for five nights',
    faults: ['every monitor is gone'],
    from: 6,
    visits: altered(nights(0, 1, 2, 3, 4, 5, 6, 12, 13, 14), 1, 2, 3, 4, 5),
    most: 90,
  },
  {
    name: 'a later page is refused on one night',
    faults: ['a later page is refused'],
    config: inShortPages,
    visits: altered(through(5), 2),
    most: 200,
  },
  {
    name: 'an outage that hourly jobs see',
    faults: ['an empty answer'],
    faultyPaths: /events$/,
    visits: hourly(2),
  },
];

/** Legitimate worlds, and nights on which a server is wrong. */
export const ODD_CASES: readonly OddCase[] = CASES.map((one) => ({
  make: plain,
  visits: through(6),
  ...one,
}));
