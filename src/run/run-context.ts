import { z } from 'zod';
import type { Clients } from '../extract/clients.ts';
import { listedOf, refuseUnknown, type Reached } from '../extract/reach-projects.ts';
import { Loader } from '../load/loader.ts';
import { type LoadRun, newRunId, viewSettings } from '../load/load-run.ts';
import { MAX_AGE_HOURS } from '../warehouse/freshness.ts';
import { writeSettings } from '../warehouse/tables.ts';
import { RawArchive } from '../load/raw-archive.ts';
import type { Connection } from '../warehouse/connection.ts';
import { type OutcomeSink, SliceAsker } from './ask.ts';
import type { CoverageQuestion } from '../plan/coverage.ts';
import type { Mention, SliceJob } from '../plan/owed.ts';
import { recallLostEnds, writeJournal } from './journal.ts';
import { warnOfOtherKeys } from './stored-projects.ts';
import { Backlog } from './backlog.ts';
import { Prober } from '../check/prober.ts';
import * as taught from './taught.ts';
import { Progress } from './progress.ts';
import * as runRecord from './run-record.ts';
import { selectRun, correctionMs, serverDay, type EndpointPlan } from '../plan/selection.ts';
import { logResult, resultOf, type SliceResult } from './outcome.ts';
import type { SyncContext, SyncRequest } from './sync-request.ts';

/** What a run reads from its clients, or from the workers that replace them. */
export interface RunClients {
  quotas: Clients['quotas'];
  totals: Clients['totals'];
  /** Clients of workers. */
  warnings?: () => string[];
}

/** One run: what it was asked for, where it writes, and how it ends. */
export interface OpenRun extends SyncContext {
  request: SyncRequest;
  run: LoadRun;
  connection: Connection;
  clients: RunClients;
  /** Null for a plan, which archives no bodies. */
  archive: RawArchive | null;
  queue: OutcomeQueue;
  progress: Progress;
  /** Milliseconds since the epoch, by the server's clock if this machine's is wrong. */
  now: () => number;
}

/** Sends outcomes on their way into the warehouse. */
export interface OutcomeQueue extends Pick<OutcomeSink, 'push'> {
  /** Waits until all pushed outcomes are committed; returns the results since the last call. @throws what broke the writer */
  drain(): Promise<SliceResult[]>;
  /** The results since the last call, without waiting for more. */
  takeLoaded(): SliceResult[];
}

/** The input of planning. */
export interface Planning {
  reached: Reached;
  plans: readonly EndpointPlan[];
  question: CoverageQuestion;
  /** Chooses the look-ups of some projects when several askers share the run's limit; left out: this one has all of it. */
  mentionsOf?: (projectIds: readonly string[]) => Promise<readonly Mention[]>;
}

/** `sync`, `plan` and the loader prepare a run alike. */
export type PreparedRun = Awaited<ReturnType<typeof prepareRun>>;

export interface PrepareOptions {
  request: SyncRequest;
  context: SyncContext;
  connection: Connection;
  clients: RunClients & { of: Clients['of'] };
  /** The validations determine the sync day, so they precede everything that depends on it. `wanted`: ids of the requested projects. */
  reached: Reached & { wanted: readonly string[] | null };
  /** By this machine's clock. */
  startedAt: number;
  notices?: readonly string[];
  /** A plan archives no bodies. */
  isPlan?: boolean;
}

