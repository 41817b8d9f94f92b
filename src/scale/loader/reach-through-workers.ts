import { seenQuotas, unknownOrganization } from '../../extract/clients.ts';
import { missedProjects, type Reached } from '../../extract/reach-projects.ts';
import type { Config } from '../../config/config.ts';
import type { Day } from '../../day.ts';
import type { Effects } from '../../effects.ts';
import { AnswerlakeError } from '../../errors.ts';
import { runFolder } from '../landing/part.ts';
import type { Log } from '../../log.ts';
import type { ReachRound, RoundEnd } from '../queue/round.ts';
import type { SyncRequest } from '../../run/sync-request.ts';
import { joinReached, type ReachedEnd, reachedOf } from './reached.ts';
import { problemOfRound } from './organization-asker.ts';
import { logParked, MOST_IDLE_ROUNDS, msToWait, type Rounds, type RemoteClients } from './rounds.ts';

export interface ReachParts {
  rounds: Pick<Rounds, 'nextName' | 'play'>;
  request: Pick<SyncRequest, 'projects' | 'today' | 'maxWaitMs'>;
  run: ReachRound['run'];
  clients: Pick<RemoteClients, 'quotas'>;
  /** Account name → organization id, as an earlier run learned it. */
  organizations: ReadonlyMap<string, string>;
  config: Config;
  effects: Pick<Effects, 'now'>;
  log: Log;
  signal: AbortSignal;
}

/** What workers found that the keys reach. */
export interface ReachedByWorkers {
  reached: Reached;
  syncDay: Day;
  /** How the names of the parts begin that hold the answers. */
  landed: string[];
  /** What the run may still wait. */
  waitLeftMs: number;
}

/** Whose keys are validated again, and when. */
interface Again {
  accounts: string[];
  organization: string;
  afterMs: number;
}

const EVERY_ORGANIZATION = '*';

/**
 * Has a worker validate the keys. Accounts whose hour is used up, or whose server asks for a wait, are asked again after it, where the run may wait so long.
 * @throws AnswerlakeError configuration, transient when no worker could do it; the signal's reason
 */
export async function reachThroughWorkers(parts: ReachParts): Promise<ReachedByWorkers> {
  const { request, run, config, effects, signal } = parts;
  const landed: string[] = [];
  let waitLeftMs = request.maxWaitMs;
  let known: ReachedEnd | null = null;
  let again: Again | null = null;
  for (let atOnce = 0; atOnce < MOST_IDLE_ROUNDS;) {
    const { name, end, reason } = await playReach(parts, { known, again });
    signal.throwIfAborted();
    if (end === null || end.reached === null) {
      if (known === null || known.reached.accounts.length === 0) throw unreached(end, reason);
      break;
    }
    const told = { ...end, reached: byOurClock(end.reached, { at: end.at, now: effects.now() }) };
    landed.push(`${runFolder({ syncDay: told.reached.syncDay, runId: run.runId })}${name}-`);
    known =
      known === null || again === null ? told : joinReached(known, told, { config, asked: again.accounts });
    again = parkedOf(end, { ...parts, waitLeftMs, now: effects.now() });
    if (again === null) break;
    atOnce = again.afterMs > 0 ? 0 : atOnce + 1;
    waitLeftMs -= again.afterMs;
    if (again.afterMs > 0) logParked(parts, again);
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

async function playReach(
  { rounds, request, run, clients, organizations }: ReachParts,
  { known, again }: { known: ReachedEnd | null; again: Again | null },
): Promise<{ name: string; end: RoundEnd | null; reason: string | null }> {
  const name = rounds.nextName();
  // What has been landed stands under its day, so a run that waits past midnight keeps it.
  const today = known !== null && known.reached.accounts.length > 0 ? known.reached.syncDay : request.today;
  const { end, reason } = await rounds.play(
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

/** The worker told by its own clock how far the server is ahead. */
function byOurClock(
  reached: ReachedEnd['reached'],
  { at, now }: { at: number | null; now: number },
): ReachedEnd['reached'] {
  const { serverAheadMs } = reached;
  return { ...reached, serverAheadMs: serverAheadMs === null ? null : serverAheadMs + (at ?? now) - now };
}

/** Accounts whose hour, or the silence that the server asked for, is over soon enough; null when there is none. */
function parkedOf(
  end: RoundEnd,
  { organizations, waitLeftMs, now }: Pick<ReachParts, 'organizations'> & { waitLeftMs: number; now: number },
): Again | null {
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

/** The quota of a key that did not get to name its organization, else that of the organization. */
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
