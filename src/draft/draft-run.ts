import { z } from 'zod';
import type { AccountConfig, Config } from '../config/config.ts';
import { dayOf } from '../day.ts';
import { cmsDraft, type DraftBody } from '../endpoints/drafts.ts';
import { AnswerlakeError, errorClassOf, exitCodeOf, messageOf, usageError, suggestion } from '../errors.ts';
import type { ErrorClass, ExitCode } from '../errors.ts';
import { ApiError } from '../extract/api-error.ts';
import type { ApiAnswer } from '../extract/call.ts';
import type { ApiClient } from '../extract/client.ts';
import type { LedgerEntry } from '../load/ledger.ts';
import type { LoadRun } from '../load/load-run.ts';
import { Loader } from '../load/loader.ts';
import { RawArchive } from '../load/raw-archive.ts';
import { listSlice, type ArchivedAnswer } from '../slice.ts';
import { openClients, type Clients } from '../extract/clients.ts';
import { writeJournal } from '../run/journal.ts';
import { publishChanged } from '../targets/publish-changed.ts';
import { finishRun, newRun, startRun } from '../run/run-record.ts';
import { addStep, NOTHING_DONE, resultOf } from '../run/outcome.ts';
import type { SyncContext } from '../run/sync-request.ts';
import type { Connection } from '../warehouse/connection.ts';
import { openWorkingFile } from '../warehouse/working-file.ts';
import { type AccountProject, projectHeaderOf, validateAccount } from '../extract/reach-projects.ts';

interface DraftRequest {
  account: AccountConfig;
  /** Null: the one that the key reaches. */
  project: string | null;
  request: DraftBody['request'];
  /** Asked once everything is known and before anything is sent. */
  confirm: (projectId: string) => Promise<boolean>;
}

const draftRow = z.object({
  publish_record_id: z.string().nullable(),
  external_item_id: z.string().nullable(),
  status: z.string().nullable(),
  slug: z.string().nullable(),
});

/** What became of a draft, as `--json` prints it. */
export type DraftReport = Awaited<ReturnType<typeof record>>;

// Job of its runs in meta.runs; no job file can have a name with a space.
const JOB = 'draft push';

/**
 * Pushes one draft and records the answer, the working file held from before the call until after; null when the
 * person said no.
 * @throws AnswerlakeError locked before anything is sent; what `pushDraft` throws
 */
export async function pushAndRecord(context: SyncContext, draft: DraftRequest): Promise<DraftReport | null> {
  const { effects } = context;
  // The reserve of the quota is for people, and a person is asking.
  const config: Config = { ...context.config, api: { ...context.config.api, reserveQuota: 0 } };
  const syncContext: SyncContext = { ...context, config };
  await using clients = openClients({ context: syncContext });
  const client = clients.of(draft.account.name);
  const project = await reachProject(syncContext, { ...draft, clients });
  if (!(await draft.confirm(project.projectId))) return null;
  const startedAt = effects.now();
  const working = await openWorkingFile({
    tables: config.catalogue.tables,
    publishedPath: config.warehouse.path,
    now: startedAt,
  });
  await using database = working.database;
  const connection = await database.connect();
  const run = await newRun(connection, config, { startedAt, acceptShrink: false, acceptScale: false });
  const loadRun = { ...run, syncDay: dayOf(startedAt), isWitness: false };
  const draftRun: DraftRun = { context: syncContext, connection, client, draft, project, run: loadRun };
  const selection = JSON.stringify({ draft: draft.request, project: project.projectId });
  const { version } = context;
  await startRun(connection, draftRun.run, { job: JOB, selection, version, lookback_days: run.lookbackDays });
  const answer = await pushDraft(draftRun).catch(async (error: unknown) => {
    // What became of the push matters more than whether it could be entered.
    const end = { errorMessage: messageOf(error), entry: null };
    await finish(draftRun, exitCodeOf(error), end).catch(() => undefined);
    throw error;
  });
  return await record(draftRun, answer).catch((error: unknown) => {
    // The draft is in the CMS whatever went wrong here.
    throw new AnswerlakeError(
      `The draft was pushed (${JSON.stringify(answer.body)}), but it could not be recorded: ${messageOf(error)} ` +
        'Pushing again is safe: it updates the same item.',
      { class: errorClassOf(error), exitCode: exitCodeOf(error), cause: error },
    );
  });
}

/** What a push works with; it is entered in `meta.runs` like any run. */
interface DraftRun {
  context: SyncContext;
  connection: Connection;
  client: ApiClient;
  draft: DraftRequest;
  project: AccountProject;
  run: LoadRun;
}

