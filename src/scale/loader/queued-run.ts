import type { Zone } from '../landing/zone.ts';
import { SameAnswers } from '../../believe/same-answers.ts';
import type { PreparedAnswer } from '../../load/prepare-answer.ts';
import { newRun } from '../../run/run-record.ts';
import { readSeenQuotas, readOrganizations } from '../../run/quotas.ts';
import type { Jobs } from '../queue/jobs.ts';
import { enterRun, prepareRun, type RunContext } from '../../run/run-context.ts';
import type { SliceResult, Step } from '../../run/outcome.ts';
import { askStages, runStages, type PlannedRun } from '../../run/stages.ts';
import { runToEnd } from '../../run/sync.ts';
import type { RunReport, SyncContext, SyncRequest } from '../../run/sync-request.ts';
import type { Connection } from '../../warehouse/connection.ts';
import type { Intake } from './intake.ts';
import { LoadedResults, OrganizationAsker, type OrganizationAskerOptions } from './organization-asker.ts';
import { validateThroughWorkers } from './validate-through-workers.ts';
import { remoteClients, RoundDispatcher } from './round-dispatcher.ts';
import type { ConnectionLock } from './connection-lock.ts';
import { unknownOrganization } from '../../extract/clients.ts';
import type { Reached } from '../../extract/reach-projects.ts';
import { AnswerlakeError, messageOf } from '../../errors.ts';
import { keyLists, type Mention } from '../../plan/owed.ts';
import { readMentions } from '../../run/planning-values.ts';
import { publishChanged } from '../../targets/publish-changed.ts';

export interface QueuedRunParts {
  context: SyncContext;
  jobs: Jobs;
  zone: Zone;
  intake: Intake;
  connection: Connection;
  connectionLock: ConnectionLock;
}

/**
 * One run whose requests are sent by workers; its steps are those of a run of one process.
 * @throws AnswerlakeError configuration, transient when no worker could validate the keys, storage, locked
 */
export async function runThroughWorkers(request: SyncRequest, parts: QueuedRunParts): Promise<RunReport> {
  const { context, jobs, zone, intake, connection, connectionLock } = parts;
  const { config, effects, log, signal } = context;
  const startedAt = effects.now();
  const clients = remoteClients(await readSeenQuotas(connection, config.api.baseUrl));
  const dispatcher = new RoundDispatcher({ jobs, intake, clients, effects, signal });
  const { acceptShrink } = request;
  const validating = await newRun(connection, config, { startedAt, acceptShrink });
  const { reached, syncDay, landed, waitLeftMs } = await validateThroughWorkers({
    dispatcher,
    request,
    run: validating,
    clients,
    organizations: await readOrganizations(connection),
    config,
    effects,
    log,
    signal,
  });
  const prepared = await prepareRun({
    // The day under which the parts of the validations were landed.
    request: { ...request, today: syncDay },
    context,
    connection,
    clients,
    reached,
    startedAt,
    runId: validating.runId,
  });
  const results = new LoadedResults();
  const run = { ...(await enterRun(prepared)), queue: results };
  const same = new SameAnswers<PreparedAnswer>();
  async function* steps(): AsyncGenerator<Step> {
    for (const prefix of landed) {
      const taken = await intake.take(prefix, same);
      clients.record(taken);
      results.add(taken.results);
    }
    const options = { dispatcher, connectionLock, zone, same, maxWaitMs: waitLeftMs };
    yield* runStages(run, (all, own) => askOrganizations(all, own, options));
  }
  return await runToEnd(run, steps());
}

type AskOptions = Pick<
  OrganizationAskerOptions,
  'dispatcher' | 'connectionLock' | 'zone' | 'same' | 'maxWaitMs'
>;

