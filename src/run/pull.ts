import type { Reached } from '../accounts/reach-projects.ts';
import { rememberOrganizations } from './organizations.ts';
import { readDoubts } from './doubts.ts';
import type { Step } from './outcome.ts';
import type { Pulling } from './pulling.ts';
import { pullStages } from './stages.ts';
import { noteUnreached } from './unreached-projects.ts';

/** Asks for what is owed once the keys are validated. */
export type PullOwed = (pulling: Pulling, reached: Reached) => AsyncGenerator<Step>;

/** Loads the answers to the validations, then asks for what is owed, stage by stage. Yields each step once it is loaded. */
export async function* pull(pulling: Pulling, pullOwed: PullOwed = pullStages): AsyncGenerator<Step> {
  const { reached, notices } = pulling;
  const { accounts, projects } = reached;
  const results = await loadAnswers(pulling, reached);
  await rememberOrganizations(pulling.connection, accounts);
  const unreached = await noteUnreached(pulling, reached);
  yield {
    results,
    problems: [...reached.problems, ...unreached.problems],
    warnings: [...notices, ...reached.warnings, ...unreached.warnings],
    reached: { accounts: accounts.length, projects: projects.length },
  };
  if (projects.length === 0) return;
  yield* pullOwed(pulling, reached);
  yield { results: [], problems: [], warnings: await readDoubts(pulling.connection) };
}

async function loadAnswers(
  { run, queue, progress }: Pulling,
  { answers }: Reached,
): Promise<Step['results']> {
  const { startedAt: runStartedAt, ...ofRun } = run;
  progress.expect(answers.length);
  for (const answer of answers) {
    const context = { ...ofRun, runStartedAt, asked: null, limit: null };
    await queue.push({ kind: 'answered', answer: { ...context, ...answer } });
  }
  return await queue.drain();
}
