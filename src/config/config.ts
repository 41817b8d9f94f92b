import { dirname, resolve } from 'node:path';
import { z } from 'zod';
import { GRAINS, toDay, type Day } from '../day.ts';
import type { Catalogue } from '../endpoints/catalogue.ts';
import type { Secret } from '../secret.ts';
import { INSTANTS, WINDOW_KINDS, type Scope } from '../slice.ts';
import { exceptionIn } from './choice.ts';
import type { Declarations } from './declarations.ts';
import { endDate, endpointList, listOf, scopeList, settingsOf, type BuiltInSettings } from './endpoints.ts';
import { day, text, whole, type Rule } from '../own/declaration.ts';
import * as rules from './rules.ts';
import { allOr, duration, section } from './rules.ts';

/** The measures that can have a goal: those of `detail.measure_days`. */
export const MEASURES = [
  'visibility',
  'sentiment',
  'share_of_voice',
  'net_sentiment_known',
  'citations',
  'crawler_requests',
  'ai_visits',
] as const;

/** The goals of `main.targets`, at most one per project and measure. */
export function targetList() {
  const target = section({
    project: z.string().min(1),
    measure: z.enum(MEASURES),
    goal: z.number(),
    by: day,
  });
  const claimOf = ({ project, measure }: z.output<typeof target>): string =>
    `the goal for ${measure} of project ${project}`;
  const isOnce = takenOnce<z.output<typeof target>>('targets', (one) => [{ path: [], claim: claimOf(one) }]);
  return z.array(target).superRefine(isOnce).default([]);
}

/** The surroundings that a configuration is checked against. */
interface ConfigSurroundings {
  /** Absolute path of the file; relative paths in it start from its folder. */
  path: string;
  today: Day;
  /** All endpoints, including declared ones. */
  catalogue: Catalogue;
  own: Declarations;
  /** Resolves a reference to a secret or returns the problem; `of` names the commands that need it. */
  readSecret: (reference: string, rule?: Rule, of?: SecretOf) => { secret: Secret } | { problem: string };
}

/** The use of a secret: commands that send no API request still write the warehouse. */
type SecretOf = 'service' | 'warehouse';

const MEBIBYTE = 1_048_576;
const DEFAULT_SCOPES: Record<string, Scope[]> = {
  visibility: ['project', 'model', 'monitor'],
  sentiment: ['project', 'model', 'monitor'],
  share_of_voice: ['project', 'model', 'monitor'],
};

/** The schema of `answerlake.yaml`; its defaults are documented. */
export function configSchema(surroundings: ConfigSurroundings) {
  const { path, catalogue, own } = surroundings;
  const directory = dirname(path);
  const localPath = pathBelow(directory, rules.localPathRule);
  const webhook = secret(surroundings, rules.webhookRule);
  return section({
    version: z.literal(1),
    api: apiSection(),
    accounts: accountList(surroundings),
    sync: syncSection(surroundings),
    warehouse: warehouseSection(surroundings, directory).prefault({}),
    raw: section({
      dir: localPath.prefault('data/raw'),
      keep_days: whole(1, 36_500).default(400),
    }).prefault({}),
    meta: section({ keep_days: whole(31, 36_500).default(400) }).prefault({}),
    queue: section({
      url: secret(surroundings, rules.postgresRule).nullable().default(null),
      publish_every: duration.prefault('60s'),
    }).prefault({}),
    landing: pathBelow(directory, rules.bucketOrFolderRule).prefault('data/landing'),
    http: section({
      host: z.string().min(1).default('127.0.0.1'),
      port: whole(0, 65_535).default(0),
      hosts: z.array(text(rules.hostRule).transform((name) => name.toLowerCase())).default([]),
    }).prefault({}),
    notify: section({ webhook: webhook.nullable().default(null) }).prefault({}),
    freshness: section({ max_age: duration.nullable().default(null) }).prefault({}),
    report: section({
      title: z.string().min(1).default('AI answer visibility'),
      logo: localPath.nullable().default(null),
    }).prefault({}),
    targets: targetList(),
    jobs_dir: localPath.prefault('jobs'),
    views_dir: localPath.prefault('views'),
    endpoints_dir: localPath.prefault('endpoints'),
  }).transform(({ version: _version, ...settings }) => {
    const endpoints: Readonly<Record<string, EndpointSettings>> = {
      ...settings.sync.endpoints,
      ...Object.fromEntries(own.declarations.map((one) => [one.name, settingsOf(one)])),
    };
    return { ...settings, sync: { ...settings.sync, endpoints }, path, directory, catalogue, own };
  });
}

function apiSection() {
  return section({
    base_url: text(rules.baseUrlRule).transform(rules.plainBaseUrl),
    end_date: endDate.default('inclusive'),
    instants: z.enum(INSTANTS).default('utc'),
    requests_per_minute: whole(0, 1_000_000).default(900),
    reserve_quota: z.number().min(0).max(0.95).default(0.1),
    concurrency: whole(1, 100).default(8),
    timeout_ms: whole(1, 3_600_000).default(60_000),
    attempts: whole(1, 20).default(5),
    max_body_bytes: whole(1024, 1024 * MEBIBYTE).default(64 * MEBIBYTE),
  });
}

function accountList(surroundings: ConfigSurroundings) {
  const account = section({
    name: z.string().min(1).max(100),
    api_key: secret(surroundings),
    projects: allOr(z.string().min(1), 'projects (ids in quotes, names or slugs), for example projects: all'),
    except: z.array(exceptionIn(surroundings.catalogue)).default([]),
  });
  return z
    .array(account)
    .min(1)
    .superRefine(
      takenOnce('accounts', ({ name, projects }) => [
        { path: ['name'], claim: `the name ${name}` },
        ...(projects === 'all' ? [] : projects).map((project, place) => {
          return { path: ['projects', place], claim: `project ${project}` };
        }),
      ]),
      { when: ({ value }) => comparable.safeParse(value).success },
    );
}

