import { z } from 'zod';
import {
  ALARM_REASONS,
  alarmSchema,
  isLacking,
  isOfPlan,
  nextAlarm,
  unseenAlarm,
} from '../believe/alarms.ts';
import type { AlarmReason } from '../believe/alarms.ts';
import { IS_ANSWERED } from '../believe/terms.ts';
import { addDays, type Day } from '../day.ts';
import type { Catalogue } from '../endpoints/catalogue.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { contractError } from '../errors.ts';
import type { LoadRun } from '../load/load-run.ts';
import { flatSlice, SERIES_COLUMNS, seriesRow, type FlatSlice, type Slice } from '../slice.ts';
import type { Connection } from '../warehouse/connection.ts';
import { quoteStored, readSql } from '../warehouse/sql.ts';

const series = seriesRow.extend({ project_id: z.string() });
type Series = z.output<typeof series>;

const askedRow = series.extend({
  alarm: z.enum(ALARM_REASONS).nullable(),
  message: z.string().nullable(),
  isAnswered: z.boolean(),
  isOld: z.boolean(),
  isRecent: z.boolean(),
  gotNothing: z.boolean(),
  httpStatus: z.number(),
  isOfApi: z.boolean(),
});
type Asked = z.output<typeof askedRow> & { declared: Endpoint };

const openRow = series.extend({ reason: z.enum(ALARM_REASONS) });
const alarmRow = openRow.extend({ ...alarmSchema.shape, message: z.string().nullable() });
type AlarmRow = z.output<typeof alarmRow>;

/** Whether the alarm of a slice is known, so that it no longer makes a run partial. */
export type IsKnown = (slice: Slice, reason: AlarmReason) => boolean;

/** Projects that a run of all projects could not request. */
export interface Lost {
  /** Projects that no key lists, or whose validation is refused, and why. */
  unreached: ReadonlyMap<string, string>;
  /** True for a run of all projects and endpoints whose keys all answered: only such a run decides which projects are lost. */
  isDecided: boolean;
}

/** Ids of the projects that the last run left as lost. */
export async function readLost(connection: Connection): Promise<Set<string>> {
  const sql = "select project_id from meta.alarms where reason = 'lost'";
  return new Set(await connection.values(z.string(), sql));
}

/** Updates `meta.alarms`: adds new alarms, continues those that persist and removes those that ended. */
export async function settleAlarms(
  connection: Connection,
  { runId, syncDay, lookbackDays }: LoadRun,
  { catalogue, lost }: { catalogue: Catalogue; lost: Lost },
) {
  const recent = addDays(syncDay, -lookbackDays);
  const askedSql = readSql('run/asked-series', { is_answered: IS_ANSWERED });
  const rows = await connection.rowsAs(askedRow, askedSql, [runId, recent]);
  const asked = withoutOutages(rows.map((row) => ({ ...row, declared: catalogue.named(row.endpoint) })));
  const before = await connection.rowsAs(alarmRow, 'select * from meta.alarms');
  const isQuiet = before.length === 0 && lost.unreached.size === 0;
  if (isQuiet && asked.every(({ alarm }) => alarm === null))
    return { isKnown: () => false, problems: [], known: 0, newlyKnown: 0 };
  const open = await connection.rowsAs(openRow, readSql('run/open-alarms'));
  const refused = await connection.rowsAs(series, readSql('run/refused-series'));
  const hadRow = await readHadRow(connection, asked);
  const after = alarmsAfter({ asked, before, open, refused, hadRow, lost, syncDay });
  if (JSON.stringify(after) !== JSON.stringify(before)) {
    await connection.run('delete from meta.alarms');
    await connection.appendRows({ schema: 'meta', table: 'alarms', rows: after });
  }
  const known = new Set(after.filter((alarm) => alarm.known_since !== null).map(keyOf));
  const came = new Set(answeredProjects(asked));
  const lostNow = after.filter(({ reason }) => reason === 'lost');
  const knownLost = lostNow.filter(({ known_since }) => known_since !== null);
  const excused = new Set(knownLost.map(({ project_id: id }) => id));
  const isKnown: IsKnown = (slice, reason) => {
    const projectId = slice.projectId ?? '';
    if (excused.has(projectId)) return true;
    const flat = { ...flatSlice(slice), project_id: projectId, reason };
    const isListed = known.has(keyOf(flat)) || known.has(keyOf({ ...flat, scope_id: PARAMETER }));
    return isListed && (projectId === '' || came.has(projectId));
  };
  const loud = lostNow.filter(({ known_since, last_on }) => known_since === null && last_on === syncDay);
  return {
    isKnown,
    /** Lost projects that still make a run partial. */
    problems: loud.map(({ project_id: projectId, message }) => {
      return { error: contractError(message ?? 'lost', 'project'), projectId };
    }),
    /** Lost projects whose alarm is known. */
    known: knownLost.length,
    /** Alarms that become known on this sync day. */
    newlyKnown: after.filter(({ known_since }) => known_since === syncDay).length,
  };
}

