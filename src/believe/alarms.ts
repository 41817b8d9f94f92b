import { z } from 'zod';
import { addDays, daySchema, type Day } from '../day.ts';

/** Why a run is partial although it requested its slices. */
export const ALARM_REASONS = [
  'bad_row',
  'refused',
  'incomplete',
  'shrunk',
  'ignored',
  'scale',
  'zone',
  'lost',
] as const;
export type AlarmReason = (typeof ALARM_REASONS)[number];

/** An alarm as stored in `meta.alarms`. */
export const alarmSchema = z.object({
  first_on: daySchema,
  /** Sync days on which it was seen. */
  days: z.number(),
  last_on: daySchema,
  known_since: daySchema.nullable(),
  /** Last sync day with a request for days beyond the look-back, or for the refused value. */
  asked_on: daySchema,
  /** It affects days within the look-back, or a list. */
  is_recent: z.boolean(),
});
export type Alarm = z.output<typeof alarmSchema>;

/** A sighting of an alarm in a run. */
export interface Seen {
  isRecent: boolean;
  /** The run requested days beyond the look-back, or the refused value. */
  isOld: boolean;
  /** It blocks everything new of the project's own data, without a filter. */
  takesAll: boolean;
}

/** Sync days on which an alarm makes a run partial; after them it is known. */
const LOUD_DAYS = 3;
/** Days after which days beyond the look-back are requested again despite a known alarm. */
const QUIET_DAYS = 7;

/** The alarm after a sighting on a sync day. */
export function nextAlarm(before: Alarm | null, { isRecent, isOld, takesAll }: Seen, syncDay: Day): Alarm {
  const days = before === null ? 1 : before.days + (before.last_on < syncDay ? 1 : 0);
  const isLoud = days <= LOUD_DAYS || takesAll;
  return {
    first_on: before?.first_on ?? syncDay,
    days,
    last_on: syncDay,
    known_since: isLoud ? null : (before?.known_since ?? syncDay),
    asked_on: before === null || isOld ? syncDay : before.asked_on,
    is_recent: isRecent,
  };
}

/** The alarm after a run that neither saw nor ended it. @param isOwn it concerns the project's own data, without a filter @param wasAnswered its newer days were answered */
export function unseenAlarm<A extends Alarm>(
  alarm: A,
  { isOwn, wasAnswered }: { isOwn: boolean; wasAnswered: boolean },
  syncDay: Day,
): A {
  const isRecent = alarm.is_recent && !wasAnswered;
  // An alarm that blocks everything new stays loud until the next request.
  const isKnown = alarm.days >= LOUD_DAYS && alarm.last_on < syncDay && !(isOwn && isRecent);
  return { ...alarm, is_recent: isRecent, known_since: alarm.known_since ?? (isKnown ? syncDay : null) };
}

/** Whether today requests only what is new: the alarm was loud for its days, and the rest was requested less than a week ago. */
export function isQuiet({ days, asked_on }: Pick<Alarm, 'days' | 'asked_on'>, today: Day): boolean {
  return days >= LOUD_DAYS && !isDue(asked_on, today);
}

/** Whether a request of `askedOn` is due again. */
export function isDue(askedOn: Day, today: Day): boolean {
  return today >= addDays(askedOn, QUIET_DAYS);
}

/** A refusal of the project's own data, without a filter. */
export interface Refusal {
  httpStatus: number | null;
  /** The refusal is the API's own JSON: a gateway's page is no evidence about the plan. */
  isOfApi: boolean;
  /** It never had a row. */
  isNew: boolean;
}

/** Statuses of a plan that lacks the feature. */
const PLAN: ReadonlySet<number | null> = new Set([402, 403]);

/** Statuses with which a server refuses an endpoint that it lacks. */
const LACKING: ReadonlySet<number | null> = new Set([...PLAN, 404, 405, 410, 501]);

/** Whether a refusal shows that the server lacks an endpoint that a user declared. */
export function isLacking({ httpStatus, isOfApi, isNew }: Refusal): boolean {
  return isOfApi && isNew && LACKING.has(httpStatus);
}

/** Whether a refusal that blocks everything new is tolerated: the plan lacks the feature. */
export function isOfPlan({ httpStatus, isOfApi, isNew }: Refusal): boolean {
  return isOfApi && (isNew || PLAN.has(httpStatus));
}
