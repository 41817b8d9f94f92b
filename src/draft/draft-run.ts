import { z } from 'zod';
import type { AccountConfig, Config } from '../config/config.ts';
import { cmsDraft, type DraftBody } from '../endpoints/drafts.ts';
import {
  AnswerlakeError,
  contractError,
  errorClassOf,
  exitCodeOf,
  messageOf,
  usageError,
  suggestion,
  type AnswerlakeErrorOptions,
  type ErrorClass,
} from '../errors.ts';
import { ApiError } from '../extract/api-error.ts';
import type { ApiAnswer, ApiClient } from '../extract/client.ts';
import { listSlice } from '../slice.ts';
import { openClients, type Clients } from '../extract/clients.ts';
import type { Step } from '../run/outcome.ts';
import { enterRun, prepareRun, type OpenRun } from '../run/run-context.ts';
import { runToEnd } from '../run/run-to-end.ts';
import { syncRequest, type SyncContext } from '../run/sync-request.ts';
import { openWarehouse } from '../warehouse/working-file.ts';
import { type AccountProject, projectHeaderOf, reachProjects } from '../extract/reach-projects.ts';

interface DraftRequest {
  account: AccountConfig;
  /** Null: the one that the key reaches. */
  project: string | null;
  request: DraftBody['request'];
  /** Called once everything is known and before anything is sent. */
  confirm: (projectId: string) => Promise<boolean>;
}

const draftRow = z.object({
  publish_record_id: z.string().nullable(),
  external_item_id: z.string().nullable(),
  status: z.string().nullable(),
  slug: z.string().nullable(),
});

/** The fate of a draft, as `--json` prints it. */
export type DraftReport = Awaited<ReturnType<typeof record>>;

// The job of its runs in meta.runs; no job file can have a name with a space.
const JOB = 'draft push';

/**
 * Pushes one draft as a run of its own, holding the working file from before the call until after; null if the person declined.
 * @throws AnswerlakeError locked before anything is sent; what `pushDraft` throws
 */
export async function pushAndRecord(context: SyncContext, draft: DraftRequest): Promise<DraftReport | null> {
  // The reserve of the quota is for people, and this request comes from one.
  const config = {
    ...context.config,
    accounts: [draft.account],
    api: { ...context.config.api, reserveQuota: 0 },
  };
  const runContext = { ...context, config };
  await using clients = openClients({ context: runContext });
  const { reached, project } = await reachProject(runContext, clients, draft);
  const { projectId } = project;
  if (!(await draft.confirm(projectId))) return null;
  const startedAt = context.effects.now();
  await using working = await openWarehouse(config, { now: startedAt });
  const prepared = await prepareRun({
    request: syncRequest({ job: JOB, projects: [projectId] }),
    context: runContext,
    connection: await working.database.connect(),
    clients,
    // One account is no evidence about the projects of the others.
    reached: { ...reached, wanted: [projectId], listed: null },
    startedAt,
  });
  const selection = JSON.stringify({ draft: draft.request, project: projectId });
  const { run } = await enterRun(prepared, selection);
  return await record({ run, client: clients.of(draft.account.name), draft, project });
}

interface DraftRun {
  run: OpenRun;
  client: ApiClient;
  draft: DraftRequest;
  project: AccountProject;
}

async function record(draftRun: DraftRun) {
  const { run, draft, project } = draftRun;
  const { runId } = run.run;
  const { projectId } = project;
  const { account, request } = draft;
  const pushing = pushDraft(draftRun);
  /** Why the answer is not in `core.cms_drafts`; null if it is. */
  let reject: string | null = null;
  async function* steps(): AsyncGenerator<Step> {
    yield { reached: { accounts: 1, projects: 0 } };
    const { body: response, requests, fetchedAt } = await pushing;
    const named = { endpoint: cmsDraft.name, projectId, scopeId: request.contentId };
    const body: DraftBody = { request, response };
    const answer = {
      ...run.run,
      account: account.name,
      slice: listSlice({ ...named, scope: 'project' }),
      asked: null,
      limit: null,
      requests,
      pages: [{ page: 1, status: 200, fetchedAt, body }],
    };
    await run.queue.push({ kind: 'answered', endpoint: cmsDraft, answer });
    const results = await run.queue.drain();
    yield { results, reached: { accounts: 1, projects: 1 } };
    const sql = 'select reason from meta.rejects where run_id = $1';
    reject = (await run.connection.value(z.string(), sql, [runId])) ?? results[0]?.failure?.message ?? null;
    if (reject !== null) yield { problems: [{ error: contractError(reject, 'slice') }] };
  }
  /** The draft is in the CMS, whatever went wrong here. @throws what `pushDraft` throws */
  const unrecorded = async (why: string, options: AnswerlakeErrorOptions): Promise<AnswerlakeError> => {
    const pushed = JSON.stringify((await pushing).body);
    const message = `The draft was pushed (${pushed}), but it could not be recorded: ${why} ${SAFE_TO_REPEAT}`;
    return new AnswerlakeError(message, options);
  };
  const report = await runToEnd(run, steps()).catch(async (error: unknown) => {
    const options = { class: errorClassOf(error), exitCode: exitCodeOf(error), cause: error };
    throw await unrecorded(messageOf(error), options);
  });
  await pushing;
  const [problem] = report.failures;
  if (reject === null && problem !== undefined)
    throw await unrecorded(problem.message, { class: problem.class, exitCode: report.exit_code });
  const [row] = await run.connection.rowsAs(
    draftRow,
    'select publish_record_id, external_item_id, status, slug from core.cms_drafts where _run_id = $1',
    [runId],
  );
  return {
    exit_code: report.exit_code,
    run_id: runId,
    project_id: projectId,
    content_id: request.contentId,
    /** Null if none was given. */
    connection_id: request.connectionId,
    ...(row ?? { publish_record_id: null, external_item_id: null, status: null, slug: null }),
    reject,
    published: report.published,
  };
}

