import { z } from 'zod';
import { isDue, isQuiet } from '../believe/alarms.ts';
import { askedEndSql, finalAfterDays, IS_ANSWERED } from '../believe/terms.ts';
import { dayNumber, GRAINS, daySchema, type Day, type DayRange } from '../day.ts';
import type { Asks, Coverage, CoverageKey, CoverageQuestion, SeriesDay } from '../plan/coverage.ts';
import { SCOPES, seriesKey, WINDOW_KINDS, windowKey } from '../slice.ts';
import type { Connection } from '../warehouse/connection.ts';
import { haveSame, quoteStored, readSql } from '../warehouse/sql.ts';

const keyRow = z.object({
  endpoint: z.string(),
  projectId: z.string(),
  scope: z.enum(SCOPES),
  scopeId: z.string(),
  grain: z.enum(GRAINS).nullable(),
  windowKind: z.enum(WINDOW_KINDS).nullable(),
});
/** `newest`: the day after the newest row. */
const FACTS = ['settled', 'unconfirmed', 'newest', 'missing', 'needed'] as const;
type Fact = (typeof FACTS)[number];
const factRow = keyRow.extend({ fact: z.enum(FACTS), start: daySchema, end: daySchema });
const closedRow = keyRow.extend({
  windowKind: z.enum(WINDOW_KINDS),
  start: daySchema,
  series: z.string(),
  day: daySchema,
  isForgotten: z.boolean(),
});
const alarmedRow = keyRow.extend({
  isRefused: z.boolean(),
  isKnownAtOnce: z.boolean(),
  days: z.number(),
  asked_on: daySchema,
});

/** Reads the coverage once and serves it from memory. */
export async function readCoverage(connection: Connection, question: CoverageQuestion): Promise<Coverage> {
  const { today, chain, chainOnly } = question;
  await writeAskedToday(connection, question);
  const facts = new Map<string, DayRange[]>();
  const alarmed = new Map<string, Asks>();
  const shownBy = new Map<string, SeriesDay>();
  const add = (fact: Fact, of: CoverageKey, range: DayRange): void => {
    const key = `${fact} ${keyOf(of)}`;
    const ranges = facts.get(key);
    if (ranges === undefined) facts.set(key, [range]);
    else ranges.push(range);
  };
  const addAll = (rows: readonly z.output<typeof factRow>[]): void => {
    for (const { fact, start, end, ...key } of rows) add(fact, key, { start, end });
  };
  const known = (fact: Fact, of: CoverageKey): readonly DayRange[] => facts.get(`${fact} ${keyOf(of)}`) ?? [];
  if (!chainOnly) {
    for (const name of ['ranges', 'windows', 'begins'] as const)
      addAll(await connection.rowsAs(factRow, coverageSql(name, question)));
    for (const alarm of await connection.rowsAs(alarmedRow, readSql('plan/alarmed')))
      alarmed.set(keyOf(alarm), asksOf(alarm, today));
  }
  for (const closed of await connection.rowsAs(closedRow, coverageSql('closed-windows', question))) {
    const { series: endpoint, projectId, windowKind, start, day, isForgotten } = closed;
    if (isForgotten) add('settled', closed, { start, end: start });
    else {
      shownBy.set(windowKey(closed, windowKind, start), { endpoint, projectId, day });
      const own = { endpoint, projectId, scope: 'project', scopeId: projectId, grain: 'day' } as const;
      for (const fact of ['missing', 'needed'] as const) add(fact, own, { start: day, end: day });
    }
  }
  // A continuation does not repeat what a run of its chain requested today.
  if (chain.length > 0) {
    const sql = readSql('plan/continued', { is_answered: IS_ANSWERED });
    addAll(await connection.rowsAs(factRow, sql, [chain, today, chainOnly]));
  }
  const fits = await readFits(connection, question);
  return {
    settled: (key) => known('settled', key),
    unconfirmed: (key) => known('unconfirmed', key),
    begin: (key) => {
      const days = [...known('newest', key), ...known('needed', key)].map(({ start }) => start);
      return days.toSorted()[0] ?? null;
    },
    missing: (key) => known('missing', key),
    needed: (key) => known('needed', key),
    shownBy,
    fits: (key) => fits.get(keyOf(key)) ?? null,
    asks: (key) => alarmed.get(keyOf(key)) ?? 'all',
  };
}

