import type { Clients } from '../extract/clients.ts';
import type { Reached } from '../extract/reach-projects.ts';
import type { Config } from '../config/config.ts';
import type { DayRange } from '../day.ts';
import type { Effects } from '../effects.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import type { Quota } from '../extract/quota.ts';
import { Loader } from '../load/loader.ts';
import type { LoadRun } from '../load/load-run.ts';
import type { RawArchive } from '../load/raw-archive.ts';
import type { Log } from '../log.ts';
import type { SliceTarget } from '../slice.ts';
import type { Connection } from '../warehouse/connection.ts';
import { withMoreMemory } from '../warehouse/more-memory.ts';
import { SliceAsker, type JobAsker } from './ask.ts';
import type { CoverageQuestion } from './ledger-state.ts';
import { LoadQueue, type OutcomeQueue } from './load-queue.ts';
import { memoryLimit } from './memory.ts';
import { Progress } from './progress.ts';
import { filtersLetGo } from './refused-filters.ts';
import { endpointPlan, type Selected } from './selection.ts';
import { logResult } from './slice-result.ts';
import type { SyncContext, SyncRequest } from './sync-request.ts';

/** What pulling needs. A plan pulls too, with an asker that asks only for lists and a warehouse in memory. */
export interface Pulling {
  config: Config;
  effects: Effects;
  log: Log;
  signal: AbortSignal;
  run: LoadRun;
  endpoints: readonly Endpoint[];
  /** Days to hold. */
  range: DayRange;
  question: CoverageQuestion;
  /** Filters that the server refused on several days and that are not asked any more. */
  isLetGo: (target: SliceTarget) => boolean;
  connection: Connection;
  quotas: ReadonlyMap<string, Pick<Quota, 'snapshot'>>;
  /** Projects that the run was asked for; null: all. */
  projects: readonly string[] | null;
  reached: Reached;
  /** Warnings from before the first step. */
  notices: readonly string[];
  asker: JobAsker;
  queue: OutcomeQueue;
  progress: Progress;
}

export interface PullingParts {
  request: SyncRequest;
  context: SyncContext;
  connection: Connection;
  selected: Selected;
  /** Runs that this one continues. */
  chain: readonly string[];
  run: Pulling['run'];
  /** Null when bodies are not kept. */
  archive: RawArchive | null;
  clients: Clients;
  reached: Reached;
  notices: readonly string[];
}

/** Wires the asker and the loader to what they share. */
export async function pullingOf(parts: PullingParts): Promise<Pulling> {
  const { request, context, connection, selected, chain, run, archive, clients } = parts;
  const { reached, notices } = parts;
  const { config, effects, log } = context;
  const { today, range, endpoints, lookbackDays, chainOnly } = selected;
  const isLonger = lookbackDays > config.sync.lookbackDays;
  // When the warehouse can no longer be written, asking stops too.
  const stop = new AbortController();
  const signal = AbortSignal.any([context.signal, stop.signal]);
  const progress = new Progress(context.onProgress);
  const attempt = <T>(work: () => Promise<T>): Promise<T> => withMoreMemory(connection, memoryLimit(), work);
  const queue = new LoadQueue({
    loader: new Loader({
      connection,
      run,
      archive,
      attempt,
      projects: reached.projects.map(({ projectId }) => projectId),
    }),
    onLoaded: (result) => {
      logResult(log, run.runId, result);
      progress.loaded(clients);
    },
    onBroken: (error) => stop.abort(error),
  });
  return {
    config,
    effects,
    log,
    signal,
    run,
    endpoints,
    range,
    question: {
      today,
      lookbackDays,
      asksForOld: isLonger,
      chain,
      chainOnly,
      asked: endpoints.map((endpoint) => {
        const { askedWith, limit } = endpointPlan(config, endpoint);
        return { endpoint: endpoint.name, askedWith, limit };
      }),
    },
    isLetGo: isLonger ? () => false : await filtersLetGo(connection),
    connection,
    quotas: clients.quotas,
    projects: request.projects,
    reached,
    notices,
    asker: new SliceAsker({ config, effects, log, signal, run, clients, progress, sink: queue }),
    queue,
    progress,
  };
}
