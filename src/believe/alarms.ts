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
  /** Periods that were open when it began; null where it is about a whole series. */
  periods: number | null;
}

/** What a run saw of it. */
export interface Seen {
  reason: AlarmReason;
  /** Periods that are open now. */
  periods: number | null;
  /** Some of them are within the look-back. */
  isRecent: boolean;
}

/** Sync days with an alarm that make a run partial; after them it is known. */
const LOUD_DAYS = 3;
/** Days after which a known alarm is asked about again. */
const QUIET_DAYS = 7;

/** The alarm after it was seen on a sync day. */
export function nextAlarm(before: Alarm | null, seen: Seen, syncDay: Day): Alarm {
  const { periods } = seen;
  const hasDoubled =
    before !== null && periods !== null && before.periods !== null && periods >= 2 * before.periods;
  if (before === null || hasDoubled)
    return { firstOn: syncDay, days: 1, lastOn: syncDay, knownSince: null, periods };
  const days = before.days + (before.lastOn < syncDay ? 1 : 0);
  // A series whose newest days cannot be read gives no information about today.
  const staysLoud = days <= LOUD_DAYS || (seen.reason === 'bad_row' && seen.isRecent);
  return {
    firstOn: before.firstOn,
    days,
    lastOn: syncDay,
    knownSince: staysLoud ? null : (before.knownSince ?? syncDay),
    periods: before.periods,
  };
}

/** Whether what it is about is left out today: it was loud for its days, and was asked about less than a week ago. */
export function isQuiet(
  { days, lastOn, askedOn }: Pick<Alarm, 'days' | 'lastOn'> & { askedOn: Day },
  today: Day,
): boolean {
  return days >= LOUD_DAYS && lastOn < today && today < addDays(askedOn, QUIET_DAYS);
}

/** Whether it makes a run of this day partial no longer, although the run did not ask about it. */
export function isKnown(
  { days, lastOn }: Alarm,
  { reason, isRecent }: Omit<Seen, 'periods'>,
  syncDay: Day,
): boolean {
  return days >= LOUD_DAYS && lastOn < syncDay && !(reason === 'bad_row' && isRecent);
}
