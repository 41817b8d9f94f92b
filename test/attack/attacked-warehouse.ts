import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../src/config/config.ts';
import { catalogue } from '../../src/endpoints/catalogue.ts';
import { AnswerlakeError } from '../../src/errors.ts';
import { openLog } from '../../src/log.ts';
import { secretOf } from '../../src/secret.ts';
import { runSync } from '../../src/run/sync.ts';
import { syncRequest, type SyncContext, type SyncRequest } from '../../src/run/sync-request.ts';
import { workingPath } from '../../src/warehouse/working-file.ts';
import { openRig } from '../flow/rig.ts';
import { runUnpublished, type UnpublishedRun } from '../flow/unpublished.ts';
import { virtualEffects } from '../support/virtual-effects.ts';
import { openAlteringProxy, type AlteringProxy, type AppliedStrike, type Strike } from './altering-proxy.ts';
import { dayOfNight, FIRST_NIGHT, KEY, openAttackedApi, START, type AttackedApi } from './attacked-api.ts';
import { keyFoundIn } from './key-search.ts';
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
  /** Where the key was found. */
  leaks: readonly string[];
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
      const lines: string[] = [];
      const destination = { write: (line: string) => void lines.push(line) };
      const secrets = config.accounts.map(({ apiKey }) => apiKey);
      const log = openLog({ level: 'debug', quiet: false, secrets, destination });
      const context = { config, effects, log, signal, version: '0.0.0' };
      const isPublished = night.isPublished === true;
      const end = await (isPublished ? runPublished : runUnpublished)(requestOf(night), context).catch(
        notBegun,
      );
      const path = config.warehouse.path;
      const picture = await pictureOf(isPublished ? path : workingPath(path), {
        runId: end.runId,
        endpoints: night.endpoints ?? catalogue.map(({ name }) => name),
      });
      return {
        exitCode: end.exitCode,
        failures: end.failures,
        requests: new Map(proxy.requests),
        applied: [...proxy.applied],
        picture,
        leaks: keyFoundIn(KEY, {
          lines,
          archive: join(config.raw.dir, dayOfNight(night.number)),
          files: [workingPath(path), ...(isPublished ? [path] : [])],
        }),
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

/** A run that could not begin has touched nothing. */
function notBegun(error: unknown): Pick<UnpublishedRun, 'runId' | 'exitCode' | 'failures'> {
  if (!(error instanceof AnswerlakeError)) throw error;
  return { runId: '', exitCode: error.exitCode, failures: [error.message] };
}

function requestOf({ number, endpoints }: Night): SyncRequest {
  return syncRequest({ maxWaitMs: 0, today: dayOfNight(number), endpoints });
}

async function runPublished(request: SyncRequest, context: SyncContext): Promise<UnpublishedRun> {
  const report = await runSync(request, context);
  return {
    runId: report.run_id,
    exitCode: report.exit_code,
    failures: report.failures.map(({ message }) => message),
    requests: report.requests,
    retries: report.retries,
    totals: report,
  };
}
