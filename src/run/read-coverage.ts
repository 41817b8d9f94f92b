import { z } from 'zod';
import { isDue, isQuiet } from '../believe/alarms.ts';
import { askedEndSql, finalAfterDays, IS_ANSWERED } from '../believe/terms.ts';
import { GRAINS, daySchema, minDay, type Day, type DayRange } from '../day.ts';
import type { Asks, Coverage, CoverageQuestion, Kind, SeriesDay } from '../plan/coverage.ts';
import { SCOPES, type SeriesKey, seriesKey, sliceKey, WINDOW_KINDS, windowKey } from '../slice.ts';
import type { Connection } from '../warehouse/connection.ts';
import { haveSame, quoteStored, readSql } from '../warehouse/sql.ts';

const answeredRow = z.object({
  endpoint: z.string(),
  projectId: z.string(),
  scope: z.enum(SCOPES),
  scopeId: z.string(),
  grain: z.enum(GRAINS).nullable(),
  windowKind: z.enum(WINDOW_KINDS).nullable(),
});
const spanRow = answeredRow.extend({ start: daySchema, end: daySchema, isSettled: z.boolean() });
const beginRow = answeredRow.extend({ start: daySchema, end: daySchema, isMissing: z.boolean() });
const closedRow = answeredRow.extend({
  windowKind: z.enum(WINDOW_KINDS),
  start: daySchema,
  series: z.string(),
  day: daySchema,
  isForgotten: z.boolean(),
});
const chainRow = answeredRow.extend({ start: daySchema.nullable(), end: daySchema.nullable() });
const alarmedRow = answeredRow.extend({ isRefused: z.boolean(), days: z.number(), askedOn: daySchema });

/** Reads the coverage once and serves it from memory. */
export async function readCoverage(connection: Connection, question: CoverageQuestion): Promise<Coverage> {
  const { today, chain, chainOnly } = question;
  await writeAskedToday(connection, question);
  const settled = new Map<string, DayRange[]>();
  const unconfirmed = new Map<string, DayRange[]>();
  const settledWindows = new Set<string>();
  const lists = new Set<string>();
  const alarmed = new Map<string, Asks>();
  const begins = new Map<string, Day>();
  const needed = new Map<string, DayRange[]>();
  const shownBy = new Map<string, SeriesDay>();
  const begin = (key: string, day: Day): void => void begins.set(key, minDay(day, begins.get(key) ?? day));
  const settle = (answered: SeriesKey & Kind, range: DayRange): void => {
    const { windowKind } = answered;
    if (windowKind === null) add(settled, kindKey(answered), range);
    else settledWindows.add(windowKey(answered, windowKind, range.start));
  };
  if (!chainOnly) {
    for (const sql of [known('ranges', question), known('windows', question)])
      for (const { start, end, isSettled, ...answered } of await connection.rowsAs(spanRow, sql)) {
        if (isSettled) settle(answered, { start, end });
        else add(unconfirmed, kindKey(answered), { start, end });
      }
    for (const { start, end, isMissing, ...answered } of await connection.rowsAs(
      beginRow,
      known('begins', question),
    )) {
      begin(kindKey(answered), start);
      if (isMissing) add(needed, kindKey(answered), { start, end });
    }
    for (const alarm of await connection.rowsAs(alarmedRow, readSql('plan/alarmed')))
      alarmed.set(
        kindKey(alarm),
        (await isWeekly(connection, alarm, question)) ? 'nothing' : asksOf(alarm, today),
      );
  }
  for (const closed of await connection.rowsAs(closedRow, known('closed-windows', question))) {
    const { series: endpoint, projectId, windowKind, start, day, isForgotten } = closed;
    if (isForgotten) settle(closed, { start, end: start });
    else {
      shownBy.set(windowKey(closed, windowKind, start), { endpoint, projectId, day });
      const own = { endpoint, projectId, scope: 'project', scopeId: projectId, grain: 'day' } as const;
      const key = kindKey({ ...own, windowKind: null });
      begin(key, day);
      add(needed, key, { start: day, end: day });
    }
  }
  // A continuation does not repeat what a run of its chain requested today.
  if (chain.length > 0) {
    const sql = readSql('plan/continued', { is_answered: IS_ANSWERED });
    const loaded = await connection.rowsAs(chainRow, sql, [chain, today, chainOnly]);
    for (const { start, end, ...answered } of loaded) {
      if (start !== null && end !== null) settle(answered, { start, end });
      else lists.add(seriesKey(answered));
    }
  }
  return {
    settled: (series) => settled.get(kindKey({ ...series, windowKind: null })) ?? [],
    unconfirmed: (series) => unconfirmed.get(kindKey({ ...series, windowKind: null })) ?? [],
    isWindowSettled: (target, kind, start) => settledWindows.has(windowKey(target, kind, start)),
    unconfirmedWindows: (target, windowKind) =>
      (unconfirmed.get(kindKey({ ...target, grain: null, windowKind })) ?? []).map(({ start }) => start),
    isListLoaded: (list) => lists.has(sliceKey(list)),
    begin: (series) => begins.get(kindKey({ ...series, windowKind: null })) ?? null,
    needed: (series) => needed.get(kindKey({ ...series, windowKind: null })) ?? [],
    shownBy,
    asks: (target, kind) => alarmed.get(kindKey({ ...target, ...kind })) ?? 'all',
  };
}

