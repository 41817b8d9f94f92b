import pLimit from 'p-limit';
import { endpointNamed } from '../endpoints/catalogue.ts';
import { AnswerlakeError } from '../errors.ts';
import { ApiError } from '../extract/api-error.ts';
import { fetchSlice } from '../extract/fetch-slice.ts';
import { askedDays, cutShorter, type PlannedSlice } from '../plan/plan.ts';
import type { Account, AccountProject } from '../accounts/validate-account.ts';
import type { LoadQueue } from './load-queue.ts';
import type { RunState } from './run-state.ts';

/** A planned slice and who is asked for it. */
export interface SliceJob {
  project: AccountProject;
  planned: PlannedSlice;
}

/** Asks for all slices, in their order for each account, and hands every outcome to the loader. */
export async function askSlices(state: RunState, queue: LoadQueue, jobs: readonly SliceJob[]): Promise<void> {
  state.planned += jobs.length;
  const byAccount = new Map<Account, SliceJob[]>();
  for (const job of jobs) {
    const own = byAccount.get(job.project.account);
    if (own === undefined) byAccount.set(job.project.account, [job]);
    else own.push(job);
  }
  await Promise.all(
    [...byAccount.values()].map(async (own) => {
      const limit = pLimit(state.context.config.api.concurrency);
      await Promise.all(own.map((job) => limit(() => askSlice(state, queue, job))));
    }),
  );
  await queue.drain();
}

async function askSlice(state: RunState, queue: LoadQueue, job: SliceJob): Promise<void> {
  const { context, blocked } = state;
  const { account } = job.project;
  if (context.signal.aborted || blocked.has(account)) return;
  const { planned } = job;
  const shorter = cutToLearned(state, planned);
  if (shorter.length > 0) {
    await askPieces(state, queue, { job, pieces: shorter });
    return;
  }
  try {
    const fetched = await fetchSlice(account.client, sliceRequest(state, job));
    await queue.push({
      kind: 'answered',
      answer: {
        runId: state.run.runId,
        runStartedAt: state.run.startedAt,
        syncDay: state.run.syncDay,
        account: account.config.name,
        slice: planned.slice,
        asked: planned.asked,
        limit: planned.limit,
        ...fetched,
      },
    });
  } catch (error) {
    await onFailure(state, queue, { job, error });
  }
}

function sliceRequest(state: RunState, { project, planned }: SliceJob): Parameters<typeof fetchSlice>[1] {
  const { config, signal } = state.context;
  const own = config.sync.endpoints[planned.slice.endpoint];
  return {
    endpoint: endpointNamed(planned.slice.endpoint),
    slice: planned.slice,
    asked: planned.asked,
    limit: planned.limit,
    timezone: config.sync.timezone,
    path: own?.path,
    parameters: own?.parameters,
    projectHeader: project.projectHeader,
    signal,
  };
}

interface FailedJob {
  job: SliceJob;
  error: unknown;
}

async function onFailure(state: RunState, queue: LoadQueue, { job, error }: FailedJob): Promise<void> {
  const { account } = job.project;
  const { planned } = job;
  if (state.context.signal.aborted) return;
  const known = error instanceof AnswerlakeError ? error : null;
  if (known === null) throw error;
  if (known.class === 'stopped') return;
  if (known.class === 'quota') {
    block(state, account, { why: 'quota', error: known });
    return;
  }
  if (known.class === 'auth' && known instanceof ApiError && known.status === 401) {
    block(state, account, { why: 'auth', error: known });
    return;
  }
  if (known.class === 'transient' && known.scope !== 'slice') {
    block(state, account, { why: 'unavailable', error: known });
    return;
  }
  if (isRangeTooLarge(known)) {
    const days = learnShorter(state, planned);
    const pieces = cutShorter(planned, endpointNamed(planned.slice.endpoint), days);
    if (pieces.length > 0) {
      await askPieces(state, queue, { job, pieces });
      return;
    }
  }
  await queue.push({
    kind: 'failed',
    slice: planned.slice,
    error: known,
    requests: known instanceof ApiError ? known.requests : 0,
    httpStatus: known instanceof ApiError ? known.status : null,
    at: state.context.effects.now(),
  });
}

/** Nothing more is asked of this account in this run; what is owed stays owed. */
export function block(
  state: RunState,
  account: Account,
  { why, error }: { why: 'quota' | 'auth' | 'unavailable'; error: AnswerlakeError },
): void {
  if (state.blocked.has(account)) return;
  state.blocked.set(account, why);
  state.fail(error, { account: account.config.name });
  state.context.log.warn('account.blocked', { account: account.config.name, why, error: error.message });
}

async function askPieces(
  state: RunState,
  queue: LoadQueue,
  { job, pieces }: { job: SliceJob; pieces: readonly PlannedSlice[] },
): Promise<void> {
  state.planned += pieces.length - 1;
  for (const planned of pieces) await askSlice(state, queue, { ...job, planned });
}

/** The server refused so many days: half of them, for this endpoint, from now on. */
function learnShorter(state: RunState, planned: PlannedSlice): number {
  const { maxWindowDays } = state.limits;
  const name = planned.slice.endpoint;
  const half = Math.max(1, Math.floor(askedDays(planned) / 2));
  const days = Math.min(half, maxWindowDays.get(name) ?? half);
  maxWindowDays.set(name, days);
  state.context.log.info('limit.learned', { endpoint: name, max_window_days: days });
  return days;
}

/** A slice that was planned before its endpoint's limit was learned. */
function cutToLearned(state: RunState, planned: PlannedSlice): PlannedSlice[] {
  const learned = state.limits.maxWindowDays.get(planned.slice.endpoint);
  if (learned === undefined || askedDays(planned) <= learned) return [];
  return cutShorter(planned, endpointNamed(planned.slice.endpoint), learned);
}

const SPEAKS_OF_RANGE = /\b(range|days|window|period|span|interval)\b/i;

function isRangeTooLarge(error: AnswerlakeError): boolean {
  if (!(error instanceof ApiError) || error.status !== 400) return false;
  if (error.code !== null) return error.code === 'DATE_RANGE_TOO_LARGE';
  return error.serverMessage !== null && SPEAKS_OF_RANGE.test(error.serverMessage);
}
