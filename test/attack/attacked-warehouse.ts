import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../src/config/config.ts';
import { catalogue } from '../../src/endpoints/catalogue.ts';
import { silentLog } from '../../src/log.ts';
import { secretOf } from '../../src/secret.ts';
import { openRun } from '../../src/run/open-run.ts';
import { addStep, concludeRun, NOTHING_DONE, type Outcome, type RunEnd } from '../../src/run/outcome.ts';
import { pull } from '../../src/run/pull.ts';
import { finishRun } from '../../src/run/run-record.ts';
import { saveLearned } from '../../src/run/stages.ts';
import { runSync } from '../../src/run/sync.ts';
import { syncRequest, type SyncContext } from '../../src/run/sync-request.ts';
import { workingPath } from '../../src/warehouse/working-file.ts';
import { openRig, virtualEffects } from '../flow/rig.ts';
import { openAlteringProxy, type AlteringProxy, type AppliedStrike, type Strike } from './altering-proxy.ts';
import { dayOfNight, FIRST_NIGHT, KEY, openAttackedApi, START, type AttackedApi } from './attacked-api.ts';
import { pictureOf, type Picture } from './warehouse-picture.ts';

export interface Night {
  /** 0 loads the base. */
  number: number;
  seed: string;
  endpoints: readonly string[] | null;
  strikes: readonly Strike[];
  /** Publishes, and reads the published file. */
  isPublished?: boolean;
}

export interface NightReport {
  exitCode: number;
  failures: readonly string[];
  /** Requests by path. */
  requests: ReadonlyMap<string, number>;
  applied: readonly AppliedStrike[];
  picture: Picture;
}

/** A configuration and files in a folder of its own, behind an altering proxy. */
export interface AttackedWarehouse extends AsyncDisposable {
  readonly api: AttackedApi;
  readonly config: Config;
  readonly projectIds: readonly string[];
  run(night: Night): Promise<NightReport>;
  /** Keeps the files as they are now, for `restore`. */
  keep(): void;
  restore(): void;
}

const DAY_MS = 86_400_000;
const FIRST_MS = Date.parse(`${FIRST_NIGHT}T03:00:00Z`);

export async function openAttackedWarehouse(): Promise<AttackedWarehouse> {
  let effects = virtualEffects(FIRST_MS);
  const api = await openAttackedApi(() => effects.now());
  const proxy = await openAlteringProxy();
  const rig = await openRig({ world: 'empty', today: FIRST_NIGHT, startDate: START, isNew: true });
  const config = attackedConfig(rig.config, proxy);
  const data = join(rig.folder, 'data');
  return {
    api,
    config,
    projectIds: api.other.world.projects.map(({ id }) => id),
    run: async (night) => {
      effects = virtualEffects(FIRST_MS + night.number * DAY_MS);
      begin(proxy, api, night);
      const signal = new AbortController().signal;
      const context = { config, effects, log: silentLog, signal, version: '0.0.0' };
      const end = await (night.isPublished === true ? published : unpublished)(night, context);
      const path = config.warehouse.path;
      const picture = await pictureOf(end.isPublished ? path : workingPath(path), {
        runId: end.runId,
        endpoints: night.endpoints ?? catalogue.map(({ name }) => name),
      });
      return {
        exitCode: end.exitCode,
        failures: end.failures,
        requests: new Map(proxy.requests),
        applied: [...proxy.applied],
        picture,
      };
    },
    keep: () => cpSync(data, `${data}.kept`, { recursive: true }),
    restore: () => {
      rmSync(data, { recursive: true, force: true });
      cpSync(`${data}.kept`, data, { recursive: true });
    },
    [Symbol.asyncDispose]: async () => {
      await proxy[Symbol.asyncDispose]();
      await api[Symbol.asyncDispose]();
      await rig[Symbol.asyncDispose]();
    },
  };
}

function attackedConfig(plain: Config, proxy: AlteringProxy): Config {
  return {
    ...plain,
    // A drip or a hang costs this much real time; three tries show what five would.
    api: { ...plain.api, baseUrl: proxy.origin, timeoutMs: 500, attempts: 3, maxBodyBytes: 4 * 1024 * 1024 },
    accounts: [{ name: 'acme', apiKey: secretOf('env:ACME_API_KEY', KEY), projects: 'all' }],
    sync: {
      ...plain.sync,
      lookbackDays: 14,
      scopes: { visibility: ['project', 'model'], sentiment: ['project'], share_of_voice: ['project'] },
      windows: ['month', 'last_7_days'],
      endpoints: { brand_visibility: { limit: 40 } },
    },
  };
}

function begin(proxy: AlteringProxy, api: AttackedApi, { number, seed, strikes }: Night): void {
  const [tonight, before] = [api.nights[number], api.nights[Math.max(0, number - 1)]];
  if (tonight === undefined || before === undefined) throw new RangeError(`no night ${String(number)}`);
  proxy.begin({
    seed,
    strikes,
    upstream: { tonight: tonight.url, before: before.url, other: api.other.url },
  });
}

interface End {
  runId: string;
  exitCode: number;
  failures: readonly string[];
  isPublished: boolean;
}

function requestOf({ number, endpoints }: Night): Parameters<typeof runSync>[0] {
  return syncRequest({ maxWaitMs: 0, today: dayOfNight(number), endpoints });
}

async function published(night: Night, context: SyncContext): Promise<End> {
  const report = await runSync(requestOf(night), context);
  return {
    runId: report.run_id,
    exitCode: report.exit_code,
    failures: report.failures.map(({ message }) => message),
    isPublished: true,
  };
}

/** The same run without its last step, which costs more than all the others. */
async function unpublished(night: Night, context: SyncContext): Promise<End> {
  await using run = await openRun(requestOf(night), context);
  const { pulling, clients } = run;
  let outcome: Outcome = NOTHING_DONE;
  for await (const step of pull(pulling)) outcome = addStep(outcome, step);
  outcome = addStep(outcome, { results: await pulling.queue.drain(), problems: [] });
  await saveLearned(pulling);
  const end: RunEnd = concludeRun(outcome, { isStrict: false, signal: context.signal });
  await finishRun(pulling.connection, {
    ...end,
    runId: pulling.run.runId,
    ...clients.totals(),
    totals: outcome.totals,
    errorMessage: null,
    finishedAt: context.effects.now(),
  });
  return {
    runId: pulling.run.runId,
    exitCode: end.exitCode,
    failures: outcome.failures.map(({ message }) => message),
    isPublished: false,
  };
}
