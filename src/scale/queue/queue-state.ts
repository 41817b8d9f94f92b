import { z } from 'zod';
import { knownProcesses } from './processes.ts';
import { type Postgres, openPostgres } from './postgres.ts';
import { DEAD_LETTER_QUEUE, readQueueSetting, ROUND_QUEUE, RUN_QUEUE, requireQueue } from './schema.ts';
import type { Secret } from '../../secret.ts';
import { counted, minuteOf } from '../../quantity.ts';
import { readSql } from '../../warehouse/sql.ts';

const roundRow = z.object({
  job_id: z.string(),
  run: z.string().nullable(),
  organization: z.string().nullable(),
  round: z.string().nullable(),
  state: z.enum(['under way', 'waiting', 'parked', 'tried again']),
  slices: z.number(),
  tries: z.number(),
  /** When it begins; for one under way, when it began. */
  since: z.date(),
});

const deadRow = z.object({
  id: z.string(),
  run: z.string().nullable(),
  organization: z.string().nullable(),
  slices: z.number().nullable(),
  reason: z.string().nullable(),
  died_at: z.date(),
});

const runRow = z.object({
  job_id: z.string(),
  job: z.string().nullable(),
  state: z.string(),
  since: z.date(),
});

export type QueueState = Awaited<ReturnType<typeof readQueueState>>;

/** @throws AnswerlakeError (storage) */
export async function readQueueState(postgres: Postgres) {
  const processes = await knownProcesses(postgres);
  const loader = processes.find((one) => one.kind === 'loader' && one.is_alive);
  return {
    isPaused: (await readQueueSetting(postgres, 'paused')) === 'true',
    processes,
    runs: await postgres.rows(runRow, readSql('queue/runs'), [RUN_QUEUE]),
    organizations: await postgres.rows(roundRow, readSql('queue/organizations'), [ROUND_QUEUE]),
    deadLetters: await postgres.rows(deadRow, readSql('queue/dead-letters'), [DEAD_LETTER_QUEUE]),
    /** As last counted by the loader; null without a loader. */
    partsWaiting: loader?.detail.parts_waiting ?? null,
    /** Id of the landing zone; null until a loader has started. */
    zone: await readQueueSetting(postgres, 'zone'),
  };
}

export async function forgetDeadLetters(postgres: Postgres): Promise<number> {
  return await postgres.run('delete from answerlake_jobs.job where name = $1', [DEAD_LETTER_QUEUE]);
}

export async function watchQueue(url: Secret): Promise<QueueState> {
  await using postgres = openPostgres(url);
  await requireQueue(postgres);
  return await readQueueState(postgres);
}

/** Problems that stop the queue, each with its remedy in one sentence. */
export function queueProblems({ isPaused, processes, deadLetters }: QueueState): string[] {
  const lacks = (kind: string): boolean => !processes.some((one) => one.kind === kind && one.is_alive);
  return [
    ...(isPaused ? ['the queue is paused: to continue, run answerlake queue resume'] : []),
    ...(lacks('worker') ? ['no worker is running: start answerlake worker'] : []),
    ...(lacks('loader') ? ['no loader is running: start answerlake loader'] : []),
    ...landingProblems(processes).map(
      ({ kind, host, problem }) =>
        `the ${kind} on ${host} waits for the landing zone: ${problem.replace(/\.$/, '')}`,
    ),
    ...deadLetters.map(
      ({ organization, reason }) =>
        `${whoIs(organization)} was abandoned (${reason ?? 'no reason was given'}): run answerlake queue retry to try again`,
    ),
  ];
}

/** Workers and loaders that wait for the landing zone. */
export function landingProblems(processes: QueueState['processes']) {
  return processes.flatMap(({ kind, host, is_alive: isAlive, detail: { landing_problem: problem } }) =>
    isAlive && problem ? [{ kind, host, problem }] : [],
  );
}

const WHEN = { 'under way': 'since', waiting: 'since', parked: 'until', 'tried again': 'from' } as const;

export function queueLines(state: QueueState): string[] {
  const { processes, runs, organizations, partsWaiting: parts } = state;
  const [workers = 0, loaders = 0, standbys = 0] = ['worker', 'loader', 'standby'].map(
    (kind) => processes.filter((one) => one.kind === kind && one.is_alive).length,
  );
  return [
    `${counted(workers, 'worker')}, ${String(loaders)} loader${standbys > 0 ? `, ${String(standbys)} standby` : ''}`,
    ...runs.map((run) => `  run ${run.job ?? 'by hand'}: ${run.state} since ${minuteOf(Number(run.since))}`),
    ...organizations.map(({ organization, state: what, slices, since, tries }) => {
      const tried = tries === 0 ? '' : `, try ${String(tries + 1)}`;
      return `  ${whoIs(organization)}: ${what} ${WHEN[what]} ${minuteOf(Number(since))}, ${counted(slices, 'slice')}${tried}`;
    }),
    ...processes
      .flatMap(({ detail }) => detail.parked ?? [])
      .map(([organization, ms]) => `  ${whoIs(organization)}: parked until ${minuteOf(ms)}`),
    ...(parts ? [`  ${counted(parts, 'part')} ${parts === 1 ? 'is' : 'are'} not loaded yet`] : []),
    ...queueProblems(state).map((problem) => `  ! ${problem}`),
  ];
}

function whoIs(organization: string | null): string {
  const account = /^account:(.*)$/.exec(organization ?? '?')?.[1];
  return account === undefined ? `organization ${organization ?? '?'}` : `account ${account}`;
}
