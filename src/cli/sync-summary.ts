import { formatDuration } from '../duration.ts';
import type { ExitCode } from '../errors.ts';
import type { RunReport } from '../run/sync-request.ts';

const MOST_LISTED = 10;

/** What a run did, for people. */
export function summariseRun(report: RunReport): string {
  const projects = report.projects === 1 ? '1 project' : `${report.projects} projects`;
  const lines = [
    `${HEADLINES[report.status]}: ${projects}, ${report.sync_day}, ${formatDuration(report.duration_ms)}`,
    `  requests   ${number(report.requests)}${report.retries === 0 ? '' : ` (${number(report.retries)} of them repeated)`}`,
    `  slices     ${number(report.slices_loaded)} loaded, ${number(report.slices_failed)} failed`,
    `  rows       ${rowCounts(report)}`,
    `  published  ${report.published ?? 'nothing new'}`,
    ...notices(report),
  ];
  const hint = HINTS[report.exit_code];
  return [...lines, ...(hint === undefined ? [] : [hint])].join('\n');
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
  4: 'No configured key worked. Check the keys in the configuration.',
  5: 'Run answerlake sync again later: it goes on where it stopped.',
};

function rowCounts(report: RunReport): string {
  const changes = [
    `${number(report.rows_inserted)} new`,
    `${number(report.rows_updated)} changed`,
    `${number(report.rows_deleted)} gone`,
    `${number(report.rows_unchanged)} unchanged`,
  ];
  if (report.rows_rejected > 0) changes.push(`${number(report.rows_rejected)} refused`);
  return `${changes.join(', ')} (${number(report.rows_received)} received)`;
}

function notices(report: RunReport): string[] {
  const failures = report.failures.map(
    ({ project, endpoint, class: errorClass, message }) =>
      `  failed     ${[project, endpoint, `(${errorClass})`].filter((part) => part !== null).join(' ')}: ${message}`,
  );
  return [...shorten(failures), ...shorten(report.warnings.map((text) => `  warning    ${text}`))];
}

function shorten(lines: readonly string[]): string[] {
  if (lines.length <= MOST_LISTED) return [...lines];
  return [...lines.slice(0, MOST_LISTED), `  … and ${lines.length - MOST_LISTED} more (answerlake status)`];
}

function number(value: number): string {
  return value.toLocaleString('en-US');
}