/** Refuses a second list item with the same claim. */
function takenOnce<Item>(list: string, claimsOf: (item: Item) => { path: PropertyKey[]; claim: string }[]) {
  return (items: readonly Item[], context: z.RefinementCtx): void => {
    const owners = new Map<string, number>();
    for (const [index, item] of items.entries()) {
      for (const { path, claim } of claimsOf(item)) {
        const owner = owners.get(claim);
        const message = `${claim} is already taken by ${list}[${owner ?? index}]: remove one of the two`;
        if (owner === undefined) owners.set(claim, index);
        else context.addIssue({ code: 'custom', path: [index, ...path], message });
      }
    }
  };
}

function syncSection({ today, catalogue }: ConfigSurroundings) {
  const landingPage = section({
    pathname: text(rules.pathnameRule),
    project: z.string().min(1).exactOptional(),
  });
  return section({
    start_date: text(rules.startDateRule(today)).transform(toDay),
    lookback_days: whole(0, 3660).default(7),
    // Schemas of all endpoints take milliseconds to build, so build them only for files with these settings.
    scopes: z.lazy(() => scopeList(catalogue)).default(() => structuredClone(DEFAULT_SCOPES)),
    grains: listOf(GRAINS).prefault(['day']),
    windows: listOf(WINDOW_KINDS).prefault(['month', 'last_28_days']),
    landing_pages: z.array(landingPage).default([]),
    timezone: text(rules.timezoneRule).default('UTC'),
    max_prompt_lookups: whole(0, 10_000).default(25),
    endpoints: z.lazy(() => endpointList(catalogue)).default({}),
  });
}

/** A path, relative ones from `directory`; a bucket if the rule allows it. */
function pathBelow(directory: string, rule: Rule) {
  return text(rule).transform((written) =>
    written.startsWith('s3://') ? written : resolve(directory, written),
  );
}

function warehouseSection(surroundings: ConfigSurroundings, directory: string) {
  const address = secret(surroundings, rules.postgresRule, 'warehouse');
  const localPath = pathBelow(directory, rules.localPathRule);
  const plain = section({
    // The targets of a warehouse in addition to the published file.
    target: z.enum(['duckdb', 'postgres', 'ducklake']).default('duckdb'),
    path: pathBelow(directory, rules.warehousePathRule).prefault('data/answers.duckdb'),
    storage_version: text(rules.storageVersionRule).default('v1.0.0'),
    mode: text(rules.modeRule)
      .default('0444')
      .transform((octal) => Number.parseInt(octal, 8)),
    url: address.nullable().default(null),
    catalog: catalogSetting(address, localPath).nullable().default(null),
    data: pathBelow(directory, rules.bucketOrFolderRule).nullable().default(null),
    extensions: localPath.nullable().default(null),
  });
  return plain.transform(({ target, catalog, data, extensions, ...settings }, context) => {
    const refuse = (path: string, message: string): void => {
      context.addIssue({ code: 'custom', path: [path], message });
    };
    for (const [name, value] of Object.entries({ url: settings.url, catalog, data, extensions })) {
      const owner = name === 'url' ? 'postgres' : 'ducklake';
      if (value !== null && owner !== target)
        refuse(name, `belongs to target: ${owner}: set it, or remove this setting`);
    }
    if (target === 'postgres' && settings.url === null)
      refuse('url', 'is missing: target: postgres needs it');
    /** The place of a lake: its catalog (a file, or the address of PostgreSQL), its files, and the extensions that write it. */
    const lake = {
      catalog: catalog ?? resolve(directory, 'data/lake.ducklake'),
      data: data ?? resolve(directory, 'data/lake'),
      extensions: extensions ?? resolve(directory, 'data/extensions'),
    };
    return { ...settings, target, lake: target === 'ducklake' ? lake : null };
  });
}

/** A file, or a reference to the address of PostgreSQL. */
function catalogSetting(address: z.ZodType<Secret, string>, localPath: z.ZodType<string, string>) {
  return z.string().transform((written, context): string | Secret => {
    // At least two letters: `C:` is a drive.
    const isReference = /^[a-z][a-z0-9+.-]+:/i.test(written);
    const reading = (isReference ? address : localPath).safeParse(written);
    if (reading.success) return reading.data;
    context.addIssue({ code: 'custom', message: reading.error.issues[0]?.message ?? 'is wrong' });
    return z.NEVER;
  });
}

function secret(surroundings: ConfigSurroundings, rule?: Rule, of: SecretOf = 'service') {
  return z.string().transform((reference, context): Secret => {
    const reading = surroundings.readSecret(reference, rule, of);
    if ('secret' in reading) return reading.secret;
    context.addIssue({ code: 'custom', message: reading.problem });
    return z.NEVER;
  });
}

/** The part of the accounts that must be valid before they can be compared. */
const comparable = z.array(
  z.object({ name: z.string(), projects: z.union([z.literal('all'), z.array(z.string())]) }),
);

/** The checked and complete configuration: the output of `configSchema`, with the program's own names. */
export type Config = z.output<ReturnType<typeof configSchema>>;

export type AccountConfig = Config['accounts'][number];

/** The settings of one endpoint that differ from the defaults. */
export type EndpointSettings = BuiltInSettings & {
  /** First day to hold, if it is not `sync.start_date`. */
  startDate?: Day | undefined;
};
