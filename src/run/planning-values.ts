import { z } from 'zod';
import { IS_ANSWERED } from '../believe/terms.ts';
import type { Day } from '../day.ts';
import { validate } from '../endpoints/reference.ts';
import type { ListSizes } from '../plan/estimate.ts';
import type { Mention, OwedQuestion, ScopeValuesOf } from '../plan/owed.ts';
import type { ExpectedSeries } from '../plan/plan.ts';
import type { Connection } from '../warehouse/connection.ts';
import { quoteIdentifier, quoteLiteral, quoteStored, readSql } from '../warehouse/sql.ts';
import type { Config } from '../config/config.ts';
import { landingPagesOf } from '../config/endpoints.ts';
import { grouped } from './ask.ts';
import type { OpenRun, Planning } from './run-context.ts';

const PROMPT_TYPES = ['ORGANIC', 'BRAND_SPECIFIC', 'COMPETITOR_COMPARISON'];

const scopeRow = z.object({
  project: z.string(),
  scope: z.enum(['model', 'monitor', 'prompt']),
  id: z.string(),
});

/** A value that no list contains is requested until it has had no row for this long; one that was never requested is requested once. */
const MAX_SILENT_DAYS = 90;

/** Reads the values of each scope from the warehouse; the pages come from the configuration. */
export async function readScopeValues(
  { connection, config, run }: { connection: Connection; config: Config; run: { syncDay: Day } },
  projectIds: readonly string[],
): Promise<ScopeValuesOf> {
  const values = [projectIds, run.syncDay, MAX_SILENT_DAYS];
  const rows = await connection.rowsAs(scopeRow, readSql('plan/scope-values'), values);
  const byProject = grouped(rows, (row) => row.project);
  return (projectId) => {
    const own = byProject.get(projectId) ?? [];
    const idsOf = (scope: string): string[] => own.filter((row) => row.scope === scope).map(({ id }) => id);
    return {
      model: idsOf('model'),
      monitor: idsOf('monitor'),
      prompt: idsOf('prompt'),
      prompt_type: PROMPT_TYPES,
      page: landingPagesOf(config.sync, projectId),
    };
  };
}

const nameRow = z.object({ project: z.string(), name: z.string() });

/** Reads the names that each project's cut-off lists should contain. */
export async function readWantedNames(
  connection: Connection,
  plans: Planning['plans'],
  projectIds: readonly string[],
): Promise<OwedQuestion['namesOf']> {
  const names = new Map<string, ReadonlyMap<string, { name: string }[]>>();
  for (const { endpoint } of plans) {
    const { name, paging } = endpoint;
    if (paging.kind !== 'named') continue;
    const { table, column, relations } = paging.wanted;
    const sql = readSql('plan/wanted-names', { table: quoteStored(table), name: quoteIdentifier(column) });
    const rows = await connection.rowsAs(nameRow, sql, [projectIds, relations]);
    names.set(
      name,
      grouped(rows, (row) => row.project),
    );
  }
  return (endpoint, projectId) => {
    const own = names.get(endpoint);
    return own === undefined ? null : (own.get(projectId) ?? []).map(({ name }) => name);
  };
}

const mentionRow = z.object({ projectId: z.string(), id: z.string() });

/** Reads ids that other answers mention and the list lacks, newest first, up to the run's look-up limit. A list that is not whole lacks nothing. */
export async function readMentions(
  { connection, config, run }: OpenRun,
  { plans, question }: Planning,
  projectIds: readonly string[],
): Promise<Mention[]> {
  const mentions: Mention[] = [];
  for (const plan of plans) {
    const { endpoint } = plan;
    const { cut, outputs } = endpoint;
    if (cut.kind !== 'lookup' || cut.mentions === null) continue;
    const { table, column, newest, list } = cut.mentions;
    const sql = readSql('plan/unknown-ids', {
      mentioning: quoteStored(table),
      table: quoteStored(outputs[0].table),
      id: quoteIdentifier(column),
      newest: quoteIdentifier(newest),
      list: quoteLiteral(list),
    });
    // A continued run shares its limit with the runs that it continues.
    const done = await connection.value(
      z.number(),
      'select count(*) from meta.slices where endpoint = $1 and run_id in (select unnest($2::varchar[]))',
      [endpoint.name, [...question.chain, run.runId]],
    );
    const left = Math.max(0, config.sync.maxPromptLookups - (done ?? 0));
    const rows = await connection.rowsAs(mentionRow, sql, [projectIds, left, endpoint.name]);
    mentions.push(...rows.map((row) => ({ plan, ...row })));
  }
  return mentions;
}

