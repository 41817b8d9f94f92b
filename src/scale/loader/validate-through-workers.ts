import { seenQuotas, unknownOrganization } from '../../extract/clients.ts';
import { missedProjects, type Reached } from '../../extract/reach-projects.ts';
import type { Config } from '../../config/config.ts';
import type { Day } from '../../day.ts';
import type { Effects } from '../../effects.ts';
import { AnswerlakeError } from '../../errors.ts';
import { runFolder } from '../landing/part.ts';
import type { Log } from '../../log.ts';
import { problemOfRound, type ReachRound, type RoundEnd } from '../queue/round.ts';
import type { SyncRequest } from '../../run/sync-request.ts';
import { joinEnds, type ReachedEnd, reachedOf } from './reached.ts';
import {
  logWait,
  MAX_IDLE_ROUNDS,
  msToWait,
  type RoundDispatcher,
  type RemoteClients,
} from './round-dispatcher.ts';

export interface ValidationParts {
  dispatcher: Pick<RoundDispatcher, 'nextName' | 'dispatch'>;
  request: Pick<SyncRequest, 'projects' | 'today' | 'maxWaitMs'>;
  run: ReachRound['run'];
  clients: Pick<RemoteClients, 'quotas'>;
  /** Account name → organization id, from an earlier run. */
  organizations: ReadonlyMap<string, string>;
  config: Config;
  effects: Pick<Effects, 'now'>;
  log: Log;
  signal: AbortSignal;
}

/** The projects that the keys reach, as workers found them. */
export interface ValidatedByWorkers {
  reached: Reached;
  syncDay: Day;
  /** Prefixes of the names of the parts with the answers. */
  landed: string[];
  /** How long the run may still wait. */
  waitLeftMs: number;
}

/** Keys that are validated again. */
interface Retry {
  accounts: string[];
  organization: string;
  afterMs: number;
}

const EVERY_ORGANIZATION = '*';

/**
 * Validates the keys through a worker. Accounts whose quota is used up, or whose server requests a wait, are validated again after it, if the run may wait so long.
 * @throws AnswerlakeError configuration, transient if no worker could do it; the signal's reason
 */
export async function validateThroughWorkers(parts: ValidationParts): Promise<ValidatedByWorkers> {
  const { request, run, config, effects, signal } = parts;
  const landed: string[] = [];
  let waitLeftMs = request.maxWaitMs;
  let known: ReachedEnd | null = null;
  let again: Retry | null = null;
  for (let atOnce = 0; atOnce < MAX_IDLE_ROUNDS;) {
    const { name, end, reason } = await validate(parts, { known, again });
    signal.throwIfAborted();
    if (end === null || end.reached === null) {
      if (known === null || known.reached.accounts.length === 0) throw unreached(end, reason);
      break;
    }
    const joined = { ...end, reached: byOurClock(end.reached, { at: end.at, now: effects.now() }) };
    landed.push(`${runFolder({ syncDay: joined.reached.syncDay, runId: run.runId })}${name}-`);
    known =
      known === null || again === null ? joined : joinEnds(known, joined, { config, asked: again.accounts });
    again = accountsToRetry(end, { ...parts, waitLeftMs, now: effects.now() });
    if (again === null) break;
    atOnce = again.afterMs > 0 ? 0 : atOnce + 1;
    waitLeftMs -= again.afterMs;
    if (again.afterMs > 0) logWait(parts, again);
  }
  if (known === null) throw unreached(null, null);
  const reached = reachedOf(known, config);
  const missed = landed.length > 1 ? missedProjects(reached, request.projects) : [];
  return {
    reached: { ...reached, problems: [...reached.problems, ...missed] },
    syncDay: known.reached.syncDay,
    landed,
    waitLeftMs,
  };
}

async function validate(
  { dispatcher, request, run, clients, organizations }: ValidationParts,
  { known, again }: { known: ReachedEnd | null; again: Retry | null },
): Promise<{ name: string; end: RoundEnd | null; reason: string | null }> {
  const name = dispatcher.nextName();
  // Parts are landed under the day of the run, so a run that waits past midnight keeps its day.
  const today = known !== null && known.reached.accounts.length > 0 ? known.reached.syncDay : request.today;
  const { end, reason } = await dispatcher.dispatch(
    {
      kind: 'reach',
      run,
      round: name,
      organization: again?.organization ?? EVERY_ORGANIZATION,
      organizations: [...organizations],
      quotas: seenQuotas(clients.quotas),
      projects: request.projects === null ? null : [...request.projects],
      today,
      accounts: again?.accounts ?? null,
      maxWaitMs: request.maxWaitMs,
    },
    { same: null, afterMs: again?.afterMs ?? 0 },
  );
  return { name, end, reason };
}

/** The worker compared the server's clock with its own, not with ours. */
function byOurClock(
  reached: ReachedEnd['reached'],
  { at, now }: { at: number | null; now: number },
): ReachedEnd['reached'] {
  const { serverAheadMs } = reached;
  return { ...reached, serverAheadMs: serverAheadMs === null ? null : serverAheadMs + (at ?? now) - now };
}

/** The accounts whose quota or requested wait is over soon enough; null if there are no such accounts. */
function accountsToRetry(
  end: RoundEnd,
  {
    organizations,
    waitLeftMs,
    now,
  }: Pick<ValidationParts, 'organizations'> & { waitLeftMs: number; now: number },
): Retry | null {
  const names = new Set<string>();
  const accounts: string[] = [];
  let afterMs = 0;
  for (const problem of end.problems) {
    const { account } = problem;
    if (account === null) continue;
    const organization = organizations.get(account) ?? unknownOrganization(account);
    const quotas = quotasOf(end, { account, organization });
    const waitMs = msToWait(problem, { ...end, quotas }, now);
    if (waitMs === null || waitMs > waitLeftMs) continue;
    names.add(organization);
    accounts.push(account);
    afterMs = Math.max(afterMs, waitMs);
  }
  if (accounts.length === 0) return null;
  const [organization = EVERY_ORGANIZATION] = names;
  return { accounts, organization: names.size === 1 ? organization : EVERY_ORGANIZATION, afterMs };
}

/** The quota of a key whose organization was not validated, else that of the organization. */
function quotasOf(
  { quotas }: RoundEnd,
  { account, organization }: { account: string; organization: string },
): RoundEnd['quotas'] {
  const own = quotas.filter(([id]) => id === unknownOrganization(account));
  return own.length > 0 ? own : quotas.filter(([id]) => id === organization);
}

function unreached(end: RoundEnd | null, reason: string | null): AnswerlakeError {
  const [problem] = end?.problems ?? [];
  if (problem !== undefined) return problemOfRound(problem).error;
  return new AnswerlakeError(
    `no worker could validate the keys${reason === null ? '' : `: ${reason}`}; see answerlake queue status, then answerlake queue retry`,
    { class: 'transient' },
  );
}
