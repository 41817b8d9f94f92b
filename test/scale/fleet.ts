import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { cli, type CliResult } from '../cli/run.ts';
import { contentHashes } from '../support/content-hash.ts';
import { openFolder } from '../support/folder.ts';
import { HEARTBEAT } from '../../src/scale/queue/processes.ts';
import { startInProcess, type InProcess, type ServeOptions } from './in-process.ts';
import { startProgram, type Program } from '../support/program.ts';
import { inDatabase } from './in-database.ts';
import type { Organizations } from './organizations.ts';

export const wait = (ms: number): Promise<void> => new Promise((settle) => setTimeout(settle, ms));

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

export interface FleetOptions {
  organizations: Organizations;
  startDate: string;
  /** In place of a folder. */
  landing?: string;
  /** `sync.max_prompt_lookups`. */
  lookups?: number;
  /** `queue.publish_every`. */
  publishEvery?: string;
  /** Whether `queue init` has been run. */
  isInitialized?: boolean;
  env?: Readonly<Record<string, string>>;
}

/** What one process made of the same organizations and days in an earlier test of the file. */
const made = new Map<string, Record<string, string>>();

/** The built program in a folder, on a queue of its own. */
export class Fleet {
  readonly folder = openFolder();
  readonly published = join(this.folder, 'data', 'answers.duckdb');
  readonly url: string;
  readonly env: Readonly<Record<string, string>>;
  #settings = '';

  private constructor(url: string, { organizations, env }: FleetOptions) {
    this.url = url;
    const keys = organizations.keys.map((key, index) => [`KEY_${String(index)}`, key]);
    this.env = { ...Object.fromEntries(keys), DATABASE_URL: url, ...env } as Record<string, string>;
  }

  static async open(options: FleetOptions): Promise<Fleet> {
    const fleet = new Fleet(await newDatabase(), options);
    const {
      organizations,
      startDate,
      landing,
      lookups = 1000,
      publishEvery = '60s',
      isInitialized = true,
    } = options;
    const accounts = organizations.keys.map(
      (_, index) => `{ name: a${String(index)}, api_key: env:KEY_${String(index)} }`,
    );
    fleet.#settings = `version: 1
api: { base_url: '${organizations.url}', requests_per_minute: 0, concurrency: 4 }
accounts: [${accounts.join(', ')}]
sync: { start_date: ${startDate}, scopes: { visibility: [project, model, monitor] }, windows: [last_28_days], max_prompt_lookups: ${String(lookups)} }
queue: { url: env:DATABASE_URL, publish_every: ${publishEvery} }
${landing === undefined ? '' : `landing: ${landing}`}
`;
    writeFileSync(join(fleet.folder, 'answerlake.yaml'), fleet.#settings);
    if (isInitialized) await fleet.run(['queue', 'init']);
    return fleet;
  }

  start(argv: readonly string[], env: Readonly<Record<string, string>> = {}): Program {
    return startProgram(argv, { cwd: this.folder, env: { ...this.env, ...env } });
  }

  /** Starts a worker or a loader in this process, which starts faster. `config` names a file of the folder. */
  serve(
    role: string,
    { config = 'answerlake.yaml', ...options }: { config?: string } & Partial<ServeOptions> = {},
  ): InProcess {
    const argv = [role, '--config', join(this.folder, config)];
    return startInProcess(argv, { heartbeat: HEARTBEAT, env: this.env, ...options });
  }

  /** Runs a command to its end in this process, which starts faster. `config` names a file of the folder. */
  async run(
    argv: readonly string[],
    {
      env = {},
      config = 'answerlake.yaml',
    }: { env?: Readonly<Record<string, string>>; config?: string | undefined } = {},
  ): Promise<CliResult> {
    return await cli([...argv, '--config', join(this.folder, config)], { env: { ...this.env, ...env } });
  }

  /** What one process makes of the same days, in a folder of its own; returns the published file. */
  async oneProcess(
    days: readonly string[],
    { before = () => undefined }: { before?: (today: string) => void } = {},
  ): Promise<string> {
    const folder = openFolder();
    writeFileSync(join(folder, 'answerlake.yaml'), this.#settings.replace(/^queue:.*$/m, ''));
    for (const today of days) {
      before(today);
      const argv = ['sync', '--today', today, '--json', '--config', join(folder, 'answerlake.yaml')];
      const { code, stdout, stderr } = await cli(argv, { env: { ...this.env } });
      if (code !== 0) throw new Error(`sync ended with ${String(code)}: ${stdout}${stderr}`);
    }
    return join(folder, 'data', 'answers.duckdb');
  }

  /** Tables whose content is not that which one process makes of the day; it is made once for all tests with the same organizations. */
  async differences(today: string): Promise<string[]> {
    const name = [today, this.#settings.replace(/^api:.*$/m, '')].join();
    const wanted = made.get(name) ?? (await contentHashes(await this.oneProcess([today])));
    made.set(name, wanted);
    const content = await contentHashes(this.published);
    return Object.keys(wanted).filter((table) => content[table] !== wanted[table]);
  }
}
