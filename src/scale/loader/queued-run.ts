import type { Zone } from '../landing/zone.ts';
import { readQuotas } from '../../run/journal.ts';
import { quotasOf } from '../../run/quotas.ts';
import type { Jobs } from '../queue/jobs.ts';
import type { Presence } from '../queue/processes.ts';
import { enterRun, prepareRun, type RunContext } from '../../run/run-context.ts';
import { readGoodProbes } from '../../run/probes.ts';
import type { OutcomeQueue } from '../../run/load-queue.ts';
import type { Step } from '../../run/outcome.ts';
import { askStages, pushValidations, runStages, type PlannedRun } from '../../run/stages.ts';
import { runToEnd } from '../../run/sync.ts';
import type { RunReport, SyncContext, SyncRequest } from '../../run/sync-request.ts';
import type { Connection } from '../../warehouse/connection.ts';
import type { Intake } from './intake.ts';
import { LoadedResults, OrganizationAsker, type OrganizationAskerOptions } from './organization-asker.ts';
import { remoteClients, RoundDispatcher } from './round-dispatcher.ts';
import type { ConnectionLock } from './connection-lock.ts';
import { type Clients, openClients, unknownOrganization } from '../../extract/clients.ts';
import { type Account, reachProjects, type Reached, refuseUnknown } from '../../extract/reach-projects.ts';
import { messageOf } from '../../errors.ts';
import { keyLists, type Mention } from '../../plan/owed.ts';
import { readMentions } from '../../run/planning-values.ts';
import { publishChanged } from '../../targets/publish-changed.ts';

export interface QueuedRunParts {
  context: SyncContext;
  jobs: Jobs;
  presence: Presence;
  zone: Zone;
  intake: Intake;
  connection: Connection;
  connectionLock: ConnectionLock;
}

/**
 * One run whose slices are asked for by workers; its steps are those of a run of one process.
 * @throws AnswerlakeError configuration, storage, locked; the signal's reason until the keys are validated
 */
export async function runThroughWorkers(request: SyncRequest, parts: QueuedRunParts): Promise<RunReport> {
  const { context, jobs, presence, zone, intake, connection, connectionLock } = parts;
  const { config, effects, log, signal } = context;
  const startedAt = effects.now();
  await using own = openClients({
    context,
    maxWaitMs: request.maxWaitMs,
    initialQuotas: quotasOf(await readQuotas(connection), config.api.baseUrl),
  });
  presence.show(() => ({ ...intake.counts(), parked: own.parked() }));
  const reached = await reachProjects({ config, clients: own, wanted: request.projects, signal });
  presence.show(() => intake.counts());
  signal.throwIfAborted();
  refuseUnknown(reached, request);
  const maxWaitMs = Math.max(0, request.maxWaitMs - (effects.now() - startedAt));
  const clients = remoteClients(own);
  const prepared = await prepareRun({
    request: { ...request, projects: reached.wanted },
    context,
    connection,
    clients,
    reached,
    startedAt,
  });
  const results = new LoadedResults();
  const run = { ...(await enterRun(prepared)), queue: results, reached: { ...reached, answers: [] } };
  const dispatcher = new RoundDispatcher({ jobs, intake, clients, effects, log, signal });
  const probed = await readGoodProbes(connection, prepared.run);
  const options = { dispatcher, connectionLock, zone, probed, maxWaitMs, own, ownQueue: prepared.queue };
  async function* steps(): AsyncGenerator<Step> {
    await pushValidations(prepared, reached);
    yield { results: await prepared.queue.drain(), problems: [] };
    yield* runStages(run, (all, ofRun) => askOrganizations(all, ofRun, options));
  }
  return await runToEnd(run, steps());
}

interface AskOptions extends Pick<
  OrganizationAskerOptions,
  'dispatcher' | 'connectionLock' | 'zone' | 'probed' | 'maxWaitMs'
> {
  /** The clients and the queue of the loader. */
  own: Clients;
  ownQueue: OutcomeQueue;
}

