/** How long one run may stand still in all (`--max-wait`); waits that overlap count once. */
export interface WaitBudget {
  readonly maxWaitMs: number;
  /** Books a wait from now until then; false when that is more than is left, and nothing is booked. */
  book(nowMs: number, untilMs: number): boolean;
}

export function openWaitBudget(maxWaitMs: number): WaitBudget {
  let leftMs = maxWaitMs;
  let bookedUntilMs = Number.NEGATIVE_INFINITY;
  return {
    maxWaitMs,
    book: (nowMs, untilMs) => {
      const costMs = Math.max(0, untilMs - Math.max(nowMs, bookedUntilMs));
      if (costMs > leftMs) return false;
      leftMs -= costMs;
      bookedUntilMs = Math.max(bookedUntilMs, untilMs);
      return true;
    },
  };
}
