import { z } from 'zod';
import { ALARM_REASONS, isKnown, nextAlarm, type Alarm, type AlarmReason } from '../believe/alarms.ts';
import { askedEndSql, IS_ANSWERED } from '../believe/terms.ts';
import { addDays, daySchema, type Day } from '../day.ts';
import { catalogue } from '../endpoints/catalogue.ts';
import type { LoadRun } from '../load/load-run.ts';
import { flatSlice, SERIES_COLUMNS, seriesRow, type FlatSlice, type Slice } from '../slice.ts';
import type { Connection } from '../warehouse/connection.ts';
import { readSql } from '../warehouse/sql.ts';

const series = seriesRow.extend({ project_id: z.string() });
type Series = z.output<typeof series>;

const askedRow = series.extend({
  alarms: z.array(z.enum(ALARM_REASONS)),
  message: z.string().nullable(),
  isAnswered: z.boolean(),
  isOld: z.boolean(),
});
const openRow = series.extend({ reason: z.enum(ALARM_REASONS), periods: z.number(), isRecent: z.boolean() });
const alarmRow = series.extend({
  reason: z.enum(ALARM_REASONS),
  firstOn: daySchema,
  days: z.number(),
  lastOn: daySchema,
  knownSince: daySchema.nullable(),
  periods: z.number().nullable(),
  askedOn: daySchema,
  message: z.string().nullable(),
}) satisfies z.ZodType<Alarm>;
type AlarmRow = z.output<typeof alarmRow>;

/** Whether a trouble of a slice makes a run partial no longer. */
export type IsKnown = (slice: Slice, reason: AlarmReason) => boolean;

/** Enters what the run saw in `meta.alarms`: what is new, what goes on, what ended. */
export async function settleAlarms(
  connection: Connection,
  { runId, syncDay, lookbackDays }: LoadRun,
): Promise<IsKnown> {
  const recent = addDays(syncDay, -lookbackDays);
  const askedSql = readSql('run/asked-series', { is_answered: IS_ANSWERED });
  const asked = await connection.rowsAs(askedRow, askedSql, [runId, recent]);
  const before = await connection.rowsAs(
    alarmRow,
    `select *, first_on as "firstOn", last_on as "lastOn", known_since as "knownSince", asked_on as "askedOn" from meta.alarms`,
  );
  if (before.length === 0 && asked.every(({ alarms }) => alarms.length === 0)) return () => false;
  const openSql = readSql('run/open-alarms', { last_day: askedEndSql('x') });
  const open = await connection.rowsAs(openRow, openSql, [recent]);
  const refused = await connection.rowsAs(series, readSql('run/refused-series'));
  const after = alarmsAfter({ asked, before, open, refused, syncDay });
  if (JSON.stringify(after) !== JSON.stringify(before)) {
    await connection.run('delete from meta.alarms');
    const rows = after.map(({ firstOn, lastOn, knownSince, askedOn, ...alarm }) => {
      return { ...alarm, first_on: firstOn, last_on: lastOn, known_since: knownSince, asked_on: askedOn };
    });
    await connection.appendRows({ schema: 'meta', table: 'alarms', rows });
  }
  const known = new Set(after.filter((alarm) => alarm.knownSince !== null).map(keyOf));
  // Validations say that a key works, not that anything came.
  const came = new Set(
    asked.filter((one) => one.isAnswered && !VALIDATIONS.has(one.endpoint)).map((one) => one.project_id),
  );
  return (slice, reason) => {
    const projectId = slice.projectId ?? '';
    const flat = { ...flatSlice(slice), project_id: projectId, reason };
    const isListed = known.has(keyOf(flat)) || known.has(keyOf({ ...flat, scope_id: PARAMETER }));
    return isListed && (projectId === '' || came.has(projectId));
  };
}

const VALIDATIONS: ReadonlySet<string> = new Set(
  catalogue.filter(({ askedPer }) => askedPer === 'key_and_project').map(({ name }) => name),
);

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
  const after = new Map<string, AlarmRow>();
  for (const { alarms, message, isAnswered: _, isOld, ...one } of asked) {
    for (const reason of alarms) {
      const key = { ...one, scope_id: scopeIdOf(one, reason, { asked, known }), reason };
      const old = known.get(keyOf(key)) ?? null;
      const { periods = null, isRecent = false } = openBy.get(keyOf(key)) ?? {};
      const next = nextAlarm(old, { reason, periods, isRecent }, syncDay);
      const askedOn = old === null || isOld || reason === 'refused' ? syncDay : old.askedOn;
      after.set(keyOf(key), { ...key, ...next, askedOn, message });
    }
  }
  const seen = new Set(after.keys());
  const answered = new Set(asked.filter((one) => one.isAnswered).map((one) => keyOf({ ...one, reason: '' })));
  const stillRefused = new Set(
    refused.flatMap((one) =>
      [one.scope_id, PARAMETER].map((id) => keyOf({ ...one, scope_id: id, reason: 'refused' })),
    ),
  );
  for (const alarm of before) {
    const { reason } = alarm;
    const text = keyOf(alarm);
    if (seen.has(text)) continue;
    const found = openBy.get(text);
    const stays =
      reason === 'refused'
        ? stillRefused.has(text) && !seen.has(keyOf({ ...alarm, scope_id: PARAMETER }))
        : found !== undefined || !answered.has(keyOf({ ...alarm, reason: '' }));
    if (!stays) continue;
    const isQuietNow = isKnown(alarm, { reason, isRecent: found?.isRecent ?? false }, syncDay);
    after.set(text, { ...alarm, knownSince: alarm.knownSince ?? (isQuietNow ? syncDay : null) });
  }
  return [...after].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, alarm]) => alarm);
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

function keyOf(key: Omit<FlatSlice, 'window_start' | 'window_end'> & { reason: string }): string {
  return JSON.stringify([...SERIES_COLUMNS.map((column) => key[column]), key.reason]);
}
