import { listedByAll, reachedTwice } from '../../extract/reach-projects.ts';
import type { Config } from '../../config/config.ts';
import type { RoundEnd } from '../queue/round.ts';

type Told = NonNullable<RoundEnd['reached']>;
/** How a round that validated keys ended. */
export type ReachedEnd = Omit<RoundEnd, 'reached'> & { reached: Told };

/** Two rounds of a run as one: in the later one, accounts that had no hour left were asked again. What concerns no account is left out, because neither round knows it. */
export function joinReached(
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
  const { projects, twice } = ownedOnce(
    [...before.reached.projects, ...later.reached.projects].sort(
      (one, other) => rankOf(one.account) - rankOf(other.account),
    ),
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
      warnings: [...before.reached.warnings, ...later.reached.warnings, ...twice],
      listed: listed === null ? null : [...listed],
      serverAheadMs: later.reached.serverAheadMs ?? before.reached.serverAheadMs,
    },
  };
}

/** Each project by the first account that reaches it. */
function ownedOnce(reached: Told['projects']): { projects: Told['projects']; twice: string[] } {
  const owners = new Map<string, Told['projects'][number]>();
  const twice: string[] = [];
  for (const project of reached) {
    const owner = owners.get(project.projectId)?.account;
    if (owner === undefined) owners.set(project.projectId, project);
    else twice.push(reachedTwice(project.projectId, { owner, other: project.account }));
  }
  return { projects: [...owners.values()], twice };
}
