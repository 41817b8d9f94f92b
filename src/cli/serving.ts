import { z } from 'zod';
import type { Config } from '../config/config.ts';
import { onHangup } from '../effects.ts';
import { usageError, type ExitCode } from '../errors.ts';
import type { SyncContext } from '../run/sync-request.ts';
import type { Secret } from '../secret.ts';
import type { WorkerRequest } from '../scale/worker/run-worker.ts';
import { switchFlag } from './flags.ts';
import { defined, type CommandContext } from './host.ts';
import { realpathSync } from 'node:fs';
import { loadJobs } from '../daemon/schedule/jobs.ts';

/**
 * Serves until the signal. After a SIGHUP, calls `read` again and aborts `reload`; once `serve` has returned, calls it with the new
 * settings. If reading fails, logs that and keeps the old settings.
 */
async function serveReloading<Settings extends { config: Config }>(
  context: CommandContext,
  { kind, read }: { kind: string; read: () => Settings },
  serve: (settings: Settings, parts: SyncContext & { reload: AbortSignal }) => Promise<ExitCode>,
): Promise<ExitCode> {
  let settings = read();
  // Programs read a daemon's lines.
  let runContext = await context.runContext(settings.config, 'info', { unseenFormat: 'json' });
  let reload = new AbortController();
  using _ = onHangup(() => {
    try {
      settings = read();
      reload.abort();
    } catch (error) {
      runContext.log.error(`${kind}.reload_failed`, { error });
    }
  });
  for (;;) {
    const exitCode = await serve(settings, { ...runContext, reload: reload.signal });
    if (context.signal.aborted || !reload.signal.aborted) return exitCode;
    reload = new AbortController();
    runContext = await context.runContext(settings.config, 'info', { unseenFormat: 'json' });
  }
}

/** A worker or a loader: a SIGHUP stops it like SIGTERM and restarts it with the new configuration. */
async function serveQueue(
  context: CommandContext,
  { kind, http }: { kind: 'worker' | 'loader'; http: boolean },
  serve: (parts: WorkerRequest) => Promise<ExitCode>,
): Promise<ExitCode> {
  const { openZone } = await import('../scale/landing/zone.ts');
  const { openProcessService } = await import('../daemon/serve/service.ts');
  const { HEARTBEAT } = await import('../scale/queue/processes.ts');
  const { env, heartbeat = HEARTBEAT } = context;
  const read = () => {
    const config = context.loadConfig();
    return { config, url: queueUrl(config) };
  };
  return await serveReloading(context, { kind, read }, async ({ config, url }, { reload, ...parts }) => {
    // A signal of its own, because requests under way at a stop are still landed.
    await using zone = openZone(config.landing, { env, signal: new AbortController().signal });
    await using _ = http ? await openProcessService(url, { config, log: parts.log }) : null;
    const signal = AbortSignal.any([parts.signal, reload]);
    return await serve({ context: { ...parts, signal }, url, zone, heartbeat });
  });
}

/** The address of the queue. @throws AnswerlakeError 'configuration' if none is configured */
export function queueUrl({ path, queue }: Config): Secret {
  if (queue.url !== null) return queue.url;
  throw usageError([
    `${path} has no queue:`,
    'set queue.url to env:NAME, where NAME holds the address of PostgreSQL (docs/scale.md). Without a queue, answerlake sync and answerlake schedule do all the work in one process.',
  ]);
}

const httpFlags = z.strictObject({ http: switchFlag('health and metrics on http.port') });

/** `answerlake worker`: sends the requests that the queue hands out, until a signal. */
export const worker = defined({ flags: httpFlags }, async (context, { http }) => {
  const { runWorker } = await import('../scale/worker/run-worker.ts');
  return await serveQueue(context, { kind: 'worker', http }, runWorker);
});

/** `answerlake loader`: the one writer of the warehouse, until a signal. */
export const loader = defined({ flags: httpFlags }, async (context, { http }) => {
  const { runLoader } = await import('../scale/loader/run-loader.ts');
  const { runWithNotification } = await import('../daemon/notify/run-with-notification.ts');
  return await serveQueue(context, { kind: 'loader', http }, (parts) =>
    runLoader({ ...parts, notifying: (request, run) => runWithNotification(request, parts.context, run) }),
  );
});

const scheduleFlags = z.strictObject({
  systemd: switchFlag('print a systemd unit with the paths of this installation'),
});

/** `answerlake schedule`: every job of the jobs folder by cron, until a signal. */
export const schedule = defined({ flags: scheduleFlags }, async (context, flags) => {
  if (flags.systemd) {
    const config = context.loadConfig({ secrets: 'leave' });
    loadJobs(config.jobsDir, config.catalogue);
    const { ownUser, systemdUnit } = await import('../daemon/schedule/systemd-unit.ts');
    const program = realpathSync(process.argv[1] ?? '');
    const unit = systemdUnit(config, { node: process.execPath, program, ...ownUser() });
    if (context.flags.json) context.printJson({ unit });
    else context.io.stdout.write(unit);
    const start = 'sudo systemctl daemon-reload && sudo systemctl enable --now answerlake';
    context.next(
      ['answerlake schedule --systemd | sudo tee /etc/systemd/system/answerlake.service', 'install the unit'],
      [start, 'start it, now and at each boot'],
    );
    return 0;
  }
  const { runDaemon } = await import('../daemon/run-daemon.ts');
  const read = () => {
    const config = context.loadConfig();
    return { config, jobs: loadJobs(config.jobsDir, config.catalogue) };
  };
  return await serveReloading(context, { kind: 'schedule', read }, ({ jobs }, parts) =>
    runDaemon(jobs, parts),
  );
});
