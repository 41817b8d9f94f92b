import { z } from 'zod';
import {
  ALARM_REASONS,
  isKnown,
  nextAlarm,
  type Alarm,
  type AlarmReason,
  type Seen,
} from '../believe/alarms.ts';
import { askedEndSql, IS_ANSWERED } from '../believe/terms.ts';
import { addDays, daySchema, GRAINS, type Day } from '../day.ts';
import { endpointNamed, hasEndpoint } from '../endpoints/catalogue.ts';
import type { LoadRun } from '../load/load-run.ts';
import { flatSlice, SCOPES, SERIES_COLUMNS, WINDOW_KINDS, type FlatSlice, type Slice } from '../slice.ts';
import type { Connection } from '../warehouse/connection.ts';

const series = z.object({
  endpoint: z.string(),
  project_id: z.string(),
  scope: z.enum(SCOPES),
  scope_id: z.string(),
  grain: z.enum(GRAINS).nullable(),
  window_kind: z.enum(WINDOW_KINDS).nullable(),
});
type Series = z.output<typeof series>;

const askedRow = series.extend({
  alarms: z.array(z.enum(ALARM_REASONS)),
  message: z.string().nullable(),
  is_answered: z.boolean(),
  is_old: z.boolean(),
});
const openRow = series.extend({
  reason: z.enum(ALARM_REASONS),
  periods: z.number(),
  is_recent: z.boolean(),
});
const alarmRow = series.extend({
  reason: z.enum(ALARM_REASONS),
  first_on: daySchema,
  days: z.number(),
  last_on: daySchema,
  known_since: daySchema.nullable(),
  asked_on: daySchema,
  periods: z.number().nullable(),
  message: z.string().nullable(),
});
type AlarmRow = z.output<typeof alarmRow>;

/** Whether a trouble of a slice makes a run partial no longer. */
export type IsKnown = (slice: Slice, reason: AlarmReason) => boolean;

/** Enters what the run saw in `meta.alarms`: what is new, what goes on, what ended. */
export async function settleAlarms(
  connection: Connection,
  { runId, syncDay, lookbackDays }: Pick<LoadRun, 'runId' | 'syncDay' | 'lookbackDays'>,
): Promise<IsKnown> {
  const recent = addDays(syncDay, -lookbackDays);
  const columns = SERIES_COLUMNS.join(', ');
  const asked = await connection.rowsAs(
    askedRow,
    `select ${columns}, coalesce(list(distinct alarm) filter (alarm is not null), []) as alarms, max(error_message) filter (alarm is not null) as message,
       bool_or(alarm is null and ${IS_ANSWERED}) as is_answered, bool_or(coalesce(window_start < cast($2 as date), false)) as is_old
     from meta.slices where run_id = $1 group by all`,
    [runId, recent],
  );
  const before = await connection.rowsAs(alarmRow, 'select * from meta.alarms');
  if (before.length === 0 && asked.every(({ alarms }) => alarms.length === 0)) return () => false;
  const open = await connection.rowsAs(
    openRow,
    `select ${columns}, reason, count(*) as periods, bool_or(${askedEndSql('x')} >= cast($1 as date)) as is_recent
     from meta.asked_days x where reason in ('bad_row', 'incomplete') group by all`,
    [recent],
  );
  const refused = await connection.rowsAs(
    series,
    `select ${columns} from meta.slices where project_id <> '' group by all having max_by(coalesce(alarm, ''), fetched_at) = 'refused'`,
  );
  const after = alarmsAfter({ asked, before, open, refused, syncDay });
  if (JSON.stringify(after) !== JSON.stringify(before)) {
    await connection.run('delete from meta.alarms');
    await connection.appendRows({ schema: 'meta', table: 'alarms', rows: after });
  }
  const known = new Set(after.filter((alarm) => alarm.known_since !== null).map(keyOf));
  // Validations say that a key works, not that anything came.
  const came = new Set(
    asked.flatMap((one) => (one.is_answered && !isValidation(one) ? [one.project_id] : [])),
  );
  return (slice, reason) => {
    const projectId = slice.projectId ?? '';
    const flat = { ...flatSlice(slice), project_id: projectId, reason };
    const isListed = known.has(keyOf(flat)) || known.has(keyOf({ ...flat, scope_id: PARAMETER }));
    return isListed && (projectId === '' || came.has(projectId));
  };
}

function isValidation({ endpoint }: Series): boolean {
  return hasEndpoint(endpoint) && endpointNamed(endpoint).askedPer === 'key_and_project';
}

