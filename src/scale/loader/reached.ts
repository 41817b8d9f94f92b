import {
  type Reached,
  type ReachProblem,
  listedByAll,
  ownedOnce,
  type Account,
} from '../../extract/reach-projects.ts';
import type { Config } from '../../config/config.ts';
import { AnswerlakeError } from '../../errors.ts';
import { problemOfRound, type RoundEnd } from '../queue/round.ts';

/** The projects that the keys reach according to a worker, as this process describes them. */
export function reachedOf(
  { reached, problems: reported }: Pick<RoundEnd, 'reached' | 'problems'>,
  config: Config,
): Reached {
  const accounts = (reached?.accounts ?? []).flatMap(({ name, listed: _listed, ...known }): Account[] => {
    const own = config.accounts.find((account) => account.name === name);
    return own === undefined ? [] : [{ ...known, config: own }];
  });
  const problems = reported.map((problem) => ({
    error: problemOfRound(problem).error,
    account: problem.account,
    projectId: problem.projectId,
  }));
  const reportedAccounts = new Set([
    ...accounts.map((account) => account.config.name),
    ...problems.map(({ account }) => account),
  ]);
  const unknown = config.accounts
    .filter(({ name }) => !reportedAccounts.has(name))
    .map(({ name }) => unknownToWorker(name));
  return {
    accounts,
    projects: (reached?.projects ?? []).flatMap(({ projectId, account: name, projectHeader }) => {
      const account = accounts.find(({ config: { name: own } }) => own === name);
      return account === undefined ? [] : [{ projectId, account, projectHeader: projectHeader ?? undefined }];
    }),
    answers: [],
    problems: [...problems, ...unknown],
    warnings: reached?.warnings ?? [],
    // A worker that lacks a key cannot list its projects.
    listed: unknown.length > 0 || (reached?.listed ?? null) === null ? null : new Set(reached?.listed),
    listedBy: new Map(reached?.accounts.map(({ name, listed }) => [name, listed])),
    serverAheadMs: reached?.serverAheadMs ?? null,
  };
}

function unknownToWorker(account: string): ReachProblem {
  const error = new AnswerlakeError(
    `account ${account}: the worker that validated the keys does not have it, so nothing was asked for it; give workers and loader the same configuration, then run again`,
    { class: 'partial', scope: 'key' },
  );
  return { error, account, projectId: null };
}

type ReachedProjects = NonNullable<RoundEnd['reached']>;
/** The end of a round that validated keys. */
export type ReachedEnd = Omit<RoundEnd, 'reached'> & { reached: ReachedProjects };

/** Joins two rounds of a run; the later one validated accounts again whose quota was used up. Problems without an account are left out, because neither round covers all accounts. */
export function joinEnds(
  before: ReachedEnd,
  later: ReachedEnd,
  { config, asked }: { config: Pick<Config, 'accounts'>; asked: readonly string[] },
): ReachedEnd {
  const ranks = new Map(config.accounts.map(({ name }, rank) => [name, rank]));
  const rankOf = (account: string): number => ranks.get(account) ?? ranks.size;
  const accounts = [
    ...before.reached.accounts.filter(({ name }) => !asked.includes(name)),
    ...later.reached.accounts,
  ].sort((one, other) => rankOf(one.name) - rankOf(other.name));
  const { projects, warnings } = ownedOnce(
    [...before.reached.projects, ...later.reached.projects].sort(
      (one, other) => rankOf(one.account) - rankOf(other.account),
    ),
    ({ account }) => account,
  );
  const listed = listedByAll(config, new Map(accounts.map((account) => [account.name, account.listed])));
  return {
    ...later,
    problems: [
      ...before.problems.filter(({ account }) => account !== null && !asked.includes(account)),
      ...later.problems.filter(({ account }) => account !== null),
    ],
    reached: {
      ...later.reached,
      accounts,
      projects,
      warnings: [...before.reached.warnings, ...later.reached.warnings, ...warnings],
      listed: listed === null ? null : [...listed],
      serverAheadMs: later.reached.serverAheadMs ?? before.reached.serverAheadMs,
    },
  };
}
