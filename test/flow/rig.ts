import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Config } from '../../src/config/config.ts';
import { loadConfig } from '../../src/config/file.ts';
import { toDay } from '../../src/day.ts';
import { silentLog, type Log } from '../../src/log.ts';
import type { SimulatorOptions } from '../../simulator/options.ts';
import type { OverrideHandler } from '../../simulator/overrides.ts';
import { startSimulator } from '../../simulator/simulator.ts';
import type { Step } from '../../src/run/outcome.ts';
import { runStages } from '../../src/run/stages.ts';
import { runToEnd } from '../../src/run/run-to-end.ts';
import { runSync, withOpenRun } from '../../src/run/sync.ts';
import { planSync, type SyncPlan } from '../../src/run/plan-sync.ts';
import { syncRequest } from '../../src/run/sync-request.ts';
import type { RunReport } from '../../src/run/run-to-end.ts';
import type { SyncContext, SyncRequest } from '../../src/run/sync-request.ts';
import { secretOf } from '../../src/secret.ts';
import { workingPath } from '../../src/warehouse/working-file.ts';
import { contentHashes } from '../support/content-hash.ts';
import { FileReader, rowsOfFile } from '../support/file-reader.ts';
import { makeFolder } from '../support/folder.ts';
import { prepareWorkingFile } from '../support/made-once.ts';
import { virtualEffects } from '../support/virtual-effects.ts';

export interface RigOptions extends Omit<SimulatorOptions, 'today'> {
  today: string;
  startDate: string;
  key?: string;
  /** Changes of the configuration. */
  change?: (config: Config) => Config;
  log?: Log;
  /** Files of endpoints of one's own, by name. */
  own?: Readonly<Record<string, string>>;
  /** Leaves it to the first run to create the working file. */
  isNew?: boolean;
}

/** A world of one project. */
export const SMALL = { world: 'small', today: '2026-07-14', startDate: '2026-07-05' } as const;
export const JULY = { ...SMALL, startDate: '2026-06-20' } as const;
/** Without the series of models and monitors. */
export const PROJECT_ONLY = { ...JULY, change: withSync({ scopes: {} }) } as const;

export function withSync(changed: Partial<Config['sync']>): (config: Config) => Config {
  return (config) => ({ ...config, sync: { ...config.sync, ...changed } });
}

/** Accounts by name, each with its key. */
export function withKeys(keys: Readonly<Record<string, string>>): (config: Config) => Config {
  const accounts = Object.entries(keys).map(
    ([name, key]) => ({ name, apiKey: secretOf('env:KEY', key), projects: 'all', except: [] }) as const,
  );
  return (config) => ({ ...config, accounts });
}

const REQUEST = syncRequest({ maxWaitMs: 0 });
type Asked = Partial<SyncRequest>;
type Query = Record<string, string>;

/** Simulator over real HTTP, configuration and a real file in a folder of its own. */
export type Rig = Awaited<ReturnType<typeof openRig>>;