/** Stands in for the filter value when the parameter itself is refused. */
const PARAMETER = '';

/** A validation shows that a key works, not that data arrived. */
function isValidation({ declared }: Asked): boolean {
  return declared.askedPer === 'key_and_project';
}

function answeredProjects(asked: readonly Asked[]): string[] {
  return asked.filter((one) => one.isAnswered && !isValidation(one)).map(({ project_id: id }) => id);
}

/** A server failure counts as a refusal only if it concerns a single filter value. */
function withoutOutages(asked: readonly Asked[]): Asked[] {
  const isOutage = ({ alarm, httpStatus }: Asked): boolean =>
    alarm === 'refused' && httpStatus >= 500 && httpStatus !== NOT_IMPLEMENTED;
  const ofParameter = (one: Asked): string => keyOf({ ...one, scope_id: PARAMETER, reason: '' });
  const failed = asked.filter(isOutage).map(ofParameter);
  return asked.filter(
    (one) => !isOutage(one) || failed.filter((other) => other === ofParameter(one)).length === 1,
  );
}

const NOT_IMPLEMENTED = 501;

/** Endpoints and projects that the server refuses but that had rows before. */
async function readHadRow(
  connection: Connection,
  asked: readonly Asked[],
): Promise<(one: Series) => boolean> {
  const refused = asked.filter(
    ({ alarm, scope }) => alarm === 'refused' && (scope === 'project' || scope === 'parent'),
  );
  if (refused.length === 0) return () => false;
  const rows = await connection.rowsAs(
    series.pick({ endpoint: true, project_id: true }),
    readSql('run/known-rows'),
  );
  const had = new Set(rows.map(pairOf));
  for (const { endpoint, project_id: id, declared } of refused) {
    const { cut, outputs } = declared;
    // The table of a list that belongs to no project has no project_id.
    if (cut.kind !== 'list' || declared.askedPer !== 'project') continue;
    const sql = `select 1 from ${quoteStored(outputs[0].table)} where project_id = $1 limit 1`;
    if ((await connection.rows(sql, [id])).length > 0) had.add(pairOf({ endpoint, project_id: id }));
  }
  return (one) => had.has(pairOf(one));
}

function pairOf({ endpoint, project_id: id }: Pick<Series, 'endpoint' | 'project_id'>): string {
  return JSON.stringify([endpoint, id]);
}

interface Facts {
  asked: readonly Asked[];
  before: readonly AlarmRow[];
  open: readonly z.output<typeof openRow>[];
  /** The series whose last request the server refused. */
  refused: readonly Series[];
  hadRow: (one: Series) => boolean;
  lost: Lost;
  syncDay: Day;
}

function alarmsAfter(facts: Facts): AlarmRow[] {
  const { asked, before, hadRow, syncDay } = facts;
  const known = new Map(before.map((alarm) => [keyOf(alarm), alarm]));
  const after = new Map<string, AlarmRow>();
  for (const one of asked) {
    const { alarm: reason, message, isRecent, isOld } = one;
    if (reason === null) continue;
    const isOwn = one.scope === 'project';
    const isNew = !hadRow(one);
    const isLetGo = reason === 'refused' && isOfPlan({ ...one, isNew });
    const isMissing = one.declared.isExtra && reason === 'refused' && isLacking({ ...one, isNew });
    const key = { ...series.parse(one), scope_id: scopeIdOf(one, reason, { asked, known }), reason };
    const before = known.get(keyOf(key)) ?? null;
    const seen = {
      isRecent,
      isOld: isOld || isMissing || (reason === 'refused' && !isOwn),
      takesAll: isOwn && one.project_id !== '' && one.gotNothing && !isLetGo,
    };
    const next = nextAlarm(before, seen, syncDay);
    const known_since = next.known_since ?? (isMissing ? (before?.known_since ?? syncDay) : null);
    after.set(keyOf(key), { ...key, ...next, known_since, message });
  }
  const lost = lostAfter(facts);
  const gone = new Set(lost.map(({ project_id: id }) => id));
  for (const [text, { project_id: id }] of after) if (gone.has(id)) after.delete(text);
  for (const alarm of before) {
    const text = keyOf(alarm);
    if (alarm.reason === 'lost' || after.has(text) || gone.has(alarm.project_id)) continue;
    const next = unseen(alarm, facts, (key) => after.has(key));
    if (next !== null) after.set(text, next);
  }
  for (const alarm of lost) after.set(keyOf(alarm), alarm);
  return [...after].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, alarm]) => alarm);
}