/** How much of a series or its windows is still requested during an alarm. */
function asksOf({ scope, isRefused, ...alarm }: z.output<typeof alarmedRow>, today: Day): Asks {
  if (!isQuiet(alarm, today)) return isRefused ? 'newest' : 'parts';
  return isRefused && scope !== 'project' ? 'nothing' : 'recent';
}

/** Whether a refused extra endpoint that never had a row was requested less than a week ago. */
async function isWeekly(
  connection: Connection,
  { endpoint, projectId, isRefused, askedOn }: z.output<typeof alarmedRow>,
  { asked, today }: CoverageQuestion,
): Promise<boolean> {
  const found = asked.find((one) => one.endpoint.name === endpoint)?.endpoint;
  if (found?.isExtra !== true || !isRefused || isDue(askedOn, today)) return false;
  const sql = `select 1 from ${quoteStored(found.outputs[0].table)} where project_id = $1 limit 1`;
  return (await connection.rows(sql, [projectId])).length === 0;
}

function add(to: Map<string, DayRange[]>, key: string, range: DayRange): void {
  const list = to.get(key);
  if (list === undefined) to.set(key, [range]);
  else list.push(range);
}

function kindKey({ windowKind, ...series }: SeriesKey & Kind): string {
  return `${seriesKey(series)} ${windowKind ?? ''}`;
}

async function writeAskedToday(connection: Connection, question: CoverageQuestion): Promise<void> {
  const { asked } = question;
  const lookbacks = asked.map(({ lookbackDays = question.lookbackDays }) => lookbackDays);
  await connection.run(
    `create or replace temp table asked_today as
     select unnest($1::varchar[]) as endpoint, unnest($2::varchar[]) as asked_with, try_cast(unnest($3::varchar[]) as integer) as asked_limit, unnest($4::varchar[]) as series,
       cast(unnest($5::varchar[]) as integer) as lookback_days, cast(unnest($6::varchar[]) as integer) as final_after_days`,
    [
      asked.map(({ endpoint }) => endpoint.name),
      asked.map(({ askedWith }) => askedWith),
      asked.map(({ limit }) => String(limit)),
      asked.map(({ series }) => series ?? ''),
      lookbacks.map(String),
      lookbacks.map((days) => String(finalAfterDays(days))),
    ],
  );
}

const SERIES = ['endpoint', 'project_id', 'scope', 'scope_id', 'grain'];

/** SQL of the coverage by period and window. */
function known(name: 'ranges' | 'windows' | 'begins' | 'closed-windows', question: CoverageQuestion): string {
  const { today, asksForOld, chainOnly, range } = question;
  const values = {
    today: `date '${today}'`,
    asks_for_old: String(asksForOld),
    last_day: askedEndSql(name === 'closed-windows' ? 'x' : 'a'),
    chain_only: String(chainOnly),
    first_day: `date '${range.start}'`,
    newest_day: `date '${range.end}'`,
    same_series: haveSame(SERIES, 'n', 'x'),
    same_kind: haveSame([...SERIES, 'kind'], 'n', 'k'),
  };
  const ofSeries =
    name === 'ranges'
      ? haveSame(['endpoint', 'scope', 'scope_id'], 'd', 'x')
      : "d.endpoint = x.series and d.scope = 'project'";
  const parts = {
    asked_days: readSql('plan/asked-days', { ...values, last_day: askedEndSql('a') }),
    project_has_row: readSql('plan/project-has-row'),
    has_late_day: readSql('plan/has-late-day', { of_series: ofSeries }),
  };
  return readSql(`plan/${name}`, { ...values, ...parts });
}
