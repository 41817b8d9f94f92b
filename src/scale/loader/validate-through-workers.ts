import { seenQuotas, unknownOrganization } from '../../extract/clients.ts';
import {
  type Account,
  listedByAll,
  missedProjects,
  ownedOnce,
  type Reached,
} from '../../extract/reach-projects.ts';
import type { Config } from '../../config/config.ts';
import type { Day } from '../../day.ts';
import type { Effects } from '../../effects.ts';
import { AnswerlakeError } from '../../errors.ts';
import { problemOfRound, type ReachRound, type RoundEnd } from '../queue/round.ts';
import type { SyncRequest } from '../../run/sync-request.ts';
import { MAX_IDLE_ROUNDS, msToWait, type RoundDispatcher, type RemoteClients } from './round-dispatcher.ts';

export interface ValidationParts {
  dispatcher: Pick<RoundDispatcher, 'nextName' | 'dispatch'>;
  request: Pick<SyncRequest, 'projects' | 'today' | 'maxWaitMs'>;
  run: ReachRound['run'];
  clients: Pick<RemoteClients, 'quotas'>;
  config: Pick<Config, 'accounts'>;
  effects: Pick<Effects, 'now'>;
  signal: AbortSignal;
}

/** The projects that the keys reach, as workers found them; the answers are in the folder of the run. */
export interface ValidatedByWorkers {
  reached: Reached;
  syncDay: Day;
  /** How long the run may still wait. */
  waitLeftMs: number;
}

/** The end of a round that validated keys. */
type ReachedEnd = Omit<RoundEnd, 'reached'> & { reached: NonNullable<RoundEnd['reached']> };

/** Keys that are validated again. */
interface Retry {
  accounts: string[];
  afterMs: number;
}

/** Stands for the organizations of all accounts. */
const EVERY_ORGANIZATION = '*';

/**
 * Validates the keys through a worker. Accounts whose quota is used up, or whose server requests a wait, are validated again after it, if the run may wait so long.
 * @throws AnswerlakeError configuration, transient if no worker could do it; the signal's reason
 */
export async function validateThroughWorkers(parts: ValidationParts): Promise<ValidatedByWorkers> {
  const { request, config, effects, signal } = parts;
  let waitLeftMs = request.maxWaitMs;
  let known: ReachedEnd | null = null;
  let again: Retry | null = null;
  let isJoined = false;
  for (let atOnce = 0; atOnce < MAX_IDLE_ROUNDS;) {
    const { end, reason } = await validate(parts, { known, again });
    signal.throwIfAborted();
    if (end === null || end.reached === null) {
      if (known === null || known.reached.accounts.length === 0) throw unreached(end, reason);
      break;
    }
    const { serverAheadMs } = end.reached;
    // The worker compared the server's clock with its own, not with ours.
    const aheadMs = serverAheadMs === null ? null : serverAheadMs + end.at - effects.now();
    const later = { ...end, reached: { ...end.reached, serverAheadMs: aheadMs } };
    isJoined = known !== null;
    known = known === null ? later : joinEnds(known, later, again?.accounts ?? []);
    again = accountsToRetry(end, waitLeftMs);
    if (again === null) break;
    atOnce = again.afterMs > 0 ? 0 : atOnce + 1;
    waitLeftMs -= again.afterMs;
  }
  if (known === null) throw unreached(null, null);
  const reached = reachedOf(known, config);
  const missed = isJoined ? missedProjects(reached, request.projects) : [];
  return {
    reached: { ...reached, problems: [...reached.problems, ...missed] },
    syncDay: known.reached.syncDay,
    waitLeftMs,
  };
}