/** An alarm that this run did not see; null if a successful answer for the same days ends it. */
function unseen(
  alarm: AlarmRow,
  { asked, open, refused, syncDay }: Facts,
  isSeen: (key: string) => boolean,
): AlarmRow | null {
  const { reason } = alarm;
  const isOwn = alarm.scope === 'project';
  const answers = asked.filter(
    (one) => one.isAnswered && keyOf({ ...one, reason }) === keyOf({ ...alarm, reason }),
  );
  if (reason === 'refused' && !isOwn) {
    const isRefused = refused.some((one) =>
      [one.scope_id, PARAMETER].some((id) => keyOf({ ...one, scope_id: id, reason }) === keyOf(alarm)),
    );
    if (!isRefused || isSeen(keyOf({ ...alarm, scope_id: PARAMETER }))) return null;
  } else {
    const isAsked = answers.some(({ isOld }) => alarm.is_recent || isOld);
    const isOpen = open.some((one) => keyOf(one) === keyOf(alarm));
    if (isAsked && !isOpen) return null;
  }
  return unseenAlarm(alarm, { isOwn, wasAnswered: answers.length > 0 }, syncDay);
}

/** The statuses with which a server refuses a project that is gone. */
export const GONE: ReadonlySet<number> = new Set([403, 404, 410]);

/** The lost projects: no key lists them, or all their requests were refused while another project got an answer. */
function lostAfter({ asked, before, lost: { unreached, isDecided }, syncDay }: Facts): AlarmRow[] {
  const known = new Map(before.flatMap((one) => (one.reason === 'lost' ? [[one.project_id, one]] : [])));
  const came = new Set(answeredProjects(asked));
  const why = new Map(unreached);
  const questions = asked.filter((one) => one.project_id !== '' && !isValidation(one));
  for (const { project_id: id } of came.size > 0 ? questions : []) {
    const own = questions.filter((one) => one.project_id === id);
    if (own.some((one) => one.alarm !== 'refused' || !GONE.has(one.httpStatus))) continue;
    why.set(id, `each question about project ${id} was refused: ${own[0]?.message ?? ''}`);
  }
  const rows: AlarmRow[] = [];
  for (const [id, message] of why) {
    const old = known.get(id) ?? null;
    if (old === null && !isDecided) continue;
    const seen = { isRecent: true, isOld: true, takesAll: false };
    const place = { endpoint: '', project_id: id, scope: 'project', scope_id: id } as const;
    const key = { ...place, grain: null, window_kind: null, reason: 'lost' } as const;
    rows.push({ ...key, ...nextAlarm(old, seen, syncDay), message });
  }
  for (const alarm of known.values())
    if (!why.has(alarm.project_id) && !came.has(alarm.project_id))
      rows.push(unseenAlarm(alarm, { isOwn: false, wasAnswered: false }, syncDay));
  return rows;
}

/** If two values of a filter are refused together, blame the parameter. */
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
      other.alarm === 'refused' && keyOf({ ...other, scope_id: PARAMETER, reason }) === keyOf(parameter),
  );
  return new Set(together.map((other) => other.scope_id)).size > 1 ? PARAMETER : one.scope_id;
}

function keyOf(key: Omit<FlatSlice, 'window_start' | 'window_end'> & { reason: string }): string {
  return JSON.stringify([...SERIES_COLUMNS.map((column) => key[column]), key.reason]);
}