/** Fixes the request of a run, and opens its clients and its loader. @throws AnswerlakeError configuration, storage */
export async function prepareRun(options: PrepareOptions) {
  const { context, connection, clients, reached, notices = [], isPlan = false } = options;
  refuseUnknown(reached, options.request);
  const request = { ...options.request, projects: reached.wanted };
  const { effects, log } = context;
  const correction = correctionMs(reached.serverAheadMs);
  const startedAt = options.startedAt + correction;
  const { day, warning } = serverDay(effects.now(), reached.serverAheadMs);
  const config = await taught.asTaught(context.config, connection, request.today ?? day);
  const { today, range, plans, lookbackDays, chainOnly } = selectRun(config, request, day);
  const asked = plans.map(({ endpoint }) => endpoint);
  if (!isPlan) await taught.noteFirstAsked(connection, asked, today);
  const { acceptShrink, full } = request;
  const run: LoadRun = {
    runId: isPlan ? 'plan' : newRunId(startedAt),
    ...(await runRecord.nextNumber(connection, config)),
    startedAt,
    syncDay: today,
    clockDay: day,
    baseUrl: config.api.baseUrl,
    instants: config.api.instants,
    lookbackDays: config.sync.lookbackDays,
    acceptShrink,
    acceptScale: acceptShrink && full,
    isWitness: chainOnly || lookbackDays >= config.sync.lookbackDays,
  };
  if (warning !== null)
    log.warn(reached.serverAheadMs === null ? 'clock.untold' : 'clock.skewed', {
      run: run.runId,
      reason: warning,
    });
  const organizations = reached.accounts.map((one) => ({ account: one.config.name, id: one.organizationId }));
  const changes = [
    ...(await runRecord.changedSettings(connection, config)),
    ...(await warnOfOtherKeys(connection, config, { organizations, listed: reached.listed })),
  ];
  // When the warehouse can no longer be written, requests stop too.
  const broken = new AbortController();
  const progress = new Progress(context.onProgress);
  const archive = isPlan ? null : new RawArchive(config.raw.dir, run);
  const loader = new Loader({ connection, run, archive });
  const signal = AbortSignal.any([context.signal, broken.signal]);
  const loaded: SliceResult[] = [];
  const backlog = new Backlog({
    writer: {
      prepare: (outcome) => loader.prepare(outcome),
      write: async (prepared) => {
        for (const result of (await loader.commit(prepared)).map(resultOf)) {
          loaded.push(result);
          logResult(log, run.runId, result);
          progress.loaded(clients, result);
        }
      },
    },
    prober: new Prober({ config, log, signal, clients, accounts: reached.accounts }),
    signal,
    projects: reached.projects.length,
    probed: await taught.readProbes(connection, run),
    onBroken: (error) => broken.abort(error),
  });
  const queue: OutcomeQueue = {
    push: (outcome) => backlog.push(outcome),
    takeLoaded: () => loaded.splice(0),
    drain: async () => {
      await taught.writeProbes(connection, run, await backlog.drain());
      await taught.writeTaughtLengths(connection, { config, run }, asker.lengths);
      return loaded.splice(0);
    },
  };
  const asker = new SliceAsker({ config, effects, log, signal, run, clients, progress, sink: backlog });
  const question: CoverageQuestion = {
    today,
    lookbackDays,
    asksForOld: lookbackDays > config.sync.lookbackDays,
    chain: await runRecord.unfinishedRuns(connection, runRecord.selectionOf(request), today),
    chainOnly,
    range,
    asked: plans,
  };
  const now = (): number => effects.now() + correction;
  const open = { ...context, config, request, run, connection, clients, archive, queue, progress, now };
  return {
    run: open as OpenRun,
    ask: (jobs: readonly SliceJob[]) => asker.ask(jobs),
    planning: { reached, plans, question } as Planning,
    /** Warnings from before the first step. */
    notices: [...notices, ...(warning === null ? [] : [warning]), ...changes],
  };
}

/** Enters a prepared run in `meta.runs`, the journal and the settings that views read. @param selection defaults to the request's @throws AnswerlakeError (storage) */
export async function enterRun(prepared: PreparedRun, selection?: string): Promise<PreparedRun> {
  const { run: context, planning, notices } = prepared;
  const { request, config, version, connection, run } = context;
  const { question, reached } = planning;
  const newest = 'select base_url from meta.runs where base_url is not null order by sequence desc limit 1';
  const before = await connection.value(z.string(), newest);
  await recallLostEnds(connection, config.warehouse.path);
  await runRecord.startRun(connection, run, {
    job: request.job,
    selection: selection ?? runRecord.selectionOf(request),
    lookback_days: question.lookbackDays,
    version,
  });
  await writeJournal(connection, context);
  const ages = context.maxAges?.();
  const named = [
    ...[...listedOf(reached)].map((id) => [runRecord.LISTED + id, 'true']),
    ...[...(ages ?? [])].map(([key, hours]) => [MAX_AGE_HOURS + key, String(hours)]),
  ];
  const instead = [
    ...(reached.listed === null ? [] : [runRecord.LISTED]),
    ...(ages === undefined ? [] : [MAX_AGE_HOURS]),
  ];
  await writeSettings(
    connection,
    { ...viewSettings(config, run), ...Object.fromEntries(named) },
    { instead },
  );
  if (before === undefined || before === run.baseUrl) return prepared;
  const isOther = `api.base_url is ${run.baseUrl}, and the run before asked ${before}: figures of both are in one warehouse`;
  return { ...prepared, notices: [...notices, isOther] };
}
