import type { LimitFunction } from 'p-limit';
import type { Zone } from '../landing/zone.ts';
import { readQuotas } from '../../run/journal.ts';
import { quotasOf } from '../../run/quotas.ts';
import type { Jobs } from '../queue/jobs.ts';
import type { Presence } from '../queue/processes.ts';
import { enterRun, prepareRun, type RunContext } from '../../run/run-context.ts';
import { readGoodProbes } from '../../run/probes.ts';
import type { Step } from '../../run/outcome.ts';
import { askStages, pushValidations, runStages, type PlannedRun } from '../../run/stages.ts';
import { runToEnd } from '../../run/sync.ts';
import type { RunReport, SyncContext, SyncRequest } from '../../run/sync-request.ts';
import type { Connection } from '../../warehouse/connection.ts';
import type { Intake } from './intake.ts';
import { LoadedResults, OrganizationAsker, type OrganizationAskerOptions } from './organization-asker.ts';
import { type RemoteClients, remoteClients, RoundDispatcher } from './round-dispatcher.ts';
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
  /** Writes to the working file one after the other: organizations are served at the same time. */
  limitWrites: LimitFunction;
}

/**
 * One run whose slices are asked for by workers; its steps are those of a run of one process.
 * @throws AnswerlakeError configuration, storage, locked; the signal's reason until the keys are validated
 */
export async function runThroughWorkers(request: SyncRequest, parts: QueuedRunParts): Promise<RunReport> {
  const { context, jobs, presence, zone, intake, connection, limitWrites } = parts;
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
  const run = await enterRun(prepared);
  const dispatcher = new RoundDispatcher({ jobs, intake, clients, effects, log, signal });
  const probed = await readGoodProbes(connection, prepared.run);
  const options = { dispatcher, limitWrites, zone, probed, maxWaitMs, clients, parked: own.parked };
  return await runToEnd(
    run,
    runStages(run, (all, ofRun) => askOrganizations(all, ofRun, options)),
  );
}

interface AskOptions extends Pick<
  OrganizationAskerOptions,
  'dispatcher' | 'limitWrites' | 'zone' | 'probed' | 'maxWaitMs'
> {
  clients: RemoteClients;
  /** Of the keys that the loader itself asks with. */
  parked: Clients['parked'];
}

/** Runs the stages of all organizations at the same time: one that waits for its quota does not delay the others. */
async function* askOrganizations(
  context: PlannedRun,
  reached: Reached,
  options: AskOptions,
): AsyncGenerator<Step> {
  const { limitWrites, clients } = options;
  const { connection } = context;
  const broken = new AbortController();
  const groups = byOrganization(reached);
  const projectIds = reached.projects.map(({ projectId }) => projectId);
  const lookups = sharedLookups(groups, () => limitWrites(() => readMentions(context, projectIds)));
  const early = earlyPublish(context, limitWrites);
  const signal = AbortSignal.any([context.signal, broken.signal]);
  await pushValidations(context, reached);
  const steps: Step[] = [await askRunLists(context, options)];
  const endpoints = context.endpoints.filter(({ askedPer }) => askedPer !== 'run');
  const asked = await Promise.allSettled(
    [...groups].map(async ([organization, own]) => {
      const results = new LoadedResults();
      // Plans on a connection of its own, so that no transaction of another organization is under way there.
      using planning = await connection.another();
      const quotas = clients.quotasOf(organization);
      const shared = { ...context, connection: planning, clients: { ...clients, quotas }, endpoints, signal };
      const loading = { ...shared, connection };
      const asker = new OrganizationAsker({ ...options, organization, context: loading, results });
      const mentionsOf: RunContext['mentionsOf'] = async (projectIds) => {
        lookups.arrive(organization);
        early.soon();
        await lookups.haveAllArrived;
        return await lookups.of(projectIds);
      };
      try {
        for await (const step of askStages({ ...shared, queue: results, asker, mentionsOf }, own))
          steps.push(step);
        steps.push({ results: results.takeLoaded(), problems: [] });
        early.soon();
      } catch (error) {
        broken.abort(error);
        throw error;
      } finally {
        lookups.arrive(organization);
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
  { config, coverage, endpoints, reached, asker, queue }: PlannedRun,
  options: AskOptions,
): Promise<Step> {
  const parked = new Set(options.parked().map(([organization]) => organization));
  const free = reached.accounts.filter((account) => !parked.has(organizationOf(account)));
  const lists = endpoints.filter(({ askedPer }) => askedPer === 'run');
  const accounts = [...free, ...reached.accounts];
  const problems = await asker.ask(keyLists({ config, endpoints: lists, coverage }, accounts));
  return { results: await queue.drain(), problems };
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
function earlyPublish(context: RunContext, limitWrites: LimitFunction) {
  const { config, effects, connection, log } = context;
  const over = new AbortController();
  let publishing: Promise<void> | null = null;
  const publish = async (): Promise<void> => {
    await effects.sleep(config.queue.publishEvery, over.signal).catch(() => undefined);
    if (over.signal.aborted) return;
    await limitWrites(() => publishChanged(connection, context))
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
    answers: [],
    accounts: reached.accounts.filter((account) => organizationOf(account) === name),
    projects: reached.projects.filter(({ account }) => organizationOf(account) === name),
  });
  return new Map(reached.accounts.map(organizationOf).map((name) => [name, ownOf(name)]));
}

function organizationOf({ config, organizationId }: Account): string {
  return organizationId ?? unknownOrganization(config.name);
}
