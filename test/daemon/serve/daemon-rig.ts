import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { onTestFinished } from 'vitest';
import type { SimulatorOptions } from '../../../simulator/options.ts';
import { startSimulator, type Simulator } from '../../../simulator/simulator.ts';
import { openDatabase } from '../../../src/warehouse/database.ts';
import { openFolder } from '../../support/folder.ts';
import { prepareWorkingFile } from '../../support/made-once.ts';

const BUILT = resolve('dist/src/cli/main.js');

export const ORGANIZATION_KEY = 'canary-organization-key-7f3a91';
export const WEBHOOK_PATH = '/services/canary-webhook-51c0de';

export interface Place {
  folder: string;
  simulator: Simulator;
  env: Record<string, string>;
  rows(sql: string): Promise<Record<string, unknown>[]>;
}

export interface PlaceOptions {
  simulator?: SimulatorOptions;
  /** More lines of the configuration. */
  settings?: string;
  /** File name → text. */
  jobs?: Record<string, string>;
  webhook?: string;
}

/** A folder with configuration and jobs, and a simulator beside it. */
export async function openPlace(options: PlaceOptions = {}): Promise<Place> {
  const simulator = await startSimulator({
    world: 'small',
    ...options.simulator,
    keys: [{ key: ORGANIZATION_KEY, id: 'k1', name: 'canary', type: 'organization' }],
  });
  onTestFinished(() => simulator.close());
  const folder = openFolder();
  const startDate = new Date(Date.now() - 40 * 86_400_000).toISOString().slice(0, 10);
  const notify = options.webhook === undefined ? '' : 'notify: { webhook: env:HOOK }\n';
  writeFileSync(
    join(folder, 'answerlake.yaml'),
    `version: 1\napi: { base_url: '${simulator.url}', requests_per_minute: 0 }\naccounts: [{ name: acme, api_key: env:KEY }]\nsync: { start_date: ${startDate} }\n${notify}${options.settings ?? ''}`,
  );
  mkdirSync(join(folder, 'jobs'));
  for (const [name, text] of Object.entries(options.jobs ?? {})) {
    writeFileSync(join(folder, 'jobs', name), text);
  }
  const path = join(folder, 'data', 'answers.duckdb');
  await prepareWorkingFile(path);
  return {
    folder,
    simulator,
    env: { KEY: ORGANIZATION_KEY, ...(options.webhook === undefined ? {} : { HOOK: options.webhook }) },
    rows: async (sql) => {
      await using database = await openDatabase({ path, readOnly: true });
      return await (await database.connect()).rows(sql);
    },
  };
}

export interface LogEvent {
  event: string;
  job?: string;
  exit_code?: number;
}

export interface Child {
  /** Resolves with the first log line of that event that came or comes. */
  saw(event: string, job?: string): Promise<LogEvent>;
  events: LogEvent[];
  output(): string;
  kill(signal: NodeJS.Signals): void;
  ended: Promise<{ code: number | null; atMs: number }>;
}

/** The built program; its log lines are read as they come. */
export function startProgram(argv: readonly string[], place: Pick<Place, 'folder' | 'env'>): Child {
  const child = spawn(process.execPath, [BUILT, ...argv], {
    cwd: place.folder,
    env: { PATH: process.env['PATH'] ?? '', ...place.env },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let text = '';
  let rest = '';
  const events: LogEvent[] = [];
  const watchers = new Set<() => void>();
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => {
    text += chunk.toString();
    const lines = `${rest}${chunk.toString()}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line.startsWith('{')) events.push(JSON.parse(line) as LogEvent);
    for (const watcher of watchers) watcher();
  });
  return {
    events,
    output: () => text,
    kill: (signal) => void child.kill(signal),
    ended: new Promise((settle) => {
      child.on('close', (code) => settle({ code, atMs: performance.now() }));
    }),
    saw: (event, job) =>
      new Promise((settle, refuse) => {
        const look = (): void => {
          const found = events.find((one) => one.event === event && (job === undefined || one.job === job));
          if (found === undefined) return;
          watchers.delete(look);
          settle(found);
        };
        watchers.add(look);
        child.on('close', () => refuse(new Error(`ended without ${event}:\n${text}`)));
        look();
      }),
  };
}

/** A port that nobody listens on. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  await new Promise((done) => server.close(done));
  return typeof address === 'object' && address !== null ? address.port : 0;
}
