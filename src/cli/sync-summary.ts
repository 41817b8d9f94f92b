import { formatDuration } from '../text.ts';
import type { ExitCode } from '../errors.ts';
import type { RunReport } from '../run/sync-request.ts';
import { amount } from './terminal/amount.ts';

const MAX_LISTED = 10;

/** What a run did, for people. */
export function summariseRun(report: RunReport): string {
  const projects = report.projects === 1 ? '1 project' : `${report.projects} projects`;
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

function rowCounts(report: RunReport): string {
  const changes = [
    `${amount(report.rows_inserted)} new`,
    `${amount(report.rows_updated)} changed`,
    `${amount(report.rows_deleted)} gone`,
    `${amount(report.rows_unchanged)} unchanged`,
  ];
  if (report.rows_rejected > 0) changes.push(`${amount(report.rows_rejected)} refused`);
  return `${changes.join(', ')} (${amount(report.rows_received)} received)`;
}

function notices(report: RunReport): string[] {
  const failures = report.failures.map(
    ({ project, endpoint, class: errorClass, message }) =>
      `  failed     ${[project, endpoint, `(${errorClass})`].filter((part) => part !== null).join(' ')}: ${message}`,
  );
  return [...shorten(failures), ...shorten(report.warnings.map((text) => `  warning    ${text}`))];
}

function shorten(lines: readonly string[]): string[] {
  if (lines.length <= MAX_LISTED) return [...lines];
  return [...lines.slice(0, MAX_LISTED), `  … and ${lines.length - MAX_LISTED} more (answerlake status)`];
}