export async function openRig(options: RigOptions) {
  const { change = (plain) => plain, isNew = false, own = {}, ...rest } = options;
  const { today, startDate, key, log, ...simulated } = rest;
  const effects = virtualEffects(Date.parse(`${today}T03:00:00Z`));
  const simulator = await startSimulator({ now: effects.now, ...simulated, today: toDay(today) });
  const folder = makeFolder();
  const config = change(
    configuration({ folder, own, baseUrl: simulator.url, startDate, key: key ?? keyOf(simulated.world) }),
  );
  if (!isNew) prepareWorkingFile(config.warehouse.path);
  const published = new FileReader(config.warehouse.path);
  const { signal } = new AbortController();
  const context: SyncContext = { config, effects, log: log ?? silentLog, signal, version: '0.0.0' };
  const altered = new Set<string>();
  let last: Asked = {};

  /** A world that moved on to another day takes the clock along. */
  async function begin(request: Asked): Promise<SyncRequest> {
    published.close();
    const morning = Date.parse(`${simulator.today}T03:00:00Z`);
    if (effects.now() < morning) await effects.sleep(morning - effects.now());
    return { ...REQUEST, today: simulator.today, ...request };
  }
  const sync = async (request: Asked = {}, stop = signal): Promise<RunReport> =>
    await runSync(await begin(request), { ...context, signal: stop });
  /** Replaces whole answers until `repair`; `undefined` leaves one unchanged. */
  const answer = (path: string, reply: OverrideHandler): void => {
    altered.add(path);
    simulator.override(path, reply);
  };
  const rows = (sql: string): Promise<Record<string, unknown>[]> => published.rows(sql);
  return {
    simulator,
    folder,
    config,
    effects,
    context,
    projectIds: simulator.world.projects.map(({ id }) => id),
    sync,
    /** The same run, not published. */
    pull: async (request: Asked = {}) => await runUnpublished(await begin(request), context),
    /** A run of another day; requests of the days before are forgotten. */
    night: async (day: string, request: Asked = {}): Promise<RunReport> => {
      simulator.setToday(toDay(day));
      simulator.resetRequests();
      last = request;
      return await sync(request);
    },
    plan: async (request: Asked, isOffline = true): Promise<SyncPlan> =>
      await planSync({ ...REQUEST, today: simulator.today, ...request }, context, isOffline),
    answer,
    /** Changes the bodies of answers to a path; `undefined` leaves a body unchanged. */
    alter: (path: string, changed: (body: unknown, query: Readonly<Query>) => unknown): void =>
      answer(path, (request, usual) => {
        if (usual.status !== 200) return undefined;
        const body = changed(structuredClone(usual.body), Object.fromEntries(request.query));
        return body === undefined ? undefined : { body };
      }),
    repair: (): void => {
      for (const path of altered) simulator.override(path, undefined);
      altered.clear();
    },
    /** Queries of the requests whose path ends with `path`. */
    asked: (path: string): readonly Query[] =>
      simulator.requests
        .filter((request) => request.path.endsWith(path))
        .map(({ query }) => Object.fromEntries(query)),
    /** Reads the published file. */
    rows,
    workingRows: async (sql: string) => await rowsOfFile(workingPath(config.warehouse.path), sql),
    /** A digest of each core table of the working file. */
    hashes: async () => await contentHashes(workingPath(config.warehouse.path)),
    /** The same, of run and time of change too. */
    wholeHashes: async () => await contentHashes(workingPath(config.warehouse.path), true),
    /** Gaps of the endpoints of the last night. */
    gaps: async () => {
      const asked = (last.endpoints ?? []).map((name) => `'${name}'`).join(', ');
      const which = asked === '' ? '' : ` where endpoint in (${asked})`;
      return await rows(`select endpoint, date, scope, status from detail.sync_gaps${which} order by all`);
    },
    /** Fails unless the tables equal those of a warehouse that is new tonight. */
    expectTruth: async (tables: readonly string[], changes: Partial<RigOptions> = {}): Promise<void> => {
      await using plain = await openRig({ ...options, ...changes, today: simulator.today });
      await plain.sync(last);
      for (const table of tables)
        expect(await contentOf(rows, table), table).toEqual(await contentOf(plain.rows, table));
    },
    [Symbol.asyncDispose]: async () => {
      published.close();
      await simulator.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The rows of a core table without the columns that name the run; `where`: some of them. */
export async function contentOf(
  rows: (sql: string) => Promise<Record<string, unknown>[]>,
  table: string,
  where = 'true',
): Promise<Record<string, unknown>[]> {
  return await rows(`select * exclude (_run_id, _changed_at) from core.${table} where ${where} order by all`);
}

/** A run that publishes nothing, because it seems to reach no project: publishing costs more than all else. */
export async function runUnpublished(request: SyncRequest, context: SyncContext): Promise<RunReport> {
  return await withOpenRun(request, context, (prepared) =>
    runToEnd(prepared.run, withoutProjects(runStages(prepared))),
  );
}

async function* withoutProjects(steps: AsyncIterable<Step>): AsyncGenerator<Step> {
  for await (const step of steps)
    yield step.reached === undefined ? step : { ...step, reached: { ...step.reached, projects: 0 } };
}

function keyOf(world: SimulatorOptions['world']): string {
  return `${typeof world === 'string' ? world : 'demo'}-organization-key`;
}

type Written = Pick<Rig, 'folder'> &
  Required<Pick<RigOptions, 'own' | 'startDate' | 'key'>> & { baseUrl: string };

/** What a configuration without further settings says, but for our own ceiling of requests. */
function configuration({ folder, own, baseUrl, startDate, key }: Written): Config {
  const path = join(folder, 'answerlake.yaml');
  if (Object.keys(own).length > 0) mkdirSync(join(folder, 'endpoints'), { recursive: true });
  for (const [name, text] of Object.entries(own))
    writeFileSync(join(folder, 'endpoints', `${name}.yaml`), text);
  writeFileSync(
    path,
    `version: 1
api: { base_url: '${baseUrl}', requests_per_minute: 0 }
accounts: [{ name: acme, api_key: env:ACME_API_KEY }]
sync: { start_date: ${startDate} }
`,
  );
  const config = loadConfig({ path, env: { ACME_API_KEY: key } });
  return { ...config, api: { ...config.api, timeoutMs: 10_000 } };
}
