import type { Day } from '../src/day.ts';
import type { FaultRule } from './faults.ts';
import type { MissingDays, World, WorldKey } from './world.ts';
import type { WorldName } from './worlds.ts';

export interface QuotaOptions {
  /** Requests of the organization in one UTC hour; default 50,000. */
  perHour?: number;
  /** Length of that hour; default is a real one. */
  hourMs?: number;
  /** Requests that other clients of the organization use up in each hour. */
  otherUse?: number;
}

export interface SimulatorOptions {
  /** Default 0: any free port of 127.0.0.1. */
  port?: number;
  seed?: number;
  /** Newest day with data; default is the clock's UTC day. */
  today?: Day;
  /** Oldest day with data; default 2025-01-01. */
  firstDay?: Day;
  /** Milliseconds since the epoch; quota windows and `lastUsedAt` follow it. */
  now?: () => number;
  /** Milliseconds since the epoch that the `Date` header tells, null for none; default is `now`. */
  serverTime?: () => number | null;
  /** The data: the name of a world, or a world that the caller built. Default `demo`. */
  world?: WorldName | World;
  /** Keys in addition to those of the world. */
  keys?: readonly WorldKey[];
  quota?: QuotaOptions;
  /** Whether `endDate` itself is part of the window; default true. */
  endDateInclusive?: boolean;
  /** Days that the service keeps, including today; older ones are absent, or a window that starts before them is refused. */
  keepDays?: number;
  tooOld?: 'absent' | 'refused';
  /** Days by which the service is behind: a window that ends after its own day is refused. */
  behindDays?: number;
  /** Days that are not there yet, the sync day counted first. */
  lateDays?: number;
  /** Windows of more days than this are answered in steps of 7 days instead of by day. */
  coarseAfterDays?: number;
  /** Names of query parameters that are accepted and change nothing. */
  ignoredParameters?: readonly string[];
  /** Most entries of a page of prompts or events; a larger `size` is accepted and not followed. */
  maxPageSize?: number;
  /** `total` of prompts and events as text, or smaller than the list by a number of entries. */
  totals?: 'text' | { behind: number };
  /** Longest window in days, including both ends: a number for events, or by endpoint name. Default 90 for events. */
  maxWindowDays?: number | Readonly<Record<string, number>>;
  /** Names of endpoints that ignore the window and answer with everything. */
  ignoreDates?: readonly string[];
  /** How a day without data looks in a series; default `absent`. */
  missingDays?: MissingDays;
  /** Delay before each answer. */
  latencyMs?: number;
  faults?: FaultRule;
}
