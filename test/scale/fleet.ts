import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { onTestFinished } from 'vitest';
import { cli, type CliOptions, type CliResult } from '../cli/run.ts';
import { contentHashes } from '../support/content-hash.ts';
import { openFolder } from '../support/folder.ts';
import { HEARTBEAT } from '../../src/scale/queue/processes.ts';
import { startProgram, type LogEvent, type Program } from '../support/program.ts';
import { startOrganizations, type Organizations, type OrganizationsOptions } from './organizations.ts';

/** The day of all organizations, where a test names no other one. */
export const TODAY = '2026-03-01';

export const wait = (ms: number): Promise<void> => new Promise((settle) => setTimeout(settle, ms));

/** One statement on a connection of its own. */
export async function inDatabase(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(sql);
  await client.end();
  return rows as Record<string, unknown>[];
}

let databases = 0;

/** A database of its own on the server that DATABASE_URL names; gone after the test. */
export async function newDatabase(): Promise<string> {
  const server = process.env['DATABASE_URL'];
  if (server === undefined)
    throw new Error('DATABASE_URL is not set: run .ci/with-postgres npm run test:scale');
  databases += 1;
  const name = `scale_${String(process.pid)}_${String(databases)}`;
  await inDatabase(server, `create database ${name}`);
  onTestFinished(async () => void (await inDatabase(server, `drop database if exists ${name} with (force)`)));
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

type Env = Readonly<Record<string, string>>;

export interface FleetOptions extends Partial<OrganizationsOptions> {
  startDate?: string;
  /** In place of a folder. */
  landing?: string;
  /** `sync.max_prompt_lookups`. */
  lookups?: number;
  /** `queue.publish_every`. */
  publishEvery?: string;
  /** Whether `queue init` has been run. */
  isInitialized?: boolean;
  env?: Env;
}

/** A command that runs in this process until it is stopped. */
export interface Served extends Pick<Program, 'events'> {
  /** Resolves when the log says the event. */
  saw(event: string): Promise<void>;
  stop(): Promise<void>;
}

interface RunOptions extends Pick<CliOptions, 'env' | 'heartbeat'> {
  /** A file of the folder. */
  config?: string | undefined;
}

/** What one process made of the same organizations and days in an earlier test of the file. */
const made = new Map<string, Record<string, string>>();

/** The built program in a folder, on a queue of its own, with organizations of its own. */
export class Fleet {
  readonly folder = openFolder();
  readonly published = join(this.folder, 'data', 'answers.duckdb');
  readonly organizations: Organizations;
  readonly url: string;
  readonly #env: Env;
  readonly #settings: string;

  private constructor(organizations: Organizations, url: string, options: FleetOptions) {
    const { startDate = '2026-02-20', landing, lookups = 1000, publishEvery = '60s', env } = options;
    this.organizations = organizations;
    this.url = url;
    const { keys } = organizations;
    const ofKeys = Object.fromEntries(keys.map((key, index) => [`KEY_${String(index)}`, key]));
    this.#env = { ...ofKeys, DATABASE_URL: url, ...env };
    const accounts = keys.map((_, index) => `{ name: a${String(index)}, api_key: env:KEY_${String(index)} }`);
    this.#settings = `version: 1
api: { base_url: '${organizations.url}', requests_per_minute: 0, concurrency: 4 }
accounts: [${accounts.join(', ')}]
sync: { start_date: ${startDate}, scopes: { visibility: [project, model, monitor] }, windows: [last_28_days], max_prompt_lookups: ${String(lookups)} }
queue: { url: env:DATABASE_URL, publish_every: ${publishEvery} }
${landing === undefined ? '' : `landing: ${landing}`}
`;
    writeFileSync(join(this.folder, 'answerlake.yaml'), this.#settings);
  }

  /** The options that are not of the fleet are those of its organizations. */
  static async open(organizations: number, options: FleetOptions = {}): Promise<Fleet> {
    const opened = await startOrganizations(organizations, { today: TODAY, ...options });
    onTestFinished(() => opened[Symbol.asyncDispose]());
    const fleet = new Fleet(opened, await newDatabase(), options);
    if (options.isInitialized !== false) await fleet.run(['queue', 'init']);
    return fleet;
  }

  start(argv: readonly string[], env: Env = {}): Program {
    return startProgram(argv, { cwd: this.folder, env: { ...this.#env, ...env } });
  }

  /** Starts a worker or a loader in this process, which starts faster. */
  serve(role: string, { heartbeat = HEARTBEAT, ...options }: RunOptions = {}): Served {
    const stopping = new AbortController();
    const events: LogEvent[] = [];
    let result: CliResult | undefined;
    const onText = (text: string): void => {
      for (const line of text.split('\n'))
        if (line.startsWith('{')) events.push(JSON.parse(line) as LogEvent);
    };
    const all = { ...options, heartbeat, signal: stopping.signal, onText };
    const ended = this.run([role], all).then((one) => (result = one));
    const stop = async (): Promise<void> => {
      stopping.abort(new Error('SIGTERM'));
      await ended;
    };
    onTestFinished(stop);
    return {
      events,
      saw: async (event) => {
        while (!events.some((one) => one.event === event)) {
          if (result !== undefined) throw new Error(`ended without ${event}: ${JSON.stringify(result)}`);
          await wait(20);
        }
      },
      stop,
    };
  }

  /** Runs a command to its end in this process, which starts faster. */
  async run(
    argv: readonly string[],
    { env = {}, config = 'answerlake.yaml', ...options }: RunOptions & CliOptions = {},
  ): Promise<CliResult> {
    const all = [...argv, '--config', join(this.folder, config)];
    return await cli(all, { ...options, env: { ...this.#env, ...env } });
  }

  /** What one process makes of the same days, in a folder of its own; returns the published file. */
  async #oneProcess(days: readonly string[]): Promise<string> {
    const folder = openFolder();
    const config = join(folder, 'answerlake.yaml');
    writeFileSync(config, this.#settings.replace(/^queue:.*$/m, ''));
    for (const today of days) {
      this.organizations.setToday(today);
      const argv = ['sync', '--today', today, '--json', '--config', config];
      const { code, stdout, stderr } = await cli(argv, { env: this.#env });
      if (code !== 0) throw new Error(`sync ended with ${String(code)}: ${stdout}${stderr}`);
    }
    return join(folder, 'data', 'answers.duckdb');
  }

  /** Tables whose content is not that which one process makes of the days; it is made once for all tests with the same organizations. */
  async differences(days: readonly string[] = [TODAY]): Promise<string[]> {
    const name = [...days, this.#settings.replace(/^api:.*$/m, '')].join();
    const wanted = made.get(name) ?? (await contentHashes(await this.#oneProcess(days)));
    made.set(name, wanted);
    const content = await contentHashes(this.published);
    return Object.keys(wanted).filter((table) => content[table] !== wanted[table]);
  }
}
