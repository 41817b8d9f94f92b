import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../src/config/config.ts';
import { toDay } from '../../src/day.ts';
import type { Effects } from '../../src/effects.ts';
import { silentLog, type Log } from '../../src/log.ts';
import { secretOf } from '../../src/secret.ts';
import type { SimulatorOptions } from '../../simulator/options.ts';
import { startSimulator, type Simulator } from '../../simulator/simulator.ts';
import { runSync } from '../../src/run/sync.ts';
import { planSync, type SyncPlan } from '../../src/run/plan-sync.ts';
import {
  syncRequest,
  type RunReport,
  type SyncContext,
  type SyncRequest,
} from '../../src/run/sync-request.ts';
import { workingPath } from '../../src/warehouse/working-file.ts';
import { FileReader, rowsOfFile } from '../support/file-reader.ts';
import { makeFolder } from '../support/folder.ts';
import { prepareWorkingFile } from '../support/made-once.ts';
import { virtualEffects } from '../support/virtual-effects.ts';
import { runUnpublished, type UnpublishedRun } from './unpublished.ts';

export interface RigOptions extends Omit<SimulatorOptions, 'today'> {
  today: string;
  startDate: string;
  key?: string;
  /** Changes of the configuration. */
  change?: (config: Config) => Config;
  log?: Log;
  /** Leaves it to the first run to create the working file. */
  isNew?: boolean;
}

/** Simulator over real HTTP, configuration and a real file in a folder of its own. */
export interface Rig extends AsyncDisposable {
  simulator: Simulator;
  folder: string;
  config: Config;
  effects: Effects;
  context: SyncContext;
  sync(request?: Partial<SyncRequest>, signal?: AbortSignal): Promise<RunReport>;
  /** The same run, not published. */
  pull(request?: Partial<SyncRequest>): Promise<UnpublishedRun>;
  plan(request: Partial<SyncRequest>, isOffline?: boolean): Promise<SyncPlan>;
  /** Reads the published file. */
  rows(sql: string): Promise<Record<string, unknown>[]>;
  workingRows(sql: string): Promise<Record<string, unknown>[]>;
}

const REQUEST = syncRequest({ maxWaitMs: 0 });

export async function openRig(options: RigOptions): Promise<Rig> {
  const { today, startDate, key, change, log, isNew = false, ...simulated } = options;
  const effects = virtualEffects(Date.parse(`${today}T03:00:00Z`));
  const simulator = await startSimulator({ now: effects.now, ...simulated, today: toDay(today) });
  const folder = makeFolder();
  const plain = configuration({
    folder,
    baseUrl: simulator.url,
    startDate,
    key: key ?? keyOf(simulated.world),
  });
  const config = change === undefined ? plain : change(plain);
  if (!isNew) await prepareWorkingFile(config.warehouse.path);
  const published = new FileReader(config.warehouse.path);
  const signal = new AbortController().signal;
  const context = { config, effects, log: log ?? silentLog, signal, version: '0.0.0' };
  return {
    simulator,
    folder,
    config,
    effects,
    context,
    sync: async (request = {}, signal = new AbortController().signal) => {
      published.close();
      await catchUp(effects, simulator);
      return await runSync({ ...REQUEST, today: simulator.today, ...request }, { ...context, signal });
    },
    pull: async (request = {}) => {
      await catchUp(effects, simulator);
      return await runUnpublished({ ...REQUEST, today: simulator.today, ...request }, context);
    },
    plan: async (request, isOffline = true) =>
      await planSync({ ...REQUEST, today: simulator.today, ...request }, context, isOffline),
    rows: (sql) => published.rows(sql),
    workingRows: async (sql) => await rowsOfFile(workingPath(config.warehouse.path), sql),
    [Symbol.asyncDispose]: async () => {
      published.close();
      await simulator.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A world that moved on to another day takes the clock along. */
async function catchUp(effects: Effects, { today }: Simulator): Promise<void> {
  const morning = Date.parse(`${today}T03:00:00Z`);
  if (effects.now() < morning) await effects.sleep(morning - effects.now());
}

function keyOf(world: SimulatorOptions['world']): string {
  return `${typeof world === 'string' ? world : 'demo'}-organization-key`;
}

function configuration(parts: { folder: string; baseUrl: string; startDate: string; key: string }): Config {
  const fine = ['project', 'model', 'monitor'] as const;
  return {
    path: join(parts.folder, 'answerlake.yaml'),
    directory: parts.folder,
    api: {
      baseUrl: parts.baseUrl,
      endDate: 'inclusive',
      requestsPerMinute: 0,
      reserveQuota: 0.1,
      concurrency: 8,
      timeoutMs: 10_000,
      attempts: 5,
      maxBodyBytes: 64 * 1024 * 1024,
    },
    accounts: [{ name: 'acme', apiKey: secretOf('env:ACME_API_KEY', parts.key), projects: 'all' }],
    sync: {
      startDate: toDay(parts.startDate),
      lookbackDays: 7,
      scopes: { visibility: fine, sentiment: fine, share_of_voice: fine },
      grains: ['day'],
      windows: ['month', 'last_28_days'],
      landingPages: [],
      timezone: 'UTC',
      maxPromptLookups: 25,
      endpoints: {},
    },
    warehouse: {
      target: 'duckdb',
      url: null,
      lake: null,
      path: join(parts.folder, 'data', 'answers.duckdb'),
      storageVersion: 'v1.0.0',
      mode: 0o444,
    },
    raw: { dir: join(parts.folder, 'data', 'raw'), keepDays: 400 },
    queue: { url: null, publishEvery: 60_000 },
    landing: join(parts.folder, 'data', 'landing'),
    http: { host: '127.0.0.1', port: 0 },
    notify: { webhook: null },
    report: { title: 'AI answer visibility', logo: null },
    targets: [],
    jobsDir: join(parts.folder, 'jobs'),
  };
}
