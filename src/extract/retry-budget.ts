/** Share of the requests that may be repeats. 10 % random errors need 11.1 %, so they never meet it. */
const RETRIES_PER_REQUEST = 0.13;
/** What a short run may spend before it has earned anything. */
const INITIAL_TOKENS = 30;
/** What a long good run may save for a bad minute. */
const MOST_TOKENS = 60;

/** Keeps repeats a small share of the requests, so that a half-dead server does not eat the quota. */
export interface RetryBudget {
  /** Counts a first attempt. */
  earn(): void;
  /** False when the retry must not happen. */
  spend(): boolean;
}

export function openRetryBudget(): RetryBudget {
  let tokens = INITIAL_TOKENS;
  return {
    earn: () => {
      tokens = Math.min(MOST_TOKENS, tokens + RETRIES_PER_REQUEST);
    },
    spend: () => {
      if (tokens < 1) return false;
      tokens -= 1;
      return true;
    },
  };
}
