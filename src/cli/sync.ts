import type { Config } from '../config/config.ts';
import { type ExitCode, oneLine } from '../errors.ts';
import type { RunReport } from '../run/run-to-end.ts';
import type { SyncRequest } from '../run/sync-request.ts';
import { defined, type CommandContext, type NextStep } from './host.ts';
import { switchFlag } from './flags.ts';
import { runFlags, syncRequestOf } from './selection-flags.ts';
import type { LogFields, LogLevel } from '../log.ts';
import type { SyncProgress } from '../run/progress.ts';
import { formatDuration, amount, counted } from '../quantity.ts';
import * as lines from './terminal/progress-line.ts';

/** `answerlake sync`: one run now. */
const syncFlags = runFlags.extend({ dryRun: switchFlag('show what would be requested; store nothing') });
export const define = defined({ flags: syncFlags }, async (context, { dryRun, ...flags }) => {
  const config = context.loadConfig({ today: flags.today });
  const request = await syncRequestOf(flags, config);
  if (dryRun) {
    const { showPlan } = await import('./plan.ts');
    await showPlan(request, { config, offline: false }, context);
    return 0;
  }
  return await syncNow(request, config, context);
});

/** One run, with its summary. */
export async function syncNow(request: SyncRequest, config: Config, context: CommandContext) {
  return showRun(await runWithProgress(request, config, { context }), context);
}

/** Prints the result of a run and the next steps; returns its exit code. */
export function showRun(report: RunReport, context: CommandContext): ExitCode {
  context.printChange(report, () => summariseRun(report));
  context.next(...afterRun(report));
  return report.exit_code;
}

/** A progress line on a terminal; null where log lines show the progress. */
function openLineOf({ flags, io, effects }: CommandContext): lines.ProgressLine | null {
  const logsEachStep = flags.logLevel === 'debug' || flags.logLevel === 'info';
  const hasLine = io.stderr.isTerminal && !flags.quiet && !logsEachStep;
  return hasLine ? lines.openProgressLine(io.stderr, () => effects.now()) : null;
}

/** One run, with a progress line on a terminal and log lines elsewhere. */
export async function runWithProgress(
  request: SyncRequest,
  config: Config,
  { context, defaultLevel }: { context: CommandContext; defaultLevel?: LogLevel },
) {
  const { runSync } = await import('../run/sync.ts');
  const { runWithNotification } = await import('../daemon/notify/run-with-notification.ts');
  const { stderr } = context.io;
  const { quiet, logLevel, logFormat } = context.flags;
  using line = openLineOf(context);
  const waits = line ?? (quiet ? lines.tellLongWaits(stderr, () => context.effects.now()) : null);
  // People read both streams, so each fact appears in one of them.
  const isForPeople = logLevel === null && logFormat !== 'json';
  const onEvent = (event: string, fields: LogFields): boolean => {
    if (waits !== null) lines.showWait(waits, event, fields);
    return !isForPeople || !SUMMARISED.has(event);
  };
  const opened = await context.runContext(config, defaultLevel, { onEvent });
  const runContext = { ...opened, effects: context.effects };
  const { log, signal } = runContext;
  const onStop = (): void => {
    log.info('run.stopping', {});
    line?.wait('stopping after the requests under way; loaded rows stay', Infinity);
  };
  signal.addEventListener('abort', onStop, { once: true });
  if (line === null) log.info('run.opening', { job: request.job });
  const shown = { ...runContext, onProgress: (now: SyncProgress) => line?.show(now) };
  try {
    return await runWithNotification(request, runContext, () => runSync(request, shown));
  } finally {
    signal.removeEventListener('abort', onStop);
  }
}

/** Events whose facts the summary on stdout lists. */
const SUMMARISED = new Set(['publish.done', 'publish.warning', 'slice.failed', 'slice.incomplete']);

const MAX_LISTED = 10;

