import type { Zone } from '../landing/zone.ts';
import { SameAnswers } from '../../believe/same-answers.ts';
import type { PreparedAnswer } from '../../load/prepare-answer.ts';
import { warehouseId, newRunId } from '../../load/load-run.ts';
import { nextSequence } from '../../run/run-record.ts';
import { readSeenQuotas, readOrganizations } from '../../run/quotas.ts';
import type { Jobs } from '../queue/jobs.ts';
import { enterRun, prepareRun, type RunContext } from '../../run/run-context.ts';
import type { Step } from '../../run/outcome.ts';
import { askStages, runStages } from '../../run/stages.ts';
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
  const runId = newRunId(startedAt);
  const { baseUrl } = config.api;
  const clients = remoteClients(await readSeenQuotas(connection, baseUrl));
  const dispatcher = new RoundDispatcher({ jobs, intake, clients, effects, signal });
  const { reached, syncDay, landed, waitLeftMs } = await validateThroughWorkers({
    dispatcher,
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
    // The day under which the parts of the validations were landed.
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
  context: RunContext,
  reached: Reached,
  options: AskOptions,
): AsyncGenerator<Step> {
  const { connectionLock } = options;
  const broken = new AbortController();
  const signal = AbortSignal.any([context.signal, broken.signal]);
  const steps: Step[] = [];
  const asked = await Promise.allSettled(
    [...byOrganization(reached)].map(async ([organization, own]) => {
      const results = new LoadedResults();
      const shared = { ...context, signal, queue: results };
      const asker = new OrganizationAsker({ ...options, organization, context: shared, results });
      await connectionLock.acquire();
      try {
        for await (const step of askStages({ ...shared, asker }, own)) steps.push(step);
        steps.push({ results: results.takeLoaded(), problems: [] });
      } catch (error) {
        broken.abort(error);
        throw error;
      } finally {
        connectionLock.release();
      }
    }),
  );
  yield* steps;
  const failed = asked.find((one) => one.status === 'rejected');
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
