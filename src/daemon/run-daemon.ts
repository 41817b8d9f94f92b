import type { Config } from '../config/config.ts';
import type { ExitCode } from '../errors.ts';
import type { Log } from '../log.ts';
import type { Secret } from '../secret.ts';
import type { Strike } from '../scale/queue/enqueue-run.ts';
import { syncRequest, type SyncRequest } from '../run/sync-request.ts';
import type { Job } from './schedule/job-file.ts';
import type { JobCall, ScheduleRequest } from './schedule/schedule-request.ts';
import { runSchedule } from './schedule/schedule.ts';
import { lastSuccessOf, openDaemon, openDaemonHttp, type Daemon, type DaemonParts } from './open-daemon.ts';
import { runWithNotification } from './notify/run-with-notification.ts';
import { stopCode } from '../effects.ts';

/** Jobs by cron with health, metrics and notifications, until the signal; the exit code. */
export async function runDaemon(jobs: readonly Job[], parts: DaemonParts): Promise<ExitCode> {
  const { config, effects, log, signal } = parts;
  const daemon = await openDaemon(jobs, parts);
  await using http = await openDaemonHttp(daemon, parts);
  if (http !== null) log.info('http.listening', { url: http.url });
  await runSchedule({
    jobs,
    effects,
    log,
    signal,
    state: { lastSuccess: (job) => lastSuccessOf(job, config) },
    run: jobRunner(daemon, parts),
    ...hooksOf(daemon, parts),
  });
  return stopCode(signal);
}

function jobRunner(daemon: Daemon, { config, effects, log, version }: DaemonParts): ScheduleRequest['run'] {
  return async (job: Job, call: JobCall) => {
    const request = jobRequest(job, config, call.gapDays);
    if (config.queue.url !== null) {
      const { tickMs } = call;
      const { dueOfMissed } = await import('../scale/queue/enqueue-run.ts');
      const dueMs = call.reason === 'catch_up' ? dueOfMissed(tickMs, effects.now()) : tickMs;
      return await enqueue(request, { strike: { job: job.name, dueMs }, url: config.queue.url, log });
    }
    const { runSync } = await import('../run/sync.ts');
    const parts = { config, effects, log: log.child({ job: job.name }), signal: call.signal };
    const report = await runWithNotification(request, parts, () =>
      runSync(request, {
        ...parts,
        version,
        onProgress: ({ quotaRemaining }) => {
          daemon.state.quotaRemaining = quotaRemaining;
        },
      }),
    );
    daemon.metrics.measured(job.name, report);
    return report.exit_code;
  };
}

/** Workers and loader do the run; schedules on several hosts enqueue it once. */
async function enqueue(
  request: SyncRequest,
  { strike, url, log }: { strike: Strike; url: Secret; log: Log },
): Promise<ExitCode> {
  const { openJobs } = await import('../scale/queue/jobs.ts');
  const { enqueueRun } = await import('../scale/queue/enqueue-run.ts');
  await using jobs = await openJobs(url);
  const id = await enqueueRun(jobs, request, { strike });
  log.info('job.queued', { job: strike.job, id, is_new: id !== null });
  return 0;
}

type Hooks = Pick<ScheduleRequest, 'onReady' | 'onTick' | 'onStart' | 'onOverrun' | 'onEnd'>;

function hooksOf({ state, metrics }: Daemon, { effects, signal }: DaemonParts): Hooks {
  signal.addEventListener('abort', () => {
    state.isStopping = true;
  });
  return {
    onReady: () => {
      state.readyMs = effects.now();
    },
    onTick: (job, tickMs) => {
      state.of(job.name).lastTickMs = tickMs;
    },
    onStart: (job) => {
      state.of(job.name).runningSinceMs = effects.now();
    },
    onOverrun: (job) => metrics.overrun(job.name),
    onEnd: (end) => {
      state.ended(end.job, end);
      metrics.ended(end.job, { ...end, durationMs: end.finishedAt - end.startedAt });
    },
  };
}

/** What a job of the schedule asks for; days of downtime lengthen its look-back. */
function jobRequest(job: Job, config: Config, gapDays: number): SyncRequest {
  return syncRequest({
    job: job.name,
    projects: job.projects,
    endpoints: job.endpoints,
    maxWaitMs: job.maxWaitMs,
    lookbackDays: gapDays === 0 ? job.lookbackDays : (job.lookbackDays ?? config.sync.lookbackDays) + gapDays,
  });
}
