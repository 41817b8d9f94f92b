import type { Secret } from '../secret.ts';
import type { CommandContext } from './context.ts';

/** Prints what the queue does. @throws AnswerlakeError storage, configuration */
export async function showQueue(url: Secret, context: CommandContext): Promise<void> {
  const { openPostgres } = await import('../queue/postgres.ts');
  const { requireQueue } = await import('../queue/schema.ts');
  const { readQueueState } = await import('../queue/queue-state.ts');
  await using postgres = openPostgres(url);
  await requireQueue(postgres);
  const state = await readQueueState(postgres);
  if (context.flags.json) {
    context.printJson({
      ok: true,
      exit_code: 0,
      paused: state.isPaused,
      processes: state.processes,
      runs: state.runs,
      organizations: state.organizations,
      dead_letters: state.deadLetters,
      parts_waiting: state.partsWaiting,
    });
    return;
  }
  for (const line of queueLines(state)) context.print(line);
}

type State = Awaited<ReturnType<typeof import('../queue/queue-state.ts').readQueueState>>;

/** The state of the queue, for people. */
export function queueLines(state: State): string[] {
  const { isPaused, processes, runs, organizations, deadLetters, partsWaiting } = state;
  const alive = (kind: string): number => processes.filter((one) => one.kind === kind && one.is_alive).length;
  const standby = alive('standby') === 0 ? '' : `, ${alive('standby')} standby`;
  const lines = [
    `${isPaused ? 'Paused (answerlake queue resume goes on): ' : ''}${alive('worker')} workers, ${alive('loader') === 0 ? 'no loader' : '1 loader'}${standby}`,
  ];
  for (const { job, state: what, since } of runs)
    lines.push(`  run ${job ?? 'by hand'}: ${what} since ${instant(since)}`);
  for (const { organization, state: what, slices, since, tries } of organizations) {
    const size = slices === null ? 'keys and projects' : `${slices} slices`;
    const when = what === 'under way' ? `since ${instant(since)}` : `until ${instant(since)}`;
    lines.push(
      `  organization ${organization ?? '?'}: ${what} ${when}, ${size}${tries === 0 ? '' : `, try ${tries + 1}`}`,
    );
  }
  if (partsWaiting !== null && partsWaiting > 0) lines.push(`  ${partsWaiting} parts are not loaded yet`);
  if (deadLetters.length > 0) lines.push('Dead letters (answerlake queue retry tries them again):');
  for (const { organization, reason, died_at: when } of deadLetters) {
    lines.push(`  organization ${organization ?? '?'}, ${instant(when)}: ${reason ?? 'no reason was told'}`);
  }
  if (alive('worker') === 0) lines.push('No worker is there: start answerlake worker.');
  if (alive('loader') === 0) lines.push('No loader is there: start answerlake loader.');
  return lines;
}

function instant(when: Date): string {
  return `${when.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
