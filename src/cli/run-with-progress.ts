import type { Config } from '../config/config.ts';
import type { LogLevel } from '../log.ts';
import type { SyncProgress } from '../run/progress.ts';
import type { RunReport, SyncRequest } from '../run/sync-request.ts';
import type { CommandContext } from './host.ts';
import { formatDuration, amount } from '../text.ts';
import type { ExitCode } from '../errors.ts';
import { openProgressLine, withWaits } from './terminal/progress-line.ts';

/** One run, with a line of progress on a terminal and log lines elsewhere. */
export async function runWithProgress(
  request: SyncRequest,
  config: Config,
  { context, defaultLevel }: { context: CommandContext; defaultLevel?: LogLevel },
): Promise<RunReport> {
  const { runSync } = await import('../run/sync.ts');
  const { runWithNotification } = await import('../daemon/notify/run-with-notification.ts');
  const { stderr } = context.io;
  const { quiet, logLevel } = context.flags;
  const logsEachStep = logLevel === 'debug' || logLevel === 'info';
  const hasLine = stderr.isTerminal && !quiet && !logsEachStep;
  using line = hasLine ? openProgressLine(stderr, () => context.effects.now()) : null;
  const runContext = await context.runContext(config, defaultLevel);
  const { log, signal } = runContext;
  const onStop = (): void => {
    log.info('run.stopping', {});
    line?.wait('stopping after the requests under way; what is loaded stays');
  };
  signal.addEventListener('abort', onStop, { once: true });
  if (line === null) log.info('run.opening', { job: request.job });
  const shown =
    line === null
      ? runContext
      : { ...runContext, log: withWaits(log, line), onProgress: (now: SyncProgress) => line.show(now) };
  try {
    return await runWithNotification(request, runContext, () => runSync(request, shown));
  } finally {
    signal.removeEventListener('abort', onStop);
  }
}

const MAX_LISTED = 10;

/** What a run did, for people. */
export function summariseRun(report: RunReport): string {
  const projects = report.projects === 1 ? '1 project' : `${amount(report.projects)} projects`;
  const lines = [
    `${HEADLINES[report.status]}: ${projects}, ${report.sync_day}, ${formatDuration(report.duration_ms)}`,
    `  requests   ${amount(report.requests)}${report.retries === 0 ? '' : ` (${amount(report.retries)} of them repeated)`}`,
    `  slices     ${amount(report.slices_loaded)} loaded, ${amount(report.slices_failed)} failed`,
    `  rows       ${rowCounts(report)}`,
    `  published  ${report.published ?? 'nothing new'}`,
    ...notices(report),
  ];
  const hint = HINTS[report.exit_code];
  if (hint !== undefined) lines.push(hint);
  if (isFirst(report))
    lines.push('Run answerlake check --api once: it finds the settings that this server needs.');
  return lines.join('\n');
}

const HEADLINES: Readonly<Record<RunReport['status'], string>> = {
  ok: 'Done',
  partial: 'Partly done',
  failed: 'Failed',
  parked: 'Parked until there is quota',
  stopped: 'Stopped',
};

const HINTS: Readonly<Partial<Record<ExitCode, string>>> = {
  3: 'Some of it is missing. Run answerlake sync again, and see answerlake status.',
  4: 'No configured key worked. Check api.base_url and the keys in the configuration.',
  5: 'Run answerlake sync again later: it goes on where it stopped.',
};

/** Later runs ask again for rows that the warehouse has. */
function isFirst({
  published,
  rows_deleted: deleted,
  rows_unchanged: unchanged,
  rows_updated: updated,
}: RunReport): boolean {
  return published !== null && unchanged + updated + deleted === 0;
}

/** What was received is the sum of its parts. */
function rowCounts(report: RunReport): string {
  const parts = [
    `${amount(report.rows_inserted)} new`,
    `${amount(report.rows_updated)} changed`,
    `${amount(report.rows_unchanged)} unchanged`,
  ];
  if (report.rows_deduplicated > 0) parts.push(`${amount(report.rows_deduplicated)} sent twice`);
  if (report.rows_rejected > 0) parts.push(`${amount(report.rows_rejected)} refused`);
  const gone = report.rows_deleted === 0 ? '' : `; ${amount(report.rows_deleted)} stored rows are gone`;
  return `${amount(report.rows_received)} received: ${parts.join(', ')}${gone}`;
}

function notices(report: RunReport): string[] {
  const failures = report.failures.map(
    ({ project, project_name: name, endpoint, class: errorClass, message }) =>
      `  failed     ${[name ?? project, endpoint, `(${errorClass})`].filter((part) => part !== null).join(' ')}: ${message}`,
  );
  return [...shorten(failures), ...shorten(report.warnings.map((text) => `  warning    ${text}`))];
}

function shorten(lines: readonly string[]): string[] {
  if (lines.length <= MAX_LISTED) return [...lines];
  return [...lines.slice(0, MAX_LISTED), `  … and ${lines.length - MAX_LISTED} more (answerlake status)`];
}