const SAFE_TO_REPEAT =
  'Pushing again is safe: it updates the same item in the CMS instead of creating another.';

/**
 * Sends a content document to the CMS as an unpublished draft: exactly once.
 * @throws ApiError auth (401), contract (refused), quota and transient (unavailable); AnswerlakeError stopped. The message
 * states whether the draft may have been written despite the error
 */
async function pushDraft({ run, client, draft, project }: DraftRun): Promise<ApiAnswer> {
  const { contentId, connectionId, slug } = draft.request;
  const { signal } = run;
  const sentBefore = client.totals.requests;
  try {
    return await client.post({
      path: cmsDraft.path.replaceAll('{id}', encodeURIComponent(contentId)),
      body: { ...(connectionId === null ? {} : { connectionId }), ...(slug === null ? {} : { slug }) },
      projectId: projectHeaderOf(project.account, project.projectId),
      signal,
    });
  } catch (error) {
    if (error instanceof ApiError) throw explain(error);
    const isStop = signal.aborted && error instanceof AnswerlakeError;
    if (!isStop || client.totals.requests === sentBefore) throw error;
    const message = `${error.message} It is not known whether the draft was pushed. ${SAFE_TO_REPEAT}`;
    throw new AnswerlakeError(message, { class: 'stopped', exitCode: error.exitCode, cause: error });
  }
}

function explain(error: ApiError): ApiError {
  const { status, code, serverMessage, path, requests, outcomeUnknown } = error;
  const answer = [status, code].filter((part) => part !== null).join(' ');
  const said = sentence(serverMessage === null ? error.message : `${answer}: ${serverMessage}`);
  const advice = status === 401 ? ['Set a key that works; answerlake check tries it.'] : [];
  const message = outcomeUnknown
    ? `It is not known whether the draft was pushed: ${said} ${SAFE_TO_REPEAT}`
    : `The draft was not pushed: ${said}`;
  const told = { status, code, serverMessage, path, requests, outcomeUnknown };
  return new ApiError([message, ...advice], { ...told, class: classOf(error), scope: 'run', cause: error });
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

/** An answer with a code is a deliberate refusal, whatever its status; without one the service itself has failed. */
function classOf({ status, code, class: errorClass }: ApiError): ErrorClass {
  if (status === 401) return 'auth';
  if (status === 429 || status === null) return errorClass;
  return code !== null || status < 500 ? 'contract' : 'transient';
}

/** The account to push the draft with. @throws AnswerlakeError (configuration) if that is ambiguous */
export function chooseAccount({ accounts }: Config, wanted: string | undefined): AccountConfig {
  const [only, ...others] = accounts.filter(({ name }) => wanted === undefined || name === wanted);
  if (only !== undefined && others.length === 0) return only;
  const names = accounts.map(({ name }) => name);
  throw usageError(
    wanted === undefined
      ? ['There are several accounts:', `add --account with one of ${names.join(', ')}.`]
      : `--account: there is no account ${wanted}; ${suggestion(wanted, names)}`,
  );
}

/**
 * Validates the key and determines the project.
 * @throws AnswerlakeError auth when the key does not work; configuration when the project is ambiguous or out of reach
 */
async function reachProject(
  { config, signal }: SyncContext,
  clients: Clients,
  { account, project }: DraftRequest,
) {
  const [configured, ...more] = account.projects === 'all' ? [] : account.projects;
  const wanted = project ?? (more.length === 0 ? configured : undefined);
  const request = { config, clients, wanted: wanted === undefined ? [] : [wanted], signal };
  const reached = await reachProjects(request);
  signal.throwIfAborted();
  const [key] = reached.accounts;
  if (key === undefined) throw reached.problems[0]?.error;
  const ids = reached.listedBy.get(account.name) ?? [];
  const alone = wanted === undefined && ids.length === 1 ? ids : [];
  const [found] = [
    ...reached.projects,
    ...alone.map((projectId) => ({ projectId, account: key, except: [] })),
  ];
  if (found !== undefined) return { reached, project: found };
  if (reached.wanted?.some((id) => ids.includes(id)) === true)
    throw usageError(
      `--project ${wanted ?? ''}: the configuration leaves it out of account ${account.name} (accounts[].projects). Nothing was sent.`,
    );
  const [problem] = reached.problems;
  if (problem !== undefined) throw usageError(`${problem.error.message}. Nothing was sent.`);
  const list = ids.map((id) => `  ${id}  ${reached.names?.get(id) ?? ''}`.trimEnd()).join('\n');
  throw usageError([
    'The key reaches several projects:',
    `add --project with one of\n${list}\nNothing was sent.`,
  ]);
}
