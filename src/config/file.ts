import { readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import type { z } from 'zod';
import type { Config, EndpointSettings } from './config.ts';
import type { Secret } from '../secret.ts';
import type { EndpointFacts } from './endpoints.ts';
import { configSchema } from './schema.ts';
import { dayOf, toDay, type Day } from '../day.ts';
import { AnswerlakeError, messageOf } from '../errors.ts';
import { readSecret, secretReferenceProblem, unreadSecret } from '../secret.ts';
import { checkYaml, ConfigurationError } from './yaml-check.ts';
import { parseYaml } from './yaml-source.ts';

export interface ConfigRequest {
  /** Path of the file; relative ones start from the working directory. */
  path: string;
  env: Readonly<Record<string, string | undefined>>;
  /** What the endpoints can do; the caller knows the catalogue. */
  catalogue: readonly EndpointFacts[];
  /** The day that counts as today; the UTC day of the clock when left out. */
  today?: Day;
  /** `leave` for commands that send nothing: no key has to be there, and revealing one is an error. */
  secrets?: 'read' | 'leave';
}

/**
 * Reads and checks the configuration; touches nothing.
 * @throws ConfigurationError with every problem at once; AnswerlakeError 'configuration' when there is no file
 */
export function loadConfig(request: ConfigRequest): Config {
  const path = resolve(request.path);
  const file = shortPath(path);
  const source = parseYaml(readText(path, file), file);
  const directory = dirname(path);
  const checked = checkYaml(
    source,
    configSchema({
      today: request.today ?? dayOf(Date.now()),
      catalogue: request.catalogue,
      readSecret: (reference, rule) => {
        if (request.secrets === 'leave') {
          const problem = secretReferenceProblem(reference);
          return problem === undefined ? { secret: unreadSecret(reference) } : { problem };
        }
        const reading = readSecret(reference, { env: request.env, directory });
        const problem = 'secret' in reading ? rule?.(reading.secret.reveal()) : undefined;
        return problem === undefined ? reading : { problem };
      },
    }),
  );
  const problems = [...environmentProblems(request), ...('problems' in checked ? checked.problems : [])];
  if ('problems' in checked || problems.length > 0) {
    throw new ConfigurationError(problems.map((problem) => ({ file, ...problem })));
  }
  return normalise(checked.value, path);
}

/** All secrets of a configuration, for redaction. */
export function secretsOf(config: Config): Secret[] {
  const webhook = config.notify.webhook === null ? [] : [config.notify.webhook];
  return [...config.accounts.map((account) => account.apiKey), ...webhook];
}

function readText(path: string, file: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    const message = isMissing
      ? `There is no configuration at ${file}. Write one with answerlake init, or name one with --config FILE.`
      : `The configuration ${file} cannot be read: ${messageOf(error)}. Check the path and its permissions.`;
    throw new AnswerlakeError(message, { class: 'configuration', cause: error });
  }
}

function shortPath(path: string): string {
  const fromHere = relative(process.cwd(), path);
  return fromHere === '' || fromHere.startsWith('..') ? path : fromHere;
}

function environmentProblems({ env }: ConfigRequest) {
  if (env['NODE_TLS_REJECT_UNAUTHORIZED'] !== '0') return [];
  const message =
    'the environment variable NODE_TLS_REJECT_UNAUTHORIZED=0 switches off the check of certificates: unset it (for an own authority set NODE_EXTRA_CA_CERTS)';
  return [{ line: 1, column: 1, path: '', message }];
}

type Spec = z.output<ReturnType<typeof configSchema>>;

function normalise(spec: Spec, path: string): Config {
  const directory = dirname(path);
  const { api, sync } = spec;
  return {
    path,
    directory,
    api: {
      baseUrl: new URL(api.base_url).origin,
      requestsPerMinute: api.requests_per_minute,
      reserveQuota: api.reserve_quota,
      concurrency: api.concurrency,
      timeoutMs: api.timeout_ms,
      attempts: api.attempts,
      maxBodyBytes: api.max_body_bytes,
    },
    accounts: spec.accounts.map(({ name, api_key, projects }) => ({ name, apiKey: api_key, projects })),
    sync: {
      startDate: toDay(sync.start_date),
      lookbackDays: sync.lookback_days,
      scopes: sync.scopes,
      grains: unique(sync.grains),
      windows: unique(sync.windows),
      timezone: sync.timezone,
      maxPromptLookups: sync.max_prompt_lookups,
      endpoints: Object.fromEntries(
        Object.entries(sync.endpoints).map(([name, settings]) => [name, normaliseEndpoint(settings)]),
      ),
    },
    warehouse: {
      path: resolve(directory, spec.warehouse.path),
      storageVersion: spec.warehouse.storage_version,
    },
    raw: { dir: resolve(directory, spec.raw.dir), keepDays: spec.raw.keep_days },
    http: spec.http,
    notify: spec.notify,
    jobsDir: resolve(directory, spec.jobs_dir),
  };
}

function normaliseEndpoint(settings: Spec['sync']['endpoints'][string]): EndpointSettings {
  const { max_window_days: maxWindowDays, ...rest } = settings;
  return maxWindowDays === undefined ? rest : { ...rest, maxWindowDays };
}

function unique<Value>(values: readonly Value[]): Value[] {
  return [...new Set(values)];
}