/** In place of the value of a filter: the parameter itself. */
const PARAMETER = '';

interface Facts {
  asked: readonly z.output<typeof askedRow>[];
  before: readonly AlarmRow[];
  open: readonly z.output<typeof openRow>[];
  /** What the server refused when it was asked last. */
  refused: readonly Series[];
  syncDay: Day;
}

function alarmsAfter({ asked, before, open, refused, syncDay }: Facts): AlarmRow[] {
  const known = new Map(before.map((alarm) => [keyOf(alarm), alarm]));
  const openBy = new Map(open.map((one) => [keyOf(one), one]));
  const seen = new Map<
    string,
    { key: Series & { reason: AlarmReason }; message: string | null; isOld: boolean }
  >();
  for (const one of asked) {
    for (const reason of one.alarms) {
      const key = { ...seriesOf(one), scope_id: scopeIdOf(one, reason, { asked, known }), reason };
      seen.set(keyOf(key), { key, message: one.message, isOld: one.is_old });
    }
  }
  const after: AlarmRow[] = [];
  for (const [text, { key, message, isOld }] of seen) {
    const old = known.get(text) ?? null;
    const periods = openBy.get(text)?.periods ?? null;
    const isRecent = openBy.get(text)?.is_recent ?? false;
    const next = nextAlarm(
      old === null ? null : alarmOf(old),
      { reason: key.reason, periods, isRecent },
      syncDay,
    );
    const askedOn = old === null || isOld || key.reason === 'refused' ? syncDay : old.asked_on;
    after.push(rowOf(key, next, { askedOn, message }));
  }
  const answered = new Set(
    asked.filter((one) => one.is_answered).map((one) => keyOf({ ...one, reason: '' })),
  );
  const stillRefused = new Set(
    refused.flatMap((one) => [refusedKey(one), refusedKey({ ...one, scope_id: PARAMETER })]),
  );
  for (const alarm of before) {
    const text = keyOf(alarm);
    if (seen.has(text)) continue;
    const found = openBy.get(text);
    const stays =
      alarm.reason === 'refused'
        ? stillRefused.has(text) && !seen.has(keyOf({ ...alarm, scope_id: PARAMETER }))
        : found !== undefined || !answered.has(keyOf({ ...alarm, reason: '' }));
    if (!stays) continue;
    const isQuietNow = isKnown(
      alarmOf(alarm),
      { reason: alarm.reason, isRecent: found?.is_recent ?? false },
      syncDay,
    );
    after.push({ ...alarm, known_since: alarm.known_since ?? (isQuietNow ? syncDay : null) });
  }
  return after.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

/** Two values of a filter that are refused together are the fault of the parameter. */
function scopeIdOf(
  one: Series,
  reason: AlarmReason,
  { asked, known }: Pick<Facts, 'asked'> & { known: ReadonlyMap<string, AlarmRow> },
): string {
  if (reason !== 'refused' || one.scope === 'project') return one.scope_id;
  const parameter = { ...one, scope_id: PARAMETER, reason };
  if (known.has(keyOf(parameter))) return PARAMETER;
  const together = asked.filter(
    (other) =>
      other.alarms.includes('refused') &&
      keyOf({ ...other, scope_id: PARAMETER, reason }) === keyOf(parameter),
  );
  return new Set(together.map((other) => other.scope_id)).size > 1 ? PARAMETER : one.scope_id;
}

function refusedKey(one: Series): string {
  return keyOf({ ...one, reason: 'refused' });
}

function keyOf(key: Omit<FlatSlice, 'window_start' | 'window_end'> & { reason: string }): string {
  return JSON.stringify([...SERIES_COLUMNS.map((column) => key[column]), key.reason]);
}

function seriesOf({ endpoint, project_id, scope, scope_id, grain, window_kind }: Series): Series {
  return { endpoint, project_id, scope, scope_id, grain, window_kind };
}

function alarmOf(row: AlarmRow): Alarm {
  const { first_on: firstOn, days, last_on: lastOn, known_since: knownSince, periods } = row;
  return { firstOn, days, lastOn, knownSince, periods };
}

function rowOf(
  key: Series & Pick<Seen, 'reason'>,
  { firstOn, days, lastOn, knownSince, periods }: Alarm,
  { askedOn, message }: { askedOn: Day; message: string | null },
): AlarmRow {
  const row = { first_on: firstOn, days, last_on: lastOn, known_since: knownSince, asked_on: askedOn };
  return { ...key, ...row, periods, message };
}
