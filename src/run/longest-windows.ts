import { endpointNamed } from '../endpoints/catalogue.ts';
import { AnswerlakeError } from '../errors.ts';
import { ApiError } from '../extract/api-error.ts';
import type { LearnedWindow } from '../load/learned.ts';
import { askedDays, cutShorter, type PlannedSlice } from '../plan/plan.ts';
import { describeSlice, sliceGrain } from '../slice.ts';

/** The longest window that the server accepts for each endpoint: shown in this run, or in an earlier one. */
export class LongestWindows {
  readonly #known: Map<string, LearnedWindow>;
  readonly #shown = new Set<string>();
  /** Endpoints, by project and grain, whose shortest window was refused too: their refusals are not about the length, or a period is longer than what is accepted. Another project may have another plan. */
  readonly #hopeless = new Set<string>();
  /** Endpoint → longest window of a whole-window answer in this run. */
  readonly #answered = new Map<string, number>();
  /** Endpoint → shortest whole window that was refused in this run. */
  readonly #refused = new Map<string, { days: number; byCode: boolean }>();

  constructor(known: ReadonlyMap<string, LearnedWindow>) {
    this.#known = new Map(known);
  }

  /** Endpoint → longest window in days that series are asked for. */
  get maxDays(): ReadonlyMap<string, number> {
    return new Map(
      [...this.#known].flatMap(([endpoint, { maxDays }]) => (maxDays === null ? [] : [[endpoint, maxDays]])),
    );
  }

  /** What this run has shown, for later runs. */
  lessons(): [endpoint: string, learned: LearnedWindow][] {
    return [...this.#known].filter(([endpoint]) => this.#shown.has(endpoint));
  }

  /** Everything that is known, for another process of this run. */
  known(): [endpoint: string, learned: LearnedWindow][] {
    return [...this.#known];
  }

  /** What another process has shown in this run. */
  heard(lessons: Iterable<readonly [endpoint: string, learned: LearnedWindow]>): void {
    for (const [endpoint, learned] of lessons) this.#learn(endpoint, learned);
  }

  answered(planned: PlannedSlice): void {
    if (planned.slice.kind !== 'window') return;
    const { endpoint } = planned.slice;
    this.#answered.set(endpoint, Math.max(askedDays(planned), this.#answered.get(endpoint) ?? 0));
    this.#judgeWhole(endpoint);
  }

  /** A shorter window was answered where the longer one was refused: only that is evidence. */
  shown(refused: PlannedSlice, answered: PlannedSlice): number {
    const days = askedDays(answered);
    this.#learn(answered.slice.endpoint, { maxDays: days, refusedDays: askedDays(refused) });
    return days;
  }

  /** A whole window was refused and cannot be cut. Returns whether its length is believed to be the reason. */
  refusedWhole(planned: PlannedSlice, error: AnswerlakeError): boolean {
    const { endpoint } = planned.slice;
    const known = this.#refused.get(endpoint);
    this.#refused.set(endpoint, {
      days: Math.min(askedDays(planned), known?.days ?? Infinity),
      byCode: isRefusedByCode(error) || known?.byCode === true,
    });
    return this.#judgeWhole(endpoint);
  }

  /** The refusal is believed when the server said so in code, or answered a shorter window. */
  #judgeWhole(endpoint: string): boolean {
    const refused = this.#refused.get(endpoint);
    if (refused === undefined) return false;
    const longest = this.#answered.get(endpoint) ?? 0;
    if (longest >= refused.days || (longest === 0 && !refused.byCode)) return false;
    this.#learn(endpoint, { maxDays: null, refusedDays: refused.days });
    return true;
  }

  /** Days to try after a refusal; null when even the shortest window was refused in this run. */
  shorterThan(refused: PlannedSlice): number | null {
    const half = Math.floor(askedDays(refused) / 2);
    return half < 1 || this.#hopeless.has(placeOf(refused)) ? null : half;
  }

  giveUp(planned: PlannedSlice): void {
    this.#hopeless.add(placeOf(planned));
  }

  /** Cuts a slice that was planned before its limit was known; empty when it fits or cannot be cut. */
  pieces(planned: PlannedSlice): PlannedSlice[] {
    const { endpoint } = planned.slice;
    const days = this.#known.get(endpoint)?.maxDays ?? null;
    if (days === null || askedDays(planned) <= days) return [];
    return cutShorter(planned, endpointNamed(endpoint), days);
  }

  /** Why a whole window is not asked for; null when it may be. */
  refusal(planned: PlannedSlice): AnswerlakeError | null {
    const { slice } = planned;
    const refusedDays = this.#known.get(slice.endpoint)?.refusedDays ?? null;
    if (slice.kind !== 'window' || refusedDays === null || askedDays(planned) < refusedDays) return null;
    return new AnswerlakeError(
      `${describeSlice(slice)}: not asked, because the server refused ${String(refusedDays)} days as too long; it is tried again a week after that, or leave the window kind out (sync.endpoints.${slice.endpoint}.windows)`,
      { class: 'contract', scope: 'slice' },
    );
  }

  #learn(endpoint: string, { maxDays, refusedDays }: LearnedWindow): void {
    const known = this.#known.get(endpoint);
    this.#known.set(endpoint, {
      maxDays: least(maxDays, known?.maxDays ?? null),
      refusedDays: least(refusedDays, known?.refusedDays ?? null),
    });
    this.#shown.add(endpoint);
  }
}

function placeOf({ slice }: PlannedSlice): string {
  return JSON.stringify([slice.endpoint, slice.projectId, sliceGrain(slice)]);
}

function least(a: number | null, b: number | null): number | null {
  if (a === null || b === null) return a ?? b;
  return Math.min(a, b);
}

const SPEAKS_OF_TIME = /\b(range|days?|dates?|window|period|span|interval|months?)\b/i;
const SPEAKS_OF_LENGTH =
  /\b(too (large|long|wide|big|many)|exceed(s|ed)?|at most|max(imum)?|(longer|more|greater|less|shorter|smaller) than|up to|limit(ed)?)\b/i;

/** True when the server refused the number of days, not the request itself: a wrong parameter or an expired trial is no limit. */
export function isRangeTooLarge(error: AnswerlakeError): boolean {
  if (!(error instanceof ApiError) || !error.isBadQuestion) return false;
  if (error.code !== null) return isRefusedByCode(error);
  const { serverMessage } = error;
  return serverMessage !== null && SPEAKS_OF_TIME.test(serverMessage) && SPEAKS_OF_LENGTH.test(serverMessage);
}

function isRefusedByCode(error: AnswerlakeError): boolean {
  return error instanceof ApiError && error.code === 'DATE_RANGE_TOO_LARGE';
}