/** Days after which the list of a parent is requested again. */
const AGAIN_DAYS = 7;

const parentRow = z.object({ projectId: z.string(), id: z.string(), waiting: z.number() });

/** A parent whose list to request, how many parents wait, and how many nights they all take. */
type Parent = Mention & { nights: number; waiting: number };

/** Reads which parents' lists this run requests: first those never requested, then those requested longest ago. */
export async function readParents(
  { connection, config, run }: OpenRun,
  { plans, question }: Planning,
  projectIds: readonly string[],
): Promise<Parent[]> {
  const mentions: Parent[] = [];
  for (const plan of plans) {
    const { cut, name } = plan.endpoint;
    const parents = cut.kind === 'list' ? (cut.parents ?? null) : null;
    if (parents === null) continue;
    const table = parents.of === 'prompts' ? parents.of : `own.${parents.of}`;
    const [, column = ''] = config.catalogue.keys.get(table) ?? [];
    const sql = readSql('plan/parents', { table: quoteStored(table), column: quoteIdentifier(column) });
    const runs = [...question.chain, run.runId];
    const values = [projectIds, name, run.syncDay, AGAIN_DAYS, parents.atMost, runs];
    const rows = await connection.rowsAs(parentRow, sql, values);
    mentions.push(...rows.map((row) => ({ plan, nights: Math.ceil(row.waiting / parents.atMost), ...row })));
  }
  return mentions;
}

const sizeRow = z.object({
  project: z.string(),
  brands: z.number(),
  prompts: z.number(),
  cut_lists: z.array(z.string()),
});

/** Reads the length of each project's lists. */
export async function readListSizes(
  connection: Connection,
  projectIds: readonly string[],
): Promise<(projectId: string | null) => ListSizes> {
  const rows = await connection.rowsAs(sizeRow, readSql('plan/list-sizes'), [projectIds]);
  const none = { brands: 0, prompts: 0, cut_lists: [] };
  return (projectId) => rows.find(({ project }) => project === projectId) ?? none;
}

/** Stores the expected series. Without them, a gap looks like a series that is not wanted. */
export async function writeExpected(
  connection: Connection,
  projectIds: readonly string[],
  expected: readonly ExpectedSeries[],
): Promise<void> {
  const sql = 'delete from meta.expected_series where project_id in (select unnest($1::varchar[]))';
  await connection.run(sql, [projectIds]);
  const rows = expected.map(({ projectId, scopeId, start, ...series }) => {
    return { ...series, project_id: projectId, scope_id: scopeId, start_date: start };
  });
  await connection.appendRows({ schema: 'meta', table: 'expected_series', rows });
  // A series that is switched off has no alarm.
  await connection.run(
    `delete from meta.alarms a where project_id in (select unnest($1::varchar[])) and reason <> 'lost'
       and not exists (from meta.expected_series e where e.project_id = a.project_id and e.endpoint = a.endpoint)`,
    [projectIds],
  );
}

const lastAskedRow = z.object({ project: z.string(), at: z.number() });

/** Reads when the longest-waiting filter value of each project was last requested, milliseconds since the epoch; 0: never. */
export async function readLastAsked(connection: Connection): Promise<OwedQuestion['lastAskedOf']> {
  const rows = await connection.rowsAs(lastAskedRow, readSql('plan/last-asked'));
  const known = new Map(rows.map(({ project, at }) => [project, at]));
  return (projectId) => known.get(projectId) ?? 0;
}

/** Ids of the projects with an answered list in this run. */
export async function readAnsweredProjects(connection: Connection, runId: string): Promise<string[]> {
  const sql = `select distinct project_id from meta.slices where run_id = $1 and scope = 'project' and endpoint <> '${validate.name}' and ${IS_ANSWERED}`;
  return await connection.values(z.string(), sql, [runId]);
}