const rowsRow = keyRow
  .pick({ projectId: true, scope: true, scopeId: true })
  .extend({ start: daySchema, rows: z.array(z.number()), usual: z.number() });

/** See `Coverage.fits`: an answer of `limit` rows is cut off. */
async function readFits(connection: Connection, { asked, today }: CoverageQuestion) {
  const found = new Map<string, (days: DayRange) => boolean>();
  for (const { endpoint, limit } of asked) {
    const { cut, name, outputs } = endpoint;
    if (cut.kind !== 'series' || cut.isHalved !== true || limit === null) continue;
    const values = { table: quoteStored(outputs[0].table), today: `date '${today}'` };
    const sql = readSql('plan/rows-of-days', values);
    for (const { start: first, rows, usual, ...series } of await connection.rowsAs(rowsRow, sql))
      found.set(keyOf({ ...series, endpoint: name, grain: 'day' }), ({ start, end }) => {
        let sum = 0;
        for (let day = dayNumber(start); day <= dayNumber(end); day += 1)
          sum += rows[day - dayNumber(first)] ?? usual;
        return sum < limit;
      });
  }
  return found;
}

/** How much of a series or its windows is still requested during an alarm; of a path that the server does not have, once a week. */
function asksOf(
  { scope, isRefused, isKnownAtOnce, days, asked_on }: z.output<typeof alarmedRow>,
  today: Day,
): Asks {
  if (isKnownAtOnce && !isDue(asked_on, today)) return 'nothing';
  if (!isQuiet({ days, asked_on }, today)) return isRefused ? 'newest' : 'parts';
  return isRefused && scope !== 'project' ? 'nothing' : 'recent';
}

function keyOf({ windowKind = null, ...series }: CoverageKey): string {
  return `${seriesKey(series)} ${windowKind ?? ''}`;
}

async function writeAskedToday(connection: Connection, question: CoverageQuestion): Promise<void> {
  await connection.run(
    `create or replace temp table asked_today (endpoint varchar, asked_with varchar, asked_limit integer, series varchar,
       lookback_days integer, final_after_days integer)`,
  );
  const rows = question.asked.map(
    ({ endpoint, askedWith, limit, series, lookbackDays = question.lookbackDays }) => ({
      endpoint: endpoint.name,
      asked_with: askedWith,
      asked_limit: limit,
      series: series ?? '',
      lookback_days: lookbackDays,
      final_after_days: finalAfterDays(lookbackDays),
    }),
  );
  await connection.appendRows({ catalog: 'temp', table: 'asked_today', rows });
}

const SERIES = ['endpoint', 'project_id', 'scope', 'scope_id', 'grain'];

/** SQL of the coverage by period and window. */
function coverageSql(
  name: 'ranges' | 'windows' | 'begins' | 'closed-windows',
  { today, asksForOld, chainOnly, range }: CoverageQuestion,
): string {
  const values = {
    today: `date '${today}'`,
    asks_for_old: String(asksForOld),
    last_day: askedEndSql(name === 'closed-windows' ? 'x' : 'a'),
    chain_only: String(chainOnly),
    first_day: `date '${range.start}'`,
    newest_day: `date '${range.end}'`,
    same_series: haveSame(SERIES, 'n', 'x'),
    same_fact: haveSame([...SERIES, 'fact'], 'n', 'k'),
  };
  const ofSeries =
    name === 'ranges'
      ? haveSame(['endpoint', 'scope', 'scope_id'], 'd', 'x')
      : "d.endpoint = x.series and d.scope = 'project'";
  return readSql(`plan/${name}`, {
    ...values,
    asked_days: readSql('plan/asked-days', { ...values, last_day: askedEndSql('a') }),
    project_has_row: readSql('plan/project-has-row'),
    is_late_day: readSql('plan/is-late-day', { of_series: ofSeries }),
  });
}