async function validate(
  { dispatcher, request, run, clients }: ValidationParts,
  { known, again }: { known: ReachedEnd | null; again: Retry | null },
): Promise<{ end: RoundEnd | null; reason: string | null }> {
  // Parts are landed under the day of the run, so a run that waits past midnight keeps its day.
  const today = known !== null && known.reached.accounts.length > 0 ? known.reached.syncDay : request.today;
  return await dispatcher.dispatch(
    {
      kind: 'reach',
      run,
      round: dispatcher.nextName(),
      organization: again === null ? EVERY_ORGANIZATION : unknownOrganization(again.accounts.join(', ')),
      quotas: seenQuotas(clients.quotas),
      projects: request.projects === null ? null : [...request.projects],
      today,
      accounts: again?.accounts ?? null,
      maxWaitMs: request.maxWaitMs,
    },
    { same: null, afterMs: again?.afterMs ?? 0 },
  );
}

/** The accounts whose wait is over soon enough; null if there are no such accounts. */
function accountsToRetry({ problems, at }: RoundEnd, waitLeftMs: number): Retry | null {
  const accounts: string[] = [];
  let afterMs = 0;
  for (const problem of problems) {
    const waitMs = msToWait(problem, at);
    if (problem.account === null || waitMs === null || waitMs > waitLeftMs) continue;
    accounts.push(problem.account);
    afterMs = Math.max(afterMs, waitMs);
  }
  return accounts.length === 0 ? null : { accounts, afterMs };
}

function unreached(end: RoundEnd | null, reason: string | null): AnswerlakeError {
  const [problem] = end?.problems ?? [];
  if (problem !== undefined) return problemOfRound(problem).error;
  return new AnswerlakeError(
    `no worker could validate the keys${reason === null ? '' : `: ${reason}`}; see answerlake queue status, then answerlake queue retry`,
    { class: 'transient' },
  );
}

/** The projects that the keys reach according to a worker, as this process describes them. */
function reachedOf(
  { reached, problems: reported }: Pick<ReachedEnd, 'reached' | 'problems'>,
  config: Pick<Config, 'accounts'>,
): Reached {
  const listedBy = new Map(reached.accounts.map(({ name, listed }) => [name, listed]));
  const accounts = config.accounts.flatMap((own): Account[] => {
    const found = reached.accounts.find(({ name }) => name === own.name);
    if (found === undefined) return [];
    const { organizationId, isOrganizationKey } = found;
    return [{ config: own, organizationId, isOrganizationKey }];
  });
  const all = accounts.flatMap((account) =>
    reached.projects
      .filter((project) => project.account === account.config.name)
      .map(({ projectId, projectHeader }) => ({
        projectId,
        account,
        projectHeader: projectHeader ?? undefined,
      })),
  );
  const unknown = config.accounts.filter(
    ({ name }) => !listedBy.has(name) && reported.every(({ account }) => account !== name),
  );
  return {
    accounts,
    projects: ownedOnce(all),
    answers: [],
    problems: [
      ...reported.map(problemOfRound),
      ...unknown.map(({ name }) => ({ error: unknownToWorker(name), account: name, projectId: null })),
    ],
    listed: listedByAll(config, listedBy),
    listedBy,
    serverAheadMs: reached.serverAheadMs,
  };
}

function unknownToWorker(account: string): AnswerlakeError {
  return new AnswerlakeError(
    `account ${account}: the worker that validated the keys does not have it, so nothing was asked for it; give workers and loader the same configuration, then run again`,
    { class: 'partial', scope: 'key' },
  );
}

/** Joins two rounds of a run; the later one validated accounts again that had to wait. Problems without an account are left out, because neither round covers all accounts. */
function joinEnds(before: ReachedEnd, later: ReachedEnd, again: readonly string[]): ReachedEnd {
  return {
    ...later,
    problems: [
      ...before.problems.filter(({ account }) => account !== null && !again.includes(account)),
      ...later.problems.filter(({ account }) => account !== null),
    ],
    reached: {
      ...later.reached,
      accounts: [...before.reached.accounts, ...later.reached.accounts],
      projects: [...before.reached.projects, ...later.reached.projects],
      serverAheadMs: later.reached.serverAheadMs ?? before.reached.serverAheadMs,
    },
  };
}
