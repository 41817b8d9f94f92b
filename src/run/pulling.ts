import type { Clients } from '../accounts/clients.ts';
import type { Reached } from '../accounts/reach-projects.ts';
import type { Config } from '../config/config.ts';
import type { DayRange } from '../day.ts';
import type { Effects } from '../effects.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import type { Quota } from '../extract/quota.ts';
import { endpointNamed } from '../endpoints/catalogue.ts';
import { askedPaths } from '../endpoints/asked-path.ts';
import { EndDays } from '../load/end-days.ts';
import { Loader } from '../load/loader.ts';
import type { Learned } from '../load/learned.ts';
import type { LoadRun } from '../load/load-run.ts';
import type { RawArchive } from '../load/raw-archive.ts';
import type { Log } from '../log.ts';
import type { Connection } from '../warehouse/connection.ts';
import { withMoreMemory } from '../warehouse/more-memory.ts';
import { SliceAsker, type JobAsker } from './ask.ts';
import type { CoverageQuestion } from './ledger-state.ts';
import { LoadQueue, type OutcomeQueue } from './load-queue.ts';
import { memoryLimit } from './memory.ts';
import { Progress } from './progress.ts';
import type { Selected } from './selection.ts';
import { logResult } from './slice-result.ts';
import type { SyncContext, SyncRequest } from './sync-request.ts';
import { LongestWindows } from './longest-windows.ts';

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
  question: Omit<CoverageQuestion, 'leavingOut'>;
  connection: Connection;
  longest: LongestWindows;
  /** Whether `endDate` counts. */
  ends: EndDays;
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
  learned: Learned;
  clients: Clients;
  reached: Reached;
  notices: readonly string[];
}

/** Wires the asker and the loader to what they share. */
export function pullingOf(parts: PullingParts): Pulling {
  const { request, context, connection, selected, chain, run, archive, learned, clients } = parts;
  const { reached, notices } = parts;
  const { config, effects, log } = context;
  const { today, range, endpoints, lookbackDays, chainOnly } = selected;
  // When the warehouse can no longer be written, asking stops too.
  const stop = new AbortController();
  const signal = AbortSignal.any([context.signal, stop.signal]);
  // What the configuration says outranks what was learned; whole windows cannot be cut, so it says nothing of them.
  const longest = new LongestWindows(
    new Map(
      [...learned.windows].filter(
        ([name]) =>
          config.sync.endpoints[name]?.maxWindowDays === undefined ||
          endpointNamed(name).cut.kind === 'window',
      ),
    ),
  );
  const ends = new EndDays(learned.endDays, askedPaths(config.sync.endpoints));
  const progress = new Progress(context.onProgress);
  const attempt = <T>(work: () => Promise<T>): Promise<T> => withMoreMemory(connection, memoryLimit(), work);
  const queue = new LoadQueue({
    loader: new Loader({ connection, run, archive, ends, attempt }),
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
    question: { today, lookbackDays, chain, chainOnly },
    connection,
    longest,
    ends,
    quotas: clients.quotas,
    projects: request.projects,
    reached,
    notices,
    asker: new SliceAsker({ config, effects, log, signal, run, clients, longest, progress, sink: queue }),
    queue,
    progress,
  };
}