/** Runs the stages of all organizations at the same time: one that waits for its quota does not delay the others. */
async function* askOrganizations(
  context: PlannedRun,
  reached: Reached,
  options: AskOptions,
): AsyncGenerator<Step> {
  const { connectionLock } = options;
  const broken = new AbortController();
  const groups = byOrganization(reached);
  const lookups = new SharedLookups(groups.size, () =>
    readMentions(
      context,
      reached.projects.map(({ projectId }) => projectId),
    ),
  );
  const early = new EarlyPublish(context, connectionLock);
  const signal = AbortSignal.any([context.signal, broken.signal]);
  const steps: Step[] = [];
  const lists = groups.size > 1 ? await askRunLists(context, groups, options) : [];
  if (lists.length > 0) steps.push({ results: lists, problems: [] });
  const asked = await Promise.allSettled(
    [...groups].map(async ([organization, own], index) => {
      const results = new LoadedResults();
      const isLister = index === 0 && lists.length === 0;
      const endpoints = context.endpoints.filter(({ askedPer }) => askedPer !== 'run' || isLister);
      const clients = {
        ...context.clients,
        get quotas() {
          return new Map([...context.clients.quotas].filter(([id]) => id === organization));
        },
      };
      const shared = { ...context, clients, endpoints, signal, queue: results };
      const asker = new OrganizationAsker({ ...options, organization, context: shared, results });
      const arrive = lookups.arrival();
      const mentionsOf: RunContext['mentionsOf'] = async (projectIds) => {
        arrive();
        connectionLock.release();
        await lookups.haveAllArrived;
        await connectionLock.acquire();
        return await lookups.of(projectIds);
      };
      await connectionLock.acquire();
      try {
        for await (const step of askStages({ ...shared, asker, mentionsOf }, own)) steps.push(step);
        steps.push({ results: results.takeLoaded(), problems: [] });
        early.publishSoon();
      } catch (error) {
        broken.abort(error);
        throw error;
      } finally {
        arrive();
        connectionLock.release();
      }
    }),
  );
  await early.stop();
  yield* steps;
  const failed = asked.find((one) => one.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

/**
 * Asks for the lists of the run, from which all organizations are planned: the first organization whose key may ask does it.
 * One whose key is refused or whose hour is used up leaves it to the next one, and reports that when it is asked itself.
 */
export async function askRunLists(
  context: PlannedRun,
  groups: ReadonlyMap<string, Reached>,
  options: AskOptions,
): Promise<SliceResult[]> {
  const { config, coverage } = context;
  const endpoints = context.endpoints.filter(({ askedPer }) => askedPer === 'run');
  if (endpoints.length === 0) return [];
  const results = new LoadedResults();
  for (const [organization, reached] of groups) {
    const jobs = keyLists({ config, reached, endpoints, coverage });
    const asker = new OrganizationAsker({ ...options, organization, context, results, maxWaitMs: 0 });
    const problems = await options.connectionLock.during(() => asker.ask(jobs));
    const loaded = results.takeLoaded();
    const isOwn = problems.some(
      ({ error }) => error instanceof AnswerlakeError && ['quota', 'auth'].includes(error.class),
    );
    if (loaded.length > 0 || !isOwn) return loaded;
  }
  return [];
}

/** The look-ups of a run have one limit, as in one process: what to look up is read once, when all organizations have loaded what mentions them. */
class SharedLookups {
  readonly haveAllArrived: Promise<void>;
  #open: () => void = () => undefined;
  #awaited: number;
  readonly #read: () => Promise<Mention[]>;
  #mentions: Promise<Mention[]> | null = null;

  constructor(organizations: number, read: () => Promise<Mention[]>) {
    this.#awaited = organizations;
    this.#read = read;
    this.haveAllArrived = new Promise((settle) => (this.#open = settle));
  }

  /** A function that an organization calls when it has loaded its series, or when it ends without them. */
  arrival(): () => void {
    let hasArrived = false;
    return () => {
      if (hasArrived) return;
      hasArrived = true;
      this.#awaited -= 1;
      if (this.#awaited === 0) this.#open();
    };
  }

  async of(projectIds: readonly string[]): Promise<Mention[]> {
    this.#mentions ??= this.#read();
    const own = new Set(projectIds);
    return (await this.#mentions).filter(({ projectId }) => own.has(projectId));
  }
}

/** Publishes organizations that have ended while others are still asked, or wait for their hour. */
class EarlyPublish {
  readonly #context: RunContext;
  readonly #connectionLock: ConnectionLock;
  readonly #over = new AbortController();
  #publishing: Promise<void> | null = null;

  constructor(context: RunContext, connectionLock: ConnectionLock) {
    this.#context = context;
    this.#connectionLock = connectionLock;
  }

  /** Publishes within `queue.publish_every`. */
  publishSoon(): void {
    this.#publishing ??= this.#publish().finally(() => (this.#publishing = null));
  }

  async stop(): Promise<void> {
    this.#over.abort();
    await this.#publishing;
  }

  async #publish(): Promise<void> {
    const { config, effects, connection, log } = this.#context;
    try {
      await effects.sleep(config.queue.publishEvery, this.#over.signal);
    } catch {
      return;
    }
    await this.#connectionLock
      .during(() => publishChanged(connection, this.#context))
      // The end of the run publishes again and reports the failure.
      .catch((error: unknown) => log.warn('loader.not_published', { reason: messageOf(error) }));
  }
}

/** The accounts of an organization share its quota, so they stay together. */
function byOrganization(reached: Reached): Map<string, Reached> {
  const groups = new Map<string, Reached>();
  for (const account of reached.accounts) {
    const { config, organizationId } = account;
    const name = organizationId ?? unknownOrganization(config.name);
    const known = groups.get(name)?.accounts ?? [];
    groups.set(name, { ...reached, accounts: [...known, account], projects: [] });
  }
  for (const [name, group] of groups) {
    const names = new Set(group.accounts.map(({ config }) => config.name));
    const projects = reached.projects.filter(({ account }) => names.has(account.config.name));
    groups.set(name, { ...group, projects });
  }
  return groups;
}
