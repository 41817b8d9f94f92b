import type { Reached } from '../extract/reach-projects.ts';
import { rememberOrganizations } from './organizations.ts';
import { endDateContradictions } from './end-date-check.ts';
import type { Step } from './outcome.ts';
import type { Pulling } from './pulling.ts';
import { pullStages, pushValidations } from './stages.ts';
import { noteUnreached } from './unreached-projects.ts';

/** Asks for what is owed once the keys are validated. */
export type PullOwed = (pulling: Pulling, reached: Reached) => AsyncGenerator<Step>;

/** Asks for what is owed, stage by stage, and loads the answers to the validations with the first ones. Yields each step once it is loaded. */
export async function* pull(pulling: Pulling, pullOwed: PullOwed = pullStages): AsyncGenerator<Step> {
  const { reached, notices } = pulling;
  const { accounts, projects } = reached;
  await rememberOrganizations(pulling.connection, accounts);
  const unreached = await noteUnreached(pulling, reached);
  yield {
    results: [],
    problems: [...reached.problems, ...unreached.problems],
    warnings: [...notices, ...reached.warnings, ...unreached.warnings],
    reached: { accounts: accounts.length, projects: projects.length },
  };
  if (projects.length === 0) {
    await pushValidations(pulling, reached);
    yield { results: await pulling.queue.drain(), problems: [] };
    return;
  }
  yield* pullOwed(pulling, reached);
  yield { results: [], problems: await endDateContradictions(pulling) };
}