async function record(draftRun: DraftRun, answer: ApiAnswer) {
  const { context, connection, draft, project, run } = draftRun;
  const entry = await load(draftRun, answer);
  const reject = entry.rejects[0]?.reason ?? entry.failure?.message ?? null;
  const exitCode: ExitCode = reject === null ? 0 : 3;
  await finish(draftRun, exitCode, { errorMessage: reject, entry });
  const published = await publishChanged(connection, context);
  const [row] = await connection.rowsAs(
    draftRow,
    'select publish_record_id, external_item_id, status, slug from core.cms_drafts where _run_id = $1',
    [run.runId],
  );
  return {
    exit_code: exitCode,
    run_id: run.runId,
    project_id: project.projectId,
    content_id: draft.request.contentId,
    /** Null when none was given. */
    connection_id: draft.request.connectionId,
    ...(row ?? { publish_record_id: null, external_item_id: null, status: null, slug: null }),
    /** Why the answer is not in `core.cms_drafts`; null when it is. */
    reject,
    published: published?.path ?? null,
  };
}

/**
 * Keeps the draft in the raw archive and in `core.cms_drafts`; an answer of another shape than documented is a reject of the entry.
 * @throws AnswerlakeError storage, locked
 */
async function load(draftRun: DraftRun, { body: response, requests, fetchedAt }: ApiAnswer) {
  const { context, connection, run } = draftRun;
  const { account, request } = draftRun.draft;
  const { projectId } = draftRun.project;
  const archive = new RawArchive(context.config.raw.dir, run);
  const loader = new Loader({ connection, run, archive });
  const body: DraftBody = { request, response };
  const answer: ArchivedAnswer = {
    ...run,
    account: account.name,
    slice: listSlice({ endpoint: cmsDraft.name, projectId, scope: 'project', scopeId: request.contentId }),
    asked: null,
    limit: null,
    requests,
    pages: [{ page: 1, status: 200, fetchedAt, body }],
  };
  const [entry] = await loader.load([{ kind: 'answered', endpoint: cmsDraft, answer }]);
  if (entry === undefined) throw new RangeError('one answer makes one entry');
  return entry;
}

interface DraftEnd {
  errorMessage: string | null;
  entry: LedgerEntry | null;
}

async function finish(draftRun: DraftRun, exitCode: ExitCode, { errorMessage, entry }: DraftEnd) {
  const { context, connection, client, run } = draftRun;
  const { effects } = context;
  const isStopped = exitCode >= 129;
  const failed = entry === null ? 'failed' : 'partial';
  await finishRun(connection, run.runId, {
    finished_at: new Date(effects.now()).toISOString(),
    status: exitCode === 0 ? 'ok' : isStopped ? 'stopped' : failed,
    exit_code: exitCode,
    error_message: errorMessage,
    ...client.totals,
    ...addStep(NOTHING_DONE, { results: entry === null ? [] : [resultOf(entry)] }).totals,
  });
  await writeJournal(connection, context);
}

const SAFE_TO_REPEAT =
  'Pushing again is safe: it updates the same item in the CMS instead of creating another.';

/**
 * Sends a content document to the CMS as an unpublished draft: once, never repeated.
 * @throws ApiError auth (401), contract (refused), quota and transient (unavailable); AnswerlakeError stopped. The message
 * says whether the draft may have been written all the same
 */
async function pushDraft({ context, client, draft, project }: DraftRun): Promise<ApiAnswer> {
  const { contentId, connectionId, slug } = draft.request;
  const { signal } = context;
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

/** An answer with a code is a refusal in words, whatever its status; without one the service itself has failed. */
function classOf({ status, code, class: errorClass }: ApiError): ErrorClass {
  if (status === 401) return 'auth';
  if (status === 429 || status === null) return errorClass;
  return code !== null || status < 500 ? 'contract' : 'transient';
}

/** The account that a draft is pushed with. @throws AnswerlakeError (configuration) when it is not clear which */
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

interface Reached extends Pick<DraftRequest, 'account' | 'project'> {
  clients: Clients;
}

/**
 * Validates the key and determines the project.
 * @throws AnswerlakeError auth when the key does not work; configuration when the project is not clear or out of reach
 */
async function reachProject({ config, signal }: SyncContext, { account, clients, project }: Reached) {
  const configured = account.projects !== 'all' && account.projects.length === 1 ? account.projects[0] : null;
  const wanted = project ?? configured ?? null;
  const meant = wanted === null ? [] : [wanted];
  const validated = await validateAccount(account, { config, clients, wanted: meant, signal });
  const [problem] = validated.problems;
  if (problem !== undefined) throw usageError(`${problem.error.message}. Nothing was sent.`);
  const [reached] = validated.projects;
  if (reached !== undefined) return reached;
  if (wanted !== null) {
    throw usageError(
      `--project ${wanted}: the configuration leaves it out of account ${account.name} (accounts[].projects). Nothing was sent.`,
    );
  }
  const { account: key, listed } = validated;
  const projects = listed ?? [];
  const [only, ...others] = projects;
  if (only !== undefined && others.length === 0) return { projectId: only.id, account: key, except: [] };
  const list = projects.map(({ id, name }) => `  ${id}  ${name ?? ''}`.trimEnd()).join('\n');
  throw usageError([
    'The key reaches several projects:',
    `add --project with one of\n${list}\nNothing was sent.`,
  ]);
}
