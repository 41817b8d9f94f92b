import { z } from 'zod';
import { daySchema, GRAINS, type DayRange } from '../day.ts';
import { lagDays } from '../load/load-run.ts';
import { readSearches, SEARCH, type Search } from '../load/settle.ts';
import type { Coverage, SeriesDay } from '../plan/coverage.ts';
import type { SliceJob } from '../plan/owed.ts';
import { dayQuestion, type Again } from '../plan/plan.ts';
import { endpointPlan } from '../plan/selection.ts';
import { windowKey } from '../slice.ts';
import { quoteIdentifier, quoteLiteral, readSql } from '../warehouse/sql.ts';
import { writeProbes } from './taught.ts';
import type { OpenRun, Planning } from './run-context.ts';

const historyRow = z.object({ projectId: z.string(), grain: z.enum(GRAINS), end: daySchema });
const dayRow = z.object({ endpoint: z.string(), projectId: z.string(), day: daySchema });

/** Reads which settled days of a project's own series are requested again after everything else, and which of them are searches. */
export async function readAgain(
  { connection, config, run }: OpenRun,
  { plans, question: { range } }: Planning,
): Promise<{ again: Again; searches: readonly Search[] }> {
  const again = new Map<string, DayRange[]>();
  const key = (...parts: (string | null)[]): string => JSON.stringify(parts);
  const searches = await readSearches(connection, run.syncDay, config.catalogue.asked);
  for (const { endpoint, projectId } of searches) again.set(key(endpoint, projectId, null), [range]);
  for (const { endpoint } of plans) {
    const { name, backfilled, outputs } = endpoint;
    if (backfilled === null) continue;
    const [{ table, columns }] = outputs;
    const sql = readSql('plan/backfilled', {
      endpoint: quoteLiteral(name),
      table: quoteIdentifier(table),
      names: quoteIdentifier(backfilled.table),
      column: quoteIdentifier(backfilled.column),
      has_figure: columns.map((column) => `t.${quoteIdentifier(column)} <> 0`).join(' or '),
    });
    for (const { projectId, grain, end } of await connection.rowsAs(historyRow, sql, [backfilled.relations]))
      again.set(key(name, projectId, grain), [{ start: range.start, end }]);
  }
  return {
    again: ({ endpoint, projectId, scope, grain }) =>
      (scope === 'project' && again.get(key(endpoint, projectId, grain))) || [],
    searches,
  };
}

/** Records which searches are among the jobs: the next one of a project follows a week later. */
export async function noteSearches(
  { connection, run }: OpenRun,
  searches: readonly Search[],
  jobs: readonly SliceJob[],
): Promise<void> {
  const found = searches
    .filter(({ endpoint, projectId }) =>
      jobs.some(({ planned: { slice } }) => slice.endpoint === endpoint && slice.projectId === projectId),
    )
    .map((one) => ({ ...one, parameter: SEARCH, askedWith: '', verdict: 'good' as const }));
  await writeProbes(connection, run, found);
}

/** Requests for the days that show how far back the server goes, in series that the run does not request. */
export function rememberingJobs(
  { config }: OpenRun,
  { plans, coverage, reached }: Planning & { coverage: Coverage },
): SliceJob[] {
  const jobs = new Map<string, SliceJob>();
  for (const { endpoint: name, projectId, day } of coverage.shownBy.values()) {
    const project = reached.projects.find((own) => own.projectId === projectId);
    if (project === undefined || plans.some(({ endpoint }) => endpoint.name === name)) continue;
    const plan = endpointPlan(config, config.catalogue.named(name));
    const target = { endpoint: name, projectId, scope: 'project', scopeId: projectId } as const;
    jobs.set(`${name} ${projectId} ${day}`, {
      planned: dayQuestion(plan, target, day),
      account: project.account,
    });
  }
  return [...jobs.values()];
}

/** Whether a job requests a closed window whose days the server no longer has: its stored rows stay. */
export async function readForgotten(
  { connection, config, archive, run }: OpenRun,
  coverage: Coverage,
): Promise<(job: SliceJob) => boolean> {
  const days = [...new Set([...coverage.shownBy.values()].map(({ day }) => day))];
  // A plan loads no answer that could show it.
  if (days.length === 0 || archive === null) return () => false;
  const zoned = config.catalogue.asked.filter(({ hasTimezone }) => hasTimezone).map(({ name }) => name);
  const lag = lagDays(config.sync.timezone, run.startedAt);
  const rows = await connection.rowsAs(dayRow, readSql('plan/remembered'), [run.syncDay, zoned, lag, days]);
  const key = ({ endpoint, projectId, day }: SeriesDay): string => `${endpoint} ${projectId} ${day}`;
  const remembered = new Set(rows.map(key));
  return ({ planned: { slice } }) => {
    if (slice.kind !== 'window') return false;
    const shown = coverage.shownBy.get(windowKey(slice, slice.windowKind, slice.window.start));
    return shown !== undefined && !remembered.has(key(shown));
  };
}
