import { z } from 'zod';
import { knownProcesses, type KnownProcess } from './processes.ts';
import type { Postgres } from './postgres.ts';
import { DEAD_LETTERS, JOBS_SCHEMA, readSetting, ROUNDS, RUNS } from './schema.ts';

const roundRow = z.object({
  job_id: z.string(),
  run: z.string().nullable(),
  organization: z.string().nullable(),
  round: z.string().nullable(),
  state: z.enum(['under way', 'waiting', 'parked', 'tried again']),
  slices: z.number().nullable(),
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

/** Everything that people ask of the queue. */
export interface QueueState {
  isPaused: boolean;
  processes: KnownProcess[];
  runs: z.output<typeof runRow>[];
  organizations: z.output<typeof roundRow>[];
  deadLetters: z.output<typeof deadRow>[];
  /** As the loader last counted; null without a loader. */
  partsWaiting: number | null;
  /** Id of the landing zone; null before a loader was there. */
  zone: string | null;
}

const JOB = `${JOBS_SCHEMA}.job`;

/** @throws AnswerlakeError (storage) */
export async function readQueueState(postgres: Postgres): Promise<QueueState> {
  const processes = await knownProcesses(postgres);
  const waiting = processes.find(({ kind, is_alive: isAlive }) => kind === 'loader' && isAlive)?.detail[
    'parts_waiting'
  ];
  return {
    isPaused: (await readSetting(postgres, 'paused')) === 'true',
    processes,
    runs: z.array(runRow).parse(
      await postgres.rows(
        `select id::text as job_id, data->>'job' as job, case state when 'active' then 'under way' else 'waiting' end as state,
         coalesce(started_on, created_on) as since from ${JOB} where name = $1 and state in ('created', 'retry', 'active') order by created_on`,
        [RUNS],
      ),
    ),
    organizations: z.array(roundRow).parse(
      await postgres.rows(
        `select id::text as job_id, data->'run'->>'runId' as run, data->>'organization' as organization, data->>'round' as round,
         case when state = 'active' then 'under way' when state = 'retry' then 'tried again'
           when start_after > now() then 'parked' else 'waiting' end as state,
         jsonb_array_length(data->'slices') as slices, retry_count as tries,
         case when state = 'active' then started_on else start_after end as since
         from ${JOB} where name = $1 and state in ('created', 'retry', 'active') order by created_on`,
        [ROUNDS],
      ),
    ),
    deadLetters: z.array(deadRow).parse(
      await postgres.rows(
        `select id::text, data->'run'->>'runId' as run, data->>'organization' as organization,
         jsonb_array_length(data->'slices') as slices, output->>'message' as reason, created_on as died_at
         from ${JOB} where name = $1 and state in ('created', 'retry') order by created_on`,
        [DEAD_LETTERS],
      ),
    ),
    partsWaiting: typeof waiting === 'number' ? waiting : null,
    zone: await readSetting(postgres, 'zone'),
  };
}

/** Takes the dead letters away; returns how many there were. */
export async function forgetDeadLetters(postgres: Postgres): Promise<number> {
  return (await postgres.rows(`delete from ${JOB} where name = $1 returning id`, [DEAD_LETTERS])).length;
}
