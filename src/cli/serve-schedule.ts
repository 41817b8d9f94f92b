import type { Config } from '../config/config.ts';
import type { ExitCode } from '../errors.ts';
import type { Log } from '../log.ts';
import type { Job } from '../daemon/schedule/job-file.ts';
import type { JobCall, ScheduleRequest } from '../daemon/schedule/schedule-request.ts';
import { runSchedule } from '../daemon/schedule/schedule.ts';
import type { CommandContext } from './context.ts';
import { lastSuccessOf, openDaemon, openDaemonHttp, type Daemon } from './serve-daemon.ts';
import { tellingRunEnd } from './serve-run-end.ts';
import { stopCode } from '../signals.ts';
import { jobRequest } from './sync-flags.ts';
import { readVersion } from '../version.ts';

/** Jobs by cron with health, metrics and notifications, until the signal. */
export async function runDaemon(
  jobs: readonly Job[],
  config: Config,
  context: CommandContext,
): Promise<ExitCode> {
  const log = await context.openLog('info');
  const { effects, signal } = context;
  const daemon = await openDaemon(jobs, { config, log });
  await using http = await openDaemonHttp({ config, daemon, effects, log });
  if (http !== null) log.info('http.listening', { url: http.url });
  await runSchedule({
    jobs,
    effects,
    log,
    signal,
    state: { lastSuccess: (job) => lastSuccessOf(job, config) },
    run: jobRunner({ config, daemon, log, context }),
    ...hooksOf(daemon, context),
  });
  return stopCode(signal);
}

interface RunnerParts {
  config: Config;
  daemon: Daemon;
  log: Log;
  context: CommandContext;
}

function jobRunner({ config, daemon, log, context }: RunnerParts): ScheduleRequest['run'] {
  const { effects } = context;
  return async (job: Job, call: JobCall) => {
    const { runSync } = await import('../run/sync.ts');
    const request = jobRequest(job, config, call.gapDays);
    const parts = { config, effects, log: log.child({ job: job.name }), signal: call.signal };
    const report = await tellingRunEnd(request, parts, () =>
      runSync(request, {
        ...parts,
        version: readVersion(),
        onProgress: ({ quotaRemaining }) => {
          daemon.state.quotaRemaining = quotaRemaining;
        },
      }),
    );
    daemon.metrics.measured(job.name, report);
    return report.exit_code;
  };
}

type Hooks = Pick<ScheduleRequest, 'onReady' | 'onTick' | 'onStart' | 'onOverrun' | 'onEnd'>;

function hooksOf({ state, metrics }: Daemon, { effects, signal }: CommandContext): Hooks {
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
