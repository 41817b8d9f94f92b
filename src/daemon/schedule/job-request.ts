import type { Config } from '../../config/config.ts';
import { syncRequest, type SyncRequest } from '../../run/sync-request.ts';
import type { Job } from './job-file.ts';

/** What a job of the schedule asks for; days of downtime lengthen its look-back. */
export function jobRequest(job: Job, config: Config, gapDays: number): SyncRequest {
  return syncRequest({
    job: job.name,
    projects: job.projects,
    endpoints: job.endpoints,
    maxWaitMs: job.maxWaitMs,
    lookbackDays: gapDays === 0 ? job.lookbackDays : (job.lookbackDays ?? config.sync.lookbackDays) + gapDays,
  });
}