/** The result of a run, for people. */
export function summariseRun(report: RunReport): string {
  const { status, exit_code: exitCode, published } = report;
  const [headline, next] = ENDS[status];
  const publishes = status === 'stopped' && published === null ? ', and publishes' : '';
  return [
    `${headline}: ${counted(report.projects, 'project')}, ${report.sync_day}, ${formatDuration(report.duration_ms)}`,
    `  requests   ${amount(report.requests)}${report.retries === 0 ? '' : ` (${amount(report.retries)} of them repeated)`}`,
    `  slices     ${amount(report.slices_loaded)} loaded, ${amount(report.slices_failed)} failed`,
    `  rows       ${rowCounts(report)}`,
    `  published  ${published ?? 'nothing new'}`,
    ...notices(report),
    status === 'failed' && exitCode === 4 ? NO_KEY : `The next run ${next}${publishes}.`,
  ].join('\n');
}

/** The end of a run, and what the next run does. */
const ENDS: Readonly<Record<RunReport['status'], readonly [headline: string, next: string]>> = {
  ok: ['Done', 'pulls new data, and the newest days again'],
  partial: ['Partly done', 'retries what failed, and pulls new data'],
  failed: ['Failed', 'continues where this one stopped'],
  parked: ['Parked until there is quota', 'continues where this one stopped, as soon as there is quota'],
  stopped: ['Stopped', 'continues where this one stopped'],
};

const NO_KEY =
  'No configured key worked; the next run tries them again: correct api.base_url or the keys first.';

/** Next commands after a run. */
export function afterRun(report: RunReport): NextStep[] {
  const { exit_code: exitCode, status, published } = report;
  // Later runs repeat requests for rows that the warehouse has; a first one receives some of a list twice.
  const isNew =
    report.rows_updated + report.rows_deleted === 0 && report.rows_unchanged * 10 < report.rows_inserted;
  const isFirst = published !== null && isNew;
  const missing: NextStep = ['answerlake status', 'which data is missing'];
  if (exitCode === 0 || isFirst) {
    const api: NextStep = ['answerlake check --api', 'once: finds the settings that this server needs'];
    const charts: NextStep = ['answerlake report --open', 'the figures as charts'];
    return [...(exitCode === 0 ? [] : [missing]), ...(isFirst ? [api] : []), charts];
  }
  if (exitCode === 4) return [['answerlake check', 'which key fails, and why']];
  return [['answerlake sync', status === 'parked' ? 'continue, after the reset' : 'continue'], missing];
}

/** The received rows are the sum of these parts. */
function rowCounts(report: RunReport): string {
  const parts = [
    `${amount(report.rows_inserted)} new`,
    `${amount(report.rows_updated)} changed`,
    `${amount(report.rows_unchanged)} unchanged`,
  ];
  if (report.rows_deduplicated > 0) parts.push(`${amount(report.rows_deduplicated)} sent twice`);
  if (report.rows_rejected > 0) parts.push(`${amount(report.rows_rejected)} refused`);
  const gone = report.rows_deleted === 0 ? '' : `; stored rows gone: ${amount(report.rows_deleted)}`;
  return `${amount(report.rows_received)} received: ${parts.join(', ')}${gone}`;
}

function notices(report: RunReport): string[] {
  const failures = report.failures.map(({ project, project_name: name, endpoint, ...failure }) => {
    const place = [name ?? project, endpoint, `(${failure.class})`].filter((part) => part !== null);
    return `  failed     ${oneLine(place.join(' '))}: ${failure.message}`;
  });
  return [...shorten(failures), ...shorten(report.warnings.map((text) => `  warning    ${text}`))];
}

function shorten(lines: readonly string[]): string[] {
  if (lines.length <= MAX_LISTED) return [...lines];
  return [...lines.slice(0, MAX_LISTED), `  … and ${lines.length - MAX_LISTED} more (answerlake status)`];
}
