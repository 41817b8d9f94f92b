import type { LimitFunction } from 'p-limit';
import { messageOf } from '../../errors.ts';
import { openClients } from '../../extract/clients.ts';
import { type Account, reachProjects, type Reached } from '../../extract/reach-projects.ts';
import { keyLists, type Mention } from '../../plan/owed.ts';
import type { AskJobs } from '../../run/ask.ts';
import { readQuotas } from '../../run/journal.ts';
import type { Step } from '../../run/outcome.ts';
import { readMentions } from '../../run/planning-values.ts';
import { readGoodProbes } from '../../run/taught.ts';
import { quotasOf } from '../../run/quotas.ts';
import { enterRun, type OpenRun, prepareRun } from '../../run/run-context.ts';
import {
  askStages,
  type KnownPlanning,
  organizationOf,
  pushValidations,
  runStages,
} from '../../run/stages.ts';
import { runToEnd } from '../../run/sync.ts';
import type { RunReport, SyncContext, SyncRequest } from '../../run/sync-request.ts';
import { publishChanged } from '../../targets/publish-changed.ts';
import type { Connection } from '../../warehouse/connection.ts';
import type { Jobs } from '../queue/jobs.ts';
import type { Presence } from '../queue/processes.ts';
import type { Intake } from './intake.ts';
import { organizationAsker, type OrganizationAskerRequest } from './organization-asker.ts';
import { openRoundDispatcher } from './round-dispatcher.ts';

export interface QueuedRunParts {
  context: SyncContext;
  jobs: Jobs;
  presence: Presence;
  intake: Intake;
  connection: Connection;
  /** Writes to the working file one after the other: organizations are served at the same time. */
  limitWrites: LimitFunction;
}

/** One run whose slices are asked for by workers; its steps are those of a run of one process. @throws AnswerlakeError configuration, storage, locked; the signal's reason until the keys are validated */
export async function runThroughWorkers(request: SyncRequest, parts: QueuedRunParts): Promise<RunReport> {
  const { context, presence, intake, connection, limitWrites } = parts;
  const { config, effects, signal } = context;
  const startedAt = effects.now();
  await using clients = openClients({
    context,
    maxWaitMs: request.maxWaitMs,
    initialQuotas: quotasOf(await readQuotas(connection), config.api.baseUrl),
  });
  await presence.show({ detail: () => ({ ...intake.counts(), parked: clients.parked() }) });
  const reached = await reachProjects({ config, clients, wanted: request.projects, signal });
  await presence.show({ detail: () => intake.counts() });
  signal.throwIfAborted();
  const maxWaitMs = Math.max(0, request.maxWaitMs - (effects.now() - startedAt));
  const dispatcher = openRoundDispatcher({ ...context, ...parts, clients });
  const { dispatch, totals, warnings } = dispatcher;
  const asked = { of: clients.of, quotas: clients.quotas, totals, warnings };
  const options = { request, context, connection, clients: asked, reached, startedAt };
  const prepared = await enterRun(await prepareRun(options));
  const probed = await readGoodProbes(connection, prepared.run.run);
  // With a key whose hour is not used up, if there is one.
  const parked = new Set(clients.parked().map(([organization]) => organization));
  const free = reached.accounts.filter((account) => !parked.has(organizationOf(account)));
  const listers = [...free, ...reached.accounts];
  const shared = { dispatch, limitWrites, probed, maxWaitMs, listers };
  const steps = runStages(prepared, (run, ask, planning) =>
    askOrganizations(run, { ...shared, ask }, planning),
  );
  return await runToEnd(prepared.run, steps);
}

type AskOptions = Omit<OrganizationAskerRequest, 'organization' | 'run' | 'onLoaded'> & {
  ask: AskJobs;
  /** The first of them asks for the lists of the run. */
  listers: readonly Account[];
};

/** Runs the stages of all organizations at the same time: one that waits for its quota does not delay the others. */
async function* askOrganizations(run: OpenRun, options: AskOptions, planning: KnownPlanning) {
  const { ask: askHere, listers, ...shared } = options;
  const { connection, clients } = run;
  const { reached, coverage } = planning;
  await pushValidations(run, reached);
  // All organizations are planned from the lists of the run.
  const lists = planning.plans.filter(({ endpoint }) => endpoint.askedPer === 'run');
  const problems = await askHere(keyLists({ plans: lists, coverage }, listers));
  const steps: Step[] = [{ results: await run.queue.drain(), problems }];
  const plans = planning.plans.filter((plan) => !lists.includes(plan));
  const broken = new AbortController();
  const signal = AbortSignal.any([run.signal, broken.signal]);
  const groups = byOrganization(reached);
  const projectIds = reached.projects.map(({ projectId }) => projectId);
  const readAll = (): Promise<Mention[]> => shared.limitWrites(() => readMentions(run, planning, projectIds));
  const mentions = sharedMentions(groups.keys(), readAll);
  const early = earlyPublish(run, shared.limitWrites);
  await Promise.all(
    [...groups].map(async ([organization, own]) => {
      const quotas = new Map([...clients.quotas].filter(([name]) => name === organization));
      const ofOrganization = { ...run, clients: { ...clients, quotas }, signal };
      const ask = organizationAsker({
        ...shared,
        organization,
        run: ofOrganization,
        onLoaded: (results) => void steps.push({ results }),
      });
      const mentionsOf = async (): Promise<Mention[]> => {
        mentions.arrive(organization);
        early.soon();
        return await mentions.read();
      };
      try {
        // Plans on a connection of its own, so that no transaction of another organization is under way there.
        using another = await connection.another();
        for await (const step of askStages({ ...ofOrganization, connection: another }, ask, {
          ...planning,
          plans,
          reached: own,
          mentionsOf,
        }))
          steps.push(step);
        early.soon();
      } catch (error) {
        broken.abort(error);
      } finally {
        mentions.arrive(organization);
      }
    }),
  );
  await early.stop();
  yield* steps;
  broken.signal.throwIfAborted();
}

/** The look-ups of a run have one limit, as in one process: what to look up is read once, when all organizations have loaded what mentions them. */
function sharedMentions(organizations: Iterable<string>, read: () => Promise<Mention[]>) {
  const awaited = new Set(organizations);
  let open = (): void => undefined;
  const haveAllArrived = new Promise<void>((resolve) => (open = resolve));
  let mentions: Promise<Mention[]> | null = null;
  return {
    /** The organization has loaded its series, or ends without them. */
    arrive: (organization: string): void => {
      awaited.delete(organization);
      if (awaited.size === 0) open();
    },
    read: (): Promise<Mention[]> => (mentions ??= haveAllArrived.then(read)),
  };
}

/** Publishes organizations that have ended, within `queue.publish_every`, while others are still asked or wait for their hour. */
function earlyPublish(run: OpenRun, limitWrites: LimitFunction) {
  const { config, effects, connection, log } = run;
  const over = new AbortController();
  let isDue = false;
  const publish = async (): Promise<never> => {
    for (;;) {
      await effects.sleep(config.queue.publishEvery, over.signal);
      if (!isDue) continue;
      isDue = false;
      await limitWrites(() => publishChanged(connection, run))
        // The end of the run publishes again and reports the failure.
        .catch((error: unknown) => log.warn('loader.not_published', { reason: messageOf(error) }));
    }
  };
  const publishing = publish().catch(() => undefined);
  return {
    soon: (): void => void (isDue = true),
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