/** Runs the stages of all organizations at the same time: one that waits for its quota does not delay the others. */
async function* askOrganizations(
  context: PlannedRun,
  reached: Reached,
  options: AskOptions,
): AsyncGenerator<Step> {
  const { connectionLock } = options;
  const broken = new AbortController();
  const groups = byOrganization(reached);
  const projectIds = reached.projects.map(({ projectId }) => projectId);
  const lookups = sharedLookups(groups, () => readMentions(context, projectIds));
  const early = earlyPublish(context, connectionLock);
  const signal = AbortSignal.any([context.signal, broken.signal]);
  const steps: Step[] = [await askRunLists(context, options)];
  const endpoints = context.endpoints.filter(({ askedPer }) => askedPer !== 'run');
  const asked = await Promise.allSettled(
    [...groups].map(async ([organization, own]) => {
      const results = new LoadedResults();
      const clients = {
        ...context.clients,
        get quotas() {
          return new Map([...context.clients.quotas].filter(([id]) => id === organization));
        },
      };
      const shared = { ...context, clients, endpoints, signal, queue: results };
      const asker = new OrganizationAsker({ ...options, organization, context: shared, results });
      const mentionsOf: RunContext['mentionsOf'] = async (projectIds) => {
        lookups.arrive(organization);
        early.soon();
        connectionLock.release();
        await lookups.haveAllArrived;
        await connectionLock.acquire();
        return await lookups.of(projectIds);
      };
      await connectionLock.acquire();
      try {
        for await (const step of askStages({ ...shared, asker, mentionsOf }, own)) steps.push(step);
        steps.push({ results: results.takeLoaded(), problems: [] });
        early.soon();
      } catch (error) {
        broken.abort(error);
        throw error;
      } finally {
        lookups.arrive(organization);
        connectionLock.release();
      }
    }),
  );
  await early.stop();
  yield* steps;
  const failed = asked.find((one) => one.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

/** Asks for the lists of the run, from which all organizations are planned: with a key whose hour is not used up, if there is one. */
async function askRunLists(
  { config, coverage, endpoints, reached, asker }: PlannedRun,
  { own, ownQueue }: AskOptions,
): Promise<Step> {
  const parked = new Set(own.parked().map(([organization]) => organization));
  const free = reached.accounts.filter((account) => !parked.has(organizationOf(account)));
  const lists = endpoints.filter(({ askedPer }) => askedPer === 'run');
  const accounts = [...free, ...reached.accounts];
  const problems = await asker.ask(keyLists({ config, endpoints: lists, coverage }, accounts));
  return { results: await ownQueue.drain(), problems };
}

/** The look-ups of a run have one limit, as in one process: what to look up is read once, when all organizations have loaded what mentions them. */
function sharedLookups(organizations: ReadonlyMap<string, unknown>, read: () => Promise<Mention[]>) {
  const awaited = new Set(organizations.keys());
  let open = (): void => undefined;
  const haveAllArrived = new Promise<void>((settle) => (open = settle));
  let mentions: Promise<Mention[]> | null = null;
  return {
    haveAllArrived,
    /** The organization has loaded its series, or ends without them. */
    arrive: (organization: string): void => {
      awaited.delete(organization);
      if (awaited.size === 0) open();
    },
    of: async (projectIds: readonly string[]): Promise<Mention[]> => {
      mentions ??= read();
      const own = new Set(projectIds);
      return (await mentions).filter(({ projectId }) => own.has(projectId));
    },
  };
}

/** Publishes organizations that have ended while others are still asked, or wait for their hour. */
function earlyPublish(context: RunContext, connectionLock: ConnectionLock) {
  const { config, effects, connection, log } = context;
  const over = new AbortController();
  let publishing: Promise<void> | null = null;
  const publish = async (): Promise<void> => {
    await effects.sleep(config.queue.publishEvery, over.signal).catch(() => undefined);
    if (over.signal.aborted) return;
    await connectionLock
      .during(() => publishChanged(connection, context))
      // The end of the run publishes again and reports the failure.
      .catch((error: unknown) => log.warn('loader.not_published', { reason: messageOf(error) }));
  };
  return {
    /** Publishes within `queue.publish_every`. */
    soon: (): void => {
      publishing ??= publish().finally(() => (publishing = null));
    },
    stop: async (): Promise<void> => {
      over.abort();
      await publishing;
    },
  };
}

/** The accounts of an organization share its quota, so they stay together. */
function byOrganization(reached: Reached): Map<string, Reached> {
  const ownOf = (name: string): Reached => ({
    ...reached,
    accounts: reached.accounts.filter((account) => organizationOf(account) === name),
    projects: reached.projects.filter(({ account }) => organizationOf(account) === name),
  });
  return new Map(reached.accounts.map(organizationOf).map((name) => [name, ownOf(name)]));
}

function organizationOf({ config, organizationId }: Account): string {
  return organizationId ?? unknownOrganization(config.name);
}
