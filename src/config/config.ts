import { dirname, resolve } from 'node:path';
import { z } from 'zod';
import { GRAINS, toDay, type Day, isDay } from '../day.ts';
import type { Secret } from '../secret.ts';
import { WINDOW_KINDS, type Scope } from '../slice.ts';
import { endDate, endpointList, listOf, scopeList, whole } from './endpoints.ts';
import {
  baseUrlRule,
  bucketOrFolderRule,
  durationRule,
  hostRule,
  localPathRule,
  plainBaseUrl,
  pathnameRule,
  postgresRule,
  section,
  startDateRule,
  text,
  timezoneRule,
  warehousePathRule,
  webhookRule,
  type Rule,
} from './rules.ts';
import { parseDuration } from '../text.ts';
import { warehouseSection } from './warehouse.ts';

/** What a goal can be set for: the measures of `detail.measure_days`. */
export const MEASURES = [
  'visibility',
  'sentiment',
  'share_of_voice',
  'net_sentiment_known',
  'citations',
  'crawler_requests',
  'ai_visits',
] as const;

/** The goals that `main.targets` shows, at most one for each project and measure. */
export function targetList() {
  const target = section({
    project: z.string().min(1).describe('id of the project (in quotes), for example project: "8f14e45f"'),
    measure: z.enum(MEASURES).describe('measure of the goal, for example measure: visibility'),
    goal: z.number().describe('value to reach, as main.kpi_changes shows it, for example goal: 45'),
    by: text((day) =>
      isDay(day) ? undefined : 'is not a calendar day: write it as YYYY-MM-DD, for example 2027-01-01',
    ).describe('day by which to reach it, for example by: 2027-01-01'),
  });
  return z
    .array(target)
    .superRefine(
      takenOnce('targets', ({ project, measure }) => [
        { path: [], claim: `the goal for ${measure} of project ${project}` },
      ]),
    )
    .default([])
    .describe('goals that main.targets compares with the figures; none by default');
}

/** What a configuration is checked against besides its own shape. */
interface ConfigSurroundings {
  /** Absolute path of the file; relative paths in it start from its folder. */
  path: string;
  today: Day;
  /** Turns a reference into a secret or says what is wrong; `of` says which commands need it. */
  readSecret: (reference: string, rule?: Rule, of?: SecretOf) => { secret: Secret } | { problem: string };
}

/** What a secret opens: commands that send the API nothing still write the warehouse. */
type SecretOf = 'service' | 'warehouse';

const MEBIBYTE = 1_048_576;
const DEFAULT_SCOPES: Record<string, Scope[]> = {
  visibility: ['project', 'model', 'monitor'],
  sentiment: ['project', 'model', 'monitor'],
  share_of_voice: ['project', 'model', 'monitor'],
};

/** The schema of `answerlake.yaml`; its defaults are the documented ones. */
export function configSchema(surroundings: ConfigSurroundings) {
  const { path } = surroundings;
  const directory = dirname(path);
  const pathFrom = (rule: Rule, standard: string, description: string) =>
    text(rule)
      .default(standard)
      .describe(description)
      .transform((written) => resolve(directory, written));
  return section({
    version: z.literal(1).describe('version of this file format, for example version: 1'),
    api: apiSection(),
    accounts: accountList(surroundings),
    sync: syncSection(surroundings),
    warehouse: warehouseSection({
      path: pathFrom(warehousePathRule, 'data/answers.duckdb', 'the published file, for readers'),
      url: secret(surroundings, postgresRule, 'warehouse'),
      resolvePath: (written) => resolve(directory, written),
    }).prefault({}),
    raw: section({
      dir: pathFrom(localPathRule, 'data/raw', 'folder of the raw archive'),
      keep_days: whole(1, 36_500).default(400).describe('days to keep the answers'),
    }).prefault({}),
    queue: section({
      url: secret(surroundings, postgresRule)
        .nullable()
        .default(null)
        .describe('PostgreSQL that workers and loader share: env:NAME or file:/path; left out: one process'),
      publish_every: text(durationRule)
        .default('60s')
        .describe('how soon an organization is published while others are still asked')
        .transform((written) => parseDuration(written) ?? 0),
    }).prefault({}),
    landing: text(bucketOrFolderRule)
      .default('data/landing')
      .describe('where workers put answers for the loader: a shared folder, or s3://bucket/prefix')
      .transform((written) => (written.startsWith('s3://') ? written : resolve(directory, written))),
    http: section({
      host: z.string().min(1).default('127.0.0.1').describe('address that health and metrics listen on'),
      port: whole(0, 65_535).default(0).describe('port of health and metrics; 0 = off'),
      hosts: z
        .array(text(hostRule).transform((name) => name.toLowerCase()))
        .default([])
        .describe('names that a reverse proxy may send as Host, for example hosts: [status.example.com]'),
    }).prefault({}),
    notify: section({
      webhook: secret(surroundings, webhookRule)
        .nullable()
        .default(null)
        .describe('address that is told about failures and recoveries: env:NAME or file:/path'),
    }).prefault({}),
    freshness: section({
      max_age: text(durationRule)
        .nullable()
        .default(null)
        .describe(
          'answers older than this are stale everywhere, for example max_age: 36h; left out: 36 h, or 1.5 times the longest gap between the jobs that ask the endpoint',
        )
        .transform((written) => (written === null ? null : (parseDuration(written) ?? null))),
    }).prefault({}),
    report: section({
      title: z.string().min(1).default('AI answer visibility').describe('heading of the report'),
      logo: text(localPathRule)
        .nullable()
        .default(null)
        .describe('picture beside the heading of the report: a PNG, JPEG or SVG file')
        .transform((written) => (written === null ? null : resolve(directory, written))),
    }).prefault({}),
    targets: targetList(),
    jobs_dir: pathFrom(localPathRule, 'jobs', 'folder of the jobs that answerlake schedule runs'),
  }).transform(({ version: _version, ...settings }) => ({ ...settings, path, directory }));
}

