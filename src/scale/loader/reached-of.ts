import type { Reached, ReachProblem } from '../../extract/reach-projects.ts';
import type { Account } from '../../extract/validate-account.ts';
import type { Config } from '../../config/config.ts';
import { AnswerlakeError } from '../../errors.ts';
import type { RoundEnd } from '../queue/round.ts';
import { problemOfRound } from './organization-asker.ts';

/** What a worker says that the keys reach, in the words of this process. */
export function reachedOf(
  { reached, problems: told }: Pick<RoundEnd, 'reached' | 'problems'>,
  config: Config,
): Reached {
  const accounts = (reached?.accounts ?? []).flatMap(({ name, listed: _listed, ...known }): Account[] => {
    const own = config.accounts.find((account) => account.name === name);
    return own === undefined ? [] : [{ ...known, config: own }];
  });
  const problems = told.map((problem) => ({
    error: problemOfRound(problem).error,
    account: problem.account,
    projectId: problem.projectId,
  }));
  const heard = new Set([
    ...accounts.map((account) => account.config.name),
    ...problems.map(({ account }) => account),
  ]);
  const unknown = config.accounts
    .filter(({ name }) => !heard.has(name))
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
    // Whoever does not know a key does not know its projects either.
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
