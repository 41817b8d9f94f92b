import type { Job } from '../../src/daemon/schedule/jobs.ts';

/** A job of the jobs folder that says only its name and its pattern, and waits for nothing. */
export function job(name: string, schedule: string, rest: Partial<Job> = {}): Job {
  return {
    name,
    schedule,
    timezone: 'UTC',
    endpoints: null,
    projects: null,
    lookbackDays: null,
    maxWaitMs: 0,
    catchUp: true,
    file: `${name}.yaml`,
    ...rest,
  };
}
