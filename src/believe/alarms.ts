import { addDays, type Day } from '../day.ts';

/** Why a run is partial although its slices were asked for. */
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

/** An alarm as `meta.alarms` has it. */
export interface Alarm {
  firstOn: Day;
  /** Sync days on which it was seen. */
  days: number;
  lastOn: Day;
  knownSince: Day | null;
  /** Last sync day on which days beyond the look-back were asked about, or the refused value. */
  askedOn: Day;
  /** Days within the look-back have it, or a list. */
  isRecent: boolean;
}

/** What a run saw of it. */
export interface Seen {
  isRecent: boolean;
  /** Days beyond the look-back were asked about, or the refused value. */
  isOld: boolean;
  /** It takes all that is new of what the project itself has, without a filter. */
  takesAll: boolean;
}

/** Sync days with an alarm that make a run partial; after them it is known. */
const LOUD_DAYS = 3;
/** Days after which a known alarm is asked about again, beyond the look-back. */
const QUIET_DAYS = 7;

/** The alarm after it was seen on a sync day. */
export function nextAlarm(before: Alarm | null, { isRecent, isOld, takesAll }: Seen, syncDay: Day): Alarm {
  const days = before === null ? 1 : before.days + (before.lastOn < syncDay ? 1 : 0);
  const isLoud = days <= LOUD_DAYS || takesAll;
  return {
    firstOn: before?.firstOn ?? syncDay,
    days,
    lastOn: syncDay,
    knownSince: isLoud ? null : (before?.knownSince ?? syncDay),
    askedOn: before === null || isOld ? syncDay : before.askedOn,
    isRecent,
  };
}

/** The alarm after a run that did not see it and did not end it. @param isOwn of what the project itself has, without a filter @param wasAnswered newer days of it were answered */
export function unseenAlarm<A extends Alarm>(
  alarm: A,
  { isOwn, wasAnswered }: { isOwn: boolean; wasAnswered: boolean },
  syncDay: Day,
): A {
  const isRecent = alarm.isRecent && !wasAnswered;
  // What takes all that is new stays loud until it is asked again.
  const isKnown = alarm.days >= LOUD_DAYS && alarm.lastOn < syncDay && !(isOwn && isRecent);
  return { ...alarm, isRecent, knownSince: alarm.knownSince ?? (isKnown ? syncDay : null) };
}

/** Whether only what is new is asked about today: it was loud for its days, and the rest was asked about less than a week ago. */
export function isQuiet({ days, askedOn }: Pick<Alarm, 'days' | 'askedOn'>, today: Day): boolean {
  return days >= LOUD_DAYS && !isDue(askedOn, today);
}

/** Whether what was asked about on a day is asked about again. */
export function isDue(askedOn: Day, today: Day): boolean {
  return today >= addDays(askedOn, QUIET_DAYS);
}

/** A refusal of what the project itself has, without a filter. */
export interface Refusal {
  httpStatus: number | null;
  /** The refusal is the JSON of the API: a gateway's page says nothing of the plan. */
  isOfApi: boolean;
  /** It never had a row. */
  isNew: boolean;
}

/** Statuses of a plan that lacks the feature. */
const PLAN: ReadonlySet<number | null> = new Set([402, 403]);

/** Refusals of an endpoint that a server may not have. */
const LACKING: ReadonlySet<number | null> = new Set([...PLAN, 404, 405, 410, 501]);

/** Whether a refusal says that the server does not have what somebody declared. */
export function isLacking({ httpStatus, isOfApi, isNew }: Refusal): boolean {
  return isOfApi && isNew && LACKING.has(httpStatus);
}

/** Whether a refusal is let go although it takes all that is new: the plan does not have it. */
export function isOfPlan({ httpStatus, isOfApi, isNew }: Refusal): boolean {
  return isOfApi && (isNew || PLAN.has(httpStatus));
}
