import { syncRequest, type SyncContext } from '../run/sync-request.ts';
import { type Job, jobRequest, openState } from './schedule/jobs.ts';
import { runSchedule, type ScheduleRequest } from './schedule/schedule.ts';
import { runWithNotification } from './notify/run-with-notification.ts';
import { stopCode } from '../effects.ts';
import { parseInstant } from '../day.ts';
import { finishedRuns, readJournal } from '../run/journal.ts';
import { Metrics } from './serve/metrics.ts';
import { openService } from './serve/service.ts';

/** Jobs by cron with health, metrics and notifications, until the signal, or until no job runs after `reload`; the exit code. */
export async function runDaemon(jobs: readonly Job[], parts: SyncContext & { reload?: AbortSignal }) {
  const { reload, ...context } = parts;
  const { config, log, version } = context;
  const state = openState(jobs);
  // A published file that cannot be read is reported by the readiness probe; the jobs run all the same.
  const journal = await readJournal(config.warehouse.path).catch((error: unknown) => {
    log.warn('journal.unreadable', { error });
    return { runs: [], quotas: [] };
  });
  // Enters the runs of earlier processes.
  for (const job of state.jobs) {
    const runs = finishedRuns(journal, job.name);
    job.lastEndMs = instantOf(runs[0]?.finished_at);
    job.lastSuccessMs = instantOf(runs.find((run) => run.exit_code === 0)?.finished_at);
  }
  const metrics = new Metrics(version);
  await using _ = await openService(state, metrics, context);
  await runSchedule({
    ...context,
    reload,
    state,
    metrics,
    run: jobRunner(metrics, context),
    lastSuccess: async (job) => {
      const runs = finishedRuns(await readJournal(config.warehouse.path), job);
      return instantOf(runs.find(({ status }) => status === 'ok' || status === 'partial')?.started_at);
    },
  });
  return stopCode(context.signal);
}

function jobRunner(metrics: Metrics, context: SyncContext): ScheduleRequest['run'] {
  const { config, effects, log } = context;
  return async (job, call) => {
    const lookbackDays = job.lookbackDays ?? config.sync.lookbackDays;
    // Days of downtime lengthen the look-back.
    const gap = call.gapDays === 0 ? {} : { lookbackDays: lookbackDays + call.gapDays };
    const request = syncRequest({ ...jobRequest(job), ...gap });
    if (config.queue.url !== null) {
      // Workers and loader do the run; schedules on several hosts enqueue it once.
      const { dueOf, enqueueRun, openJobs } = await import('../scale/queue/jobs.ts');
      await using jobs = await openJobs(config.queue.url);
      const due = { job: job.name, dueMs: dueOf(call.tickMs, effects.now()) };
      const { id, isNew } = await enqueueRun(jobs, request, due);
      log.info('job.queued', { job: job.name, id, is_new: isNew });
      return 0;
    }
    const { runSync } = await import('../run/sync.ts');
    const parts: SyncContext = { ...context, log: log.child({ job: job.name }), signal: call.signal };
    const report = await runWithNotification(request, parts, () => runSync(request, parts));
    metrics.measured(job.name, report);
    return report.exit_code;
  };
}

function instantOf(text: string | null | undefined): number | null {
  return text === null || text === undefined ? null : (parseInstant(text) ?? null);
}
