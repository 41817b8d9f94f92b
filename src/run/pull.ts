import type { Reached } from '../accounts/reach-projects.ts';
import { rememberOrganizations } from './organizations.ts';
import type { Step } from './outcome.ts';
import type { Pulling } from './pulling.ts';
import { pullStages } from './stages.ts';

/** Validates the keys, then asks for what is owed, stage by stage. Yields each step once it is loaded. */
export async function* pull(pulling: Pulling): AsyncGenerator<Step> {
  const reached = await pulling.reach();
  const { accounts, projects, problems, warnings } = reached;
  const results = await loadAnswers(pulling, reached);
  await rememberOrganizations(pulling.connection, accounts);
  yield { results, problems, warnings, reached: { accounts: accounts.length, projects: projects.length } };
  if (accounts.length > 0) yield* pullStages(pulling, reached);
}

async function loadAnswers(
  { run, queue, progress }: Pulling,
  { answers }: Reached,
): Promise<Step['results']> {
  const { runId, startedAt: runStartedAt, syncDay } = run;
  progress.expect(answers.length);
  for (const answer of answers) {
    const context = { runId, runStartedAt, syncDay, asked: null, limit: null };
    await queue.push({ kind: 'answered', answer: { ...context, ...answer } });
  }
  return await queue.drain();
}
