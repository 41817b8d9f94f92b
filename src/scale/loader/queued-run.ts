import type { Zone } from '../landing/zone.ts';
import { SameAnswers } from '../../believe/same-answers.ts';
import type { PreparedAnswer } from '../../load/prepare-answer.ts';
import { warehouseId } from '../../load/settings.ts';
import { nextSequence } from '../../run/run-record.ts';
import { readSeenQuotas, readOrganizations } from '../../run/quotas.ts';
import type { Jobs } from '../queue/jobs.ts';
import { newRunId } from '../../load/load-run.ts';
import { enterRun, prepareRun, type RunContext } from '../../run/run-context.ts';
import type { Step } from '../../run/outcome.ts';
import { askStages, runStages } from '../../run/stages.ts';
import { runToEnd } from '../../run/sync.ts';
import type { RunReport, SyncContext, SyncRequest } from '../../run/sync-request.ts';
import type { Connection } from '../../warehouse/connection.ts';
import type { Intake } from './intake.ts';
import { LoadedResults, OrganizationAsker, type OrganizationAskerOptions } from './organization-asker.ts';
import { reachThroughWorkers } from './reach-through-workers.ts';
import { remoteClients, Rounds } from './rounds.ts';
import type { Turn } from './turn.ts';
import { unknownOrganization } from '../../extract/clients.ts';
import type { Reached } from '../../extract/reach-projects.ts';

export interface QueuedRunParts {
  context: SyncContext;
  jobs: Jobs;
  zone: Zone;
  intake: Intake;
  connection: Connection;
  turn: Turn;
}

/**
 * One run, asked by workers: the steps of a run of one process, with askers far away.
 * @throws AnswerlakeError configuration, transient when no worker could validate the keys, storage, locked
 */
export async function runThroughWorkers(request: SyncRequest, parts: QueuedRunParts): Promise<RunReport> {
  const { context, jobs, zone, intake, connection, turn } = parts;
  const { config, effects, log, signal } = context;
  const startedAt = effects.now();
  const runId = newRunId(startedAt);
  const { baseUrl } = config.api;
  const clients = remoteClients(await readSeenQuotas(connection, baseUrl));
  const rounds = new Rounds({ jobs, intake, clients, effects, signal });
  const { reached, syncDay, landed, waitLeftMs } = await reachThroughWorkers({
    rounds,
    request,
    run: {
      runId,
      sequence: await nextSequence(connection),
      warehouse: await warehouseId(connection),
      startedAt,
      baseUrl,
      acceptShrink: request.acceptShrink,
      lookbackDays: config.sync.lookbackDays,
    },
    clients,
    organizations: await readOrganizations(connection),
    config,
    effects,
    log,
    signal,
  });
  const prepared = await prepareRun({
    // The day that the parts of the validations stand under.
    request: { ...request, today: syncDay },
    context,
    connection,
    clients,
    reached,
    startedAt,
    runId,
  });
  const results = new LoadedResults();
  const run = { ...(await enterRun(prepared)), queue: results };
  const same = new SameAnswers<PreparedAnswer>();
  async function* steps(): AsyncGenerator<Step> {
    for (const prefix of landed) {
      const taken = await intake.take(prefix, same);
      clients.told(taken);
      results.add(taken.results);
    }
    const options = { rounds, turn, zone, same, maxWaitMs: waitLeftMs };
    yield* runStages(run, (all, own) => pullOrganizations(all, own, options));
  }
  return await runToEnd(run, steps());
}

type PullOptions = Pick<OrganizationAskerOptions, 'rounds' | 'turn' | 'zone' | 'same' | 'maxWaitMs'>;

/** The stages of every organization side by side: one that waits for its hour holds up no other. */
async function* pullOrganizations(
  context: RunContext,
  reached: Reached,
  options: PullOptions,
): AsyncGenerator<Step> {
  const { turn } = options;
  const broken = new AbortController();
  const signal = AbortSignal.any([context.signal, broken.signal]);
  const steps: Step[] = [];
  const pulled = await Promise.allSettled(
    [...byOrganization(reached)].map(async ([organization, own]) => {
      const results = new LoadedResults();
      const shared = { ...context, signal, queue: results };
      const asker = new OrganizationAsker({ ...options, organization, context: shared, results });
      await turn.take();
      try {
        for await (const step of askStages({ ...shared, asker }, own)) steps.push(step);
        steps.push({ results: results.takeLoaded(), problems: [] });
      } catch (error) {
        broken.abort(error);
        throw error;
      } finally {
        turn.give();
      }
    }),
  );
  yield* steps;
  const failed = pulled.find((one) => one.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
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
