import { syncRequest, type SyncContext } from '../run/sync-request.ts';
import { type DaemonState, type Job, jobRequest, maxSuccessAgeMs, openState } from './schedule/jobs.ts';
import { runSchedule, type ScheduleRequest } from './schedule/schedule.ts';
import {
  changeNotifyState,
  jobMemory,
  notifyStatePath,
  readNotifyState,
} from './notify/decide-notifications.ts';
import { runWithNotification } from './notify/run-with-notification.ts';
import { stopCode } from '../effects.ts';
import { parseInstant } from '../day.ts';
import { finishedRuns, readJournal } from '../run/journal.ts';
import { openMetrics, type Metrics } from './serve/metrics.ts';
import { openService } from './serve/service.ts';

/** Jobs by cron with health, metrics and notifications, until the signal, or until no job runs after `reload`; the exit code. */
export async function runDaemon(jobs: readonly Job[], parts: SyncContext & { reload?: AbortSignal }) {
  const { reload, ...context } = parts;
  const { config, effects, log, version } = context;
  const state = openState(jobs);
  const statePath = notifyStatePath(config.warehouse.path);
  const remembered = readNotifyState(statePath).jobs;
  for (const job of state.jobs) {
    Object.assign(job, remembered[job.name]);
    job.knownSinceMs ??= effects.now();
    job.maxSuccessAgeMs = maxSuccessAgeMs([job], effects.now());
  }
  await enterRuns(state, context);
  const remember = (): void => {
    try {
      const all = state.jobs.map((job) => [job.name, jobMemory.parse(job)] as const);
      changeNotifyState(statePath, { jobs: Object.fromEntries(all) });
    } catch (error) {
      log.warn('jobs.not_remembered', { error });
    }
  };
  remember();
  const metrics = openMetrics(version);
  // With a queue, the loader performs the runs and writes the journal.
  const isQueued = config.queue.url !== null;
  const lookAgain = isQueued ? async () => await enterRuns(state, context) : undefined;
  await using _ = await openService(state, metrics, { ...context, lookAgain });
  await runSchedule({
    ...context,
    reload,
    state,
    metrics,
    remember,
    run: jobRunner(metrics, context),
  });
  return stopCode(context.signal);
}

/** Enters the runs of other processes from the journal: it has manual runs, but not those that failed before they were recorded. */
async function enterRuns({ jobs }: DaemonState, { config, log }: SyncContext): Promise<void> {
  // The readiness probe reports an unreadable published file; the jobs run all the same.
  const journal = await readJournal(config.warehouse.path).catch((error: unknown) => {
    log.warn('journal.unreadable', { error });
    return { runs: [], quotas: [], leftOut: [] };
  });
  for (const job of jobs) {
    const runs = finishedRuns(journal, job.name);
    const endMs = instantOf(runs[0]?.finished_at) ?? 0;
    if (endMs > (job.lastEndMs ?? 0))
      Object.assign(job, { lastEndMs: endMs, lastExitCode: runs[0]?.exit_code ?? null });
    const loaded = runs.find(({ status }) => status === 'ok' || status === 'partial');
    job.lastLoadMs = instantOf(loaded?.started_at);
    const successMs = instantOf(runs.find((run) => run.exit_code === 0)?.finished_at) ?? 0;
    job.lastSuccessMs = Math.max(job.lastSuccessMs ?? 0, successMs) || null;
  }
}

function jobRunner(metrics: Metrics, context: SyncContext): ScheduleRequest['run'] {
  const { config, effects, log } = context;
  return async (job, call) => {
    const lookbackDays = job.lookbackDays ?? config.sync.lookbackDays;
    // Days of downtime lengthen the look-back.
    const gap = call.gapDays === 0 ? {} : { lookbackDays: lookbackDays + call.gapDays };
    const request = syncRequest({ ...jobRequest(job), ...gap });
    if (config.queue.url !== null) {
      // Workers and loader perform the run; schedules on several hosts enqueue it once.
      const { dueOf, enqueueRun, openJobs } = await import('../scale/queue/jobs.ts');
      await using jobs = await openJobs(config.queue.url);
      const due = { job: job.name, dueMs: dueOf(call.tickMs, effects.now()) };
      const { id, isNew } = await enqueueRun(jobs, request, due);
      log.info('job.queued', { job: job.name, id, is_new: isNew });
      return null;
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
