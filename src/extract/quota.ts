import { EventEmitter, once } from 'node:events';
import { amount, formatDuration, minuteOf } from '../quantity.ts';
import type { Effects } from '../effects.ts';
import { AnswerlakeError } from '../errors.ts';
import * as quotaState from './quota-state.ts';
import type { QuotaSnapshot, QuotaState } from './quota-state.ts';
import type { Log } from '../log.ts';
import type { RateLimit } from './headers.ts';
import type { WaitBudget } from './pace.ts';

/** News about the quota from an answer. */
export type QuotaEvent =
  | { kind: 'headers'; seen: RateLimit; good: boolean }
  /** No headers; `good` if the request itself was answered with 2xx. */
  | { kind: 'silence'; good: boolean }
  | { kind: 'limited'; limit: number | null; retryAfterMs: number | null; resetAt: number | null };

/** Permission to send one request; counts as under way until settled; later calls have no effect. */
export interface QuotaPermit {
  settle(news: QuotaEvent): void;
  /** The request was never sent. */
  cancel(): void;
}

/** The hourly quota of an organization, shared by all its keys. */
export type Quota = ReturnType<typeof openQuota>;

/** What a quota has observed in its run. */
type SeenQuota = {
  readonly isConfirmed: boolean;
  readonly hasSent: boolean;
  snapshot(): QuotaSnapshot | null;
};

export interface QuotaOptions {
  /** Share of the limit left to other clients, 0..1. */
  reserve: number;
  waitBudget: WaitBudget;
  effects: Effects;
  log: Log;
  /** The snapshot of an earlier run: one request tests whether it still holds. */
  initial?: QuotaSnapshot | null;
}

/** Opens the quota of one organization. */
export function openQuota(options: QuotaOptions) {
  const { effects, log, reserve, waitBudget } = options;
  let state = quotaState.NOTHING_KNOWN;
  let inFlight = 0;
  let hasSent = false;
  /** Counts 429 answers; concurrent ones count once. */
  let refusals = 0;
  let announcedUntilMs = 0;
  const permits = new EventEmitter().setMaxListeners(0);

  const learn = (next: QuotaState): void => {
    const before = state.known;
    state = next;
    const after = next.known;
    if (after === null || (before?.limit === after.limit && before.resetAt === after.resetAt)) return;
    log.info('quota.learned', { ...after, resetAt: new Date(after.resetAt).toISOString() });
  };
  const settle = (news: QuotaEvent, refusalsAtStart: number): void => {
    // An answer from before the 429 must not reopen the hour.
    if (refusalsAtStart !== refusals) return;
    const nowMs = effects.now();
    if (news.kind === 'silence') learn(quotaState.learnSilence(state, news.good, nowMs));
    else if (news.kind === 'headers')
      learn(quotaState.learnHeaders(state, { ...news.seen, isGood: news.good }, nowMs));
    else {
      refusals += 1;
      learn(quotaState.learnRefusal(state, news, nowMs));
    }
  };
  const openPermit = (): QuotaPermit => {
    const refusalsAtStart = refusals;
    let open = true;
    const isFirst = !hasSent;
    hasSent = true;
    inFlight += 1;
    const close = (news: QuotaEvent | null): void => {
      if (!open) return;
      open = false;
      inFlight -= 1;
      if (news !== null) settle(news, refusalsAtStart);
      else if (isFirst) hasSent = false;
      permits.emit('closed');
    };
    return { settle: close, cancel: () => close(null) };
  };
  const waitForReset = async (atMs: number, known: QuotaSnapshot, signal?: AbortSignal): Promise<void> => {
    const nowMs = effects.now();
    if (!waitBudget.book(nowMs, atMs)) throw usedUp(known, options);
    if (announcedUntilMs !== atMs) {
      announcedUntilMs = atMs;
      log.info('quota.waiting', { ...known, resetAt: new Date(atMs).toISOString(), waitMs: atMs - nowMs });
    }
    await effects.sleep(atMs - nowMs, signal);
  };

  const { initial } = options;
  if (initial && quotaState.isPlausible(initial, effects.now()))
    state = quotaState.recall(initial, effects.now());
  else if (initial) log.warn('quota.forgotten', { ...initial });

  return {
    waitBudget,
    /** True once an answer of this run has shown the current hour. */
    get isConfirmed(): boolean {
      return state.confirmed;
    },
    /** True once this run has sent a request under this quota. */
    get hasSent(): boolean {
      return hasSent;
    },
    /** Adopts the observations of another quota of the same organization in this run. */
    takeOver: (other: SeenQuota): void => {
      // A stored snapshot may belong to another organization.
      const told = other.isConfirmed ? other.snapshot() : null;
      // The other quota has logged it.
      if (told !== null) state = quotaState.learnHeaders(state, told, effects.now());
      else if (state.known === null) state = { ...state, confirmed: state.confirmed || other.isConfirmed };
      hasSent ||= other.hasSent;
    },
    /** True if the current hour is known to be used up, apart from the reserve. */
    isUsedUp: (): boolean =>
      state.known !== null &&
      state.isDisbelieved !== true &&
      quotaState.isCurrent(state.known, effects.now()) &&
      state.known.remaining <= quotaState.reservedRequests(state.known.limit, reserve),
    /** The current hour as last seen; null if no answer has shown it. */
    snapshot: (): QuotaSnapshot | null => (state.known === null ? null : { ...state.known }),
    /**
     * Resolves when one more request may be sent; waits for the reset if the run's wait budget allows.
     * @throws AnswerlakeError of class `quota` when the hour is used up and the wait is too long
     */
    acquire: async (signal?: AbortSignal): Promise<QuotaPermit> => {
      for (;;) {
        signal?.throwIfAborted();
        const step = quotaState.decideQuota({ state, inFlight, hasSent, reserve, nowMs: effects.now() });
        if (step.kind === 'send') {
          if (step.isProbe === true) state = { ...state, isProbed: true };
          return openPermit();
        }
        if (step.kind === 'after_reset') await waitForReset(step.atMs, step.known, signal);
        // The loop throws the reason of the signal.
        else await once(permits, 'closed', { signal }).catch(() => undefined);
      }
    },
  };
}

function usedUp(known: QuotaSnapshot, { reserve, waitBudget }: QuotaOptions): AnswerlakeError {
  const { limit, remaining } = known;
  const resetAt = minuteOf(known.resetAt);
  return new AnswerlakeError(
    `the hourly quota is used up: ${amount(remaining)} of ${amount(limit)} requests left, ` +
      `${amount(quotaState.reservedRequests(limit, reserve))} of them reserved for other clients (api.reserve_quota); it resets at ${resetAt}, ` +
      `${waitBudget.maxWaitMs === 0 ? 'and this command does not wait for it' : `later than the ${formatDuration(waitBudget.maxWaitMs)} of --max-wait allow`}; a run after the reset continues where this one stopped`,
    { class: 'quota', scope: 'key', waitUntilMs: known.resetAt },
  );
}

/** Prefix for an organization that no answer has named yet, so that its quota can be stored too. */
export function unknownOrganization(account: string): string {
  return `account:${account}`;
}

/** The hourly quota of each organization whose answers have shown it. */
export function seenQuotas(
  quotas: ReadonlyMap<string, Pick<Quota, 'snapshot'>>,
): [organization: string, seen: QuotaSnapshot][] {
  return [...quotas].flatMap(([id, quota]): [string, QuotaSnapshot][] => {
    const seen = quota.snapshot();
    return seen === null ? [] : [[id, seen]];
  });
}