function apiSection() {
  return section({
    base_url: text(baseUrlRule)
      .transform(plainBaseUrl)
      .describe(
        'address of the API, with a path prefix where it has one, for example base_url: https://server.example.com',
      ),
    end_date: endDate()
      .default('inclusive')
      .describe(
        'whether endDate itself is counted: inclusive or exclusive; answerlake check --api finds out',
      ),
    requests_per_minute: whole(0, 1_000_000)
      .default(900)
      .describe('our own limit of requests per minute; 0 = none'),
    reserve_quota: z
      .number()
      .min(0)
      .max(0.95)
      .default(0.1)
      .describe('share of the hourly quota left for other people'),
    concurrency: whole(1, 100).default(8).describe('requests at the same time'),
    timeout_ms: whole(1, 3_600_000)
      .default(60_000)
      .describe('deadline for one request, from start to end, in milliseconds'),
    attempts: whole(1, 20).default(5).describe('attempts for one request, including the first'),
    max_body_bytes: whole(1024, 1024 * MEBIBYTE)
      .default(64 * MEBIBYTE)
      .describe('largest answer that is accepted, in bytes after decompression'),
  });
}

function accountList(surroundings: ConfigSurroundings) {
  const account = section({
    name: z.string().min(1).max(100).describe('our name for the account, for example name: acme'),
    api_key: secret(surroundings).describe(
      'where the key is: env:NAME or file:/path, never the key itself, for example api_key: env:ANSWERLAKE_KEY',
    ),
    projects: z
      .union([z.literal('all'), z.array(z.string().min(1)).min(1)], {
        error: 'must be all or a list of project ids (ids in quotes), for example projects: all',
      })
      .default('all')
      .describe('all projects that the key reaches, or a list of project ids'),
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
    )
    .describe(
      'one entry for each API key, for example accounts: [{ name: acme, api_key: env:ANSWERLAKE_KEY }]',
    );
}

/** Refuses a second item of a list that claims the same. */
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

function syncSection({ today }: ConfigSurroundings) {
  const landingPage = section({
    pathname: text(pathnameRule).describe(
      'path of the page as the API counts it, for example pathname: /pricing',
    ),
    project: z
      .string()
      .min(1)
      .exactOptional()
      .describe('id of the project (in quotes) whose page it is; left out: every project'),
  });
  return section({
    start_date: text(startDateRule(today))
      .transform(toDay)
      .describe('first day to sync, for example start_date: 2025-01-01'),
    lookback_days: whole(0, 3660).default(7).describe('days before today that every run asks for again'),
    // Schemas of every endpoint take milliseconds to build, so only a file that has these settings builds them.
    scopes: z
      .lazy(scopeList)
      .default(() => structuredClone(DEFAULT_SCOPES))
      .describe('endpoint → filters to ask it with; an endpoint that is not listed is asked by project only'),
    grains: listOf(GRAINS).prefault(['day']).describe('lengths of the periods of series'),
    windows: listOf(WINDOW_KINDS).prefault(['month', 'last_28_days']).describe('windows to ask totals for'),
    landing_pages: z
      .array(landingPage)
      .default([])
      .describe('pages whose visits from AI assistants are asked for, one request each; none by default'),
    timezone: text(timezoneRule).default('UTC').describe('time zone for the days of crawlers and visitors'),
    max_prompt_lookups: whole(0, 10_000)
      .default(25)
      .describe('most prompts that one run looks up one by one'),
    endpoints: z.lazy(endpointList).default({}).describe('endpoint → settings for this endpoint alone'),
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

/** What of the accounts has to be right before they can be compared. */
const comparable = z.array(
  z.object({ name: z.string(), projects: z.union([z.literal('all'), z.array(z.string())]) }),
);

/** The configuration, checked and complete: what `configSchema` makes of the file, in our own words for the settings. */
export type Config = z.output<ReturnType<typeof configSchema>>;

export type AccountConfig = Config['accounts'][number];

/** What one endpoint does differently from the defaults. */
export type EndpointSettings = Config['sync']['endpoints'][string];
