import { z } from 'zod';
import type { AccountConfig } from '../config/config.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { validate } from '../endpoints/reference.ts';
import { AnswerlakeError } from '../errors.ts';
import { ApiError } from './api-error.ts';
import type { ApiClient } from './client.ts';
import { fetchSlice, type FetchedSlice } from './fetch-slice.ts';
import { listSlice, type Slice } from '../slice.ts';

/** A key that worked. */
export interface Account {
  config: AccountConfig;
  organizationId: string | null;
  isOrganizationKey: boolean;
}

export interface AccountProject {
  projectId: string;
  account: Account;
  /** Sent with each request of the project; a project key never gets it. */
  projectHeader: string | undefined;
}

/** A validation answer on its way to the loader. */
export interface ValidationAnswer extends FetchedSlice {
  slice: Slice;
}

export interface Validated {
  account: Account;
  projects: AccountProject[];
  /** Ids of all projects that the key says it reaches; null when it does not say. */
  listed: readonly string[] | null;
  answers: ValidationAnswer[];
  problems: AnswerlakeError[];
}

const named = z.object({ id: z.string().min(1) });
const validation = z.object({
  valid: z.literal(true),
  keyType: z.string(),
  organization: named.nullish(),
  project: named.nullish(),
  availableProjects: z.array(named).nullish(),
});

export interface AccountRequest {
  config: AccountConfig;
  client: ApiClient;
  /** Path of the validation in place of the documented one. */
  path: string | undefined;
  /** Projects that the run is about; null: all. */
  wanted: readonly string[] | null;
  signal: AbortSignal;
  /** Told as soon as the key has named its organization. */
  onOrganization?: (organizationId: string) => void;
}

/**
 * Validates the key and finds which projects it reaches. With an organization key, each project is validated on its own.
 * @throws AnswerlakeError auth when the key is not valid; what the client throws
 */
export async function validateAccount(request: AccountRequest): Promise<Validated> {
  const { config } = request;
  const own = await askValidation(request, null);
  const { body } = own;
  const isOrganizationKey = isOrganization(body);
  const organizationId = body.organization?.id ?? null;
  if (organizationId !== null) request.onOrganization?.(organizationId);
  const account: Account = { config, organizationId, isOrganizationKey };
  const reachable = isOrganizationKey
    ? (body.availableProjects?.map(({ id }) => id) ?? null)
    : body.project
      ? [body.project.id]
      : [];
  const { chosen, problems } = chooseProjects(request, reachable);
  const validated: Validated = {
    account,
    projects: [],
    listed: reachable,
    answers: [own.answer],
    problems,
  };
  if (!isOrganizationKey) {
    for (const projectId of chosen) {
      own.answer.slice = validationSlice(validate, projectId);
      validated.projects.push({ projectId, account, projectHeader: undefined });
    }
    return validated;
  }
  // At the same time, as far as the client lets them: one after the other they would cost a round trip each.
  const asked = await Promise.allSettled(chosen.map((projectId) => askProject(request, projectId)));
  for (const tried of asked) {
    if (tried.status === 'fulfilled') {
      const { answer, projectId } = tried.value;
      validated.answers.push(answer);
      validated.projects.push({ projectId, account, projectHeader: projectId });
      continue;
    }
    const error: unknown = tried.reason;
    if (!(error instanceof AnswerlakeError) || error.class === 'quota' || error.class === 'stopped')
      throw error;
    // The silence is the key's, so no project of it is left out: the account is asked again.
    if (error.waitUntilMs !== null) throw error;
    problems.push(error);
  }
  return validated;
}

async function askProject(
  request: AccountRequest,
  projectId: string,
): Promise<{ answer: ValidationAnswer; projectId: string }> {
  const { answer, body } = await askValidation(request, projectId);
  assertSameProject(request.config.name, projectId, body.project?.id);
  return { answer, projectId };
}

/** A type of key that we do not know is judged by what it reaches. */
function isOrganization({ keyType, project, availableProjects }: z.output<typeof validation>): boolean {
  const type = keyType.toLowerCase();
  if (type === 'organization' || type === 'project') return type === 'organization';
  return !project && (availableProjects?.length ?? 0) > 0;
}

/** The slice for a validation answer: by project, or by account when it names no project. */
export function validationSlice(endpoint: Endpoint, projectId: string | null, account = ''): Slice {
  return listSlice({
    endpoint: endpoint.name,
    projectId,
    scope: 'project',
    scopeId: projectId ?? account,
  });
}

async function askValidation(
  { client, config, path, signal }: AccountRequest,
  projectId: string | null,
): Promise<{ answer: ValidationAnswer; body: z.output<typeof validation> }> {
  const slice = validationSlice(validate, projectId, config.name);
  const invalid = (cause?: unknown): AnswerlakeError =>
    new AnswerlakeError(
      `account ${config.name}: the key from ${config.apiKey.origin} is not valid; set a key from Settings, API Keys of the dashboard`,
      { class: 'auth', scope: 'key', cause },
    );
  const fetched = await fetchSlice(client, {
    endpoint: validate,
    slice,
    asked: null,
    limit: null,
    timezone: 'UTC',
    path,
    projectHeader: projectId ?? undefined,
    signal,
  }).catch((error: unknown) => {
    throw error instanceof ApiError && error.status === 401 ? invalid(error) : error;
  });
  const page = fetched.pages[0];
  if (page !== undefined && isInvalidKeyAnswer({ status: page.status, body: page.body })) {
    throw invalid();
  }
  const parsed = validation.safeParse(page?.body);
  if (!parsed.success) {
    throw new AnswerlakeError(
      `account ${config.name}: the answer to the key validation does not have the documented shape: ${z.prettifyError(parsed.error)}`,
      { class: 'contract', scope: 'key' },
    );
  }
  return { answer: { ...fetched, slice }, body: parsed.data };
}

/** True when a validation answer says, by status or by body, that the key is not valid. */
export function isInvalidKeyAnswer({ status, body }: { status: number; body: unknown }): boolean {
  if (status === 401) return true;
  return typeof body === 'object' && body !== null && 'valid' in body && body.valid === false;
}

function chooseProjects(
  { config, wanted }: AccountRequest,
  reachable: readonly string[] | null,
): { chosen: string[]; problems: AnswerlakeError[] } {
  const configured = config.projects === 'all' ? (reachable ?? []) : [...config.projects];
  const problems: AnswerlakeError[] = [];
  const chosen = [...new Set(configured)].filter((projectId) => {
    if (wanted !== null && !wanted.includes(projectId)) return false;
    if (reachable === null || reachable.includes(projectId)) return true;
    problems.push(
      new AnswerlakeError(
        `account ${config.name}: its key does not reach project ${projectId}; it reaches ${reachable.join(', ') || 'none'} (accounts[].projects)`,
        { class: 'contract', scope: 'project' },
      ),
    );
    return false;
  });
  return { chosen, problems };
}

function assertSameProject(account: string, asked: string, answered: string | undefined): void {
  if (asked === answered) return;
  throw new AnswerlakeError(
    `account ${account}: asked for project ${asked}, but ${answered ?? 'no project'} answered; nothing of it was stored`,
    { class: 'contract', scope: 'project' },
  );
}
