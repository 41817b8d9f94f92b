import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../src/config/config.ts';
import { loadConfig } from '../../src/config/file.ts';
import { toDay } from '../../src/day.ts';
import type { Effects } from '../../src/effects.ts';
import { silentLog, type Log } from '../../src/log.ts';
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

/** What a configuration without further settings says, but for our own ceiling of requests. */
function configuration({ folder, baseUrl, startDate, key }: Record<string, string>): Config {
  const path = join(folder ?? '', 'answerlake.yaml');
  writeFileSync(
    path,
    `version: 1
api: { base_url: '${baseUrl ?? ''}', requests_per_minute: 0 }
accounts: [{ name: acme, api_key: env:ACME_API_KEY }]
sync: { start_date: ${startDate ?? ''} }
`,
  );
  const config = loadConfig({ path, env: { ACME_API_KEY: key ?? '' } });
  return { ...config, api: { ...config.api, timeoutMs: 10_000 } };
}
