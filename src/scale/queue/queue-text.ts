import type { QueueState } from './queue-state.ts';

/** What keeps a queue from working, and what to do, a sentence each; empty when nothing does. */
export function queueProblems({ isPaused, processes, deadLetters }: QueueState): string[] {
  const has = (kind: string): boolean => processes.some((one) => one.kind === kind && one.is_alive);
  const problems: string[] = [];
  if (isPaused) problems.push('the queue is paused: answerlake queue resume goes on');
  if (!has('worker')) problems.push('no worker is there: start answerlake worker');
  if (!has('loader')) problems.push('no loader is there: start answerlake loader');
  for (const { organization, reason } of deadLetters) {
    problems.push(
      `${whoIs(organization)} was given up (${reason ?? 'no reason was told'}): answerlake queue retry tries it again`,
    );
  }
  return problems;
}

const WHEN = { 'under way': 'since', waiting: 'since', parked: 'until', 'tried again': 'from' } as const;

/** The state of the queue, for people. */
export function queueLines(state: QueueState): string[] {
  const { processes, runs, organizations, partsWaiting } = state;
  const alive = (kind: string): number => processes.filter((one) => one.kind === kind && one.is_alive).length;
  const workers = alive('worker') === 1 ? '1 worker' : `${String(alive('worker'))} workers`;
  const standby = alive('standby') === 0 ? '' : `, ${String(alive('standby'))} standby`;
  const lines = [`${workers}, ${String(alive('loader'))} loader${standby}`];
  for (const { job, state: what, since } of runs) {
    lines.push(`  run ${job ?? 'by hand'}: ${what} since ${instant(since)}`);
  }
  for (const { organization, state: what, slices, since, tries } of organizations) {
    const size =
      slices === null ? 'keys and projects' : slices === 1 ? '1 slice' : `${String(slices)} slices`;
    const when = `${WHEN[what]} ${instant(since)}`;
    const tried = tries === 0 ? '' : `, try ${String(tries + 1)}`;
    lines.push(`  ${whoIs(organization)}: ${what} ${when}, ${size}${tried}`);
  }
  if (partsWaiting !== null && partsWaiting > 0) {
    lines.push(`  ${partsWaiting === 1 ? '1 part is' : `${String(partsWaiting)} parts are`} not loaded yet`);
  }
  return [...lines, ...queueProblems(state).map((problem) => `  ! ${problem}`)];
}

/** A round for the keys of several organizations names none of them. */
function whoIs(organization: string | null): string {
  if (organization === '*') return 'every organization';
  const account = /^account:(.*)$/.exec(organization ?? '?')?.[1];
  return account === undefined ? `organization ${organization ?? '?'}` : `account ${account}`;
}

function instant(when: Date): string {
  return `${when.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
