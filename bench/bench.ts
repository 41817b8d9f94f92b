import { cpSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { addDays, dayOf } from '../src/day.ts';
import { measure, median, type Cost } from './measure.ts';
import { BenchServer, type BenchRequest } from './server-process.ts';

export const PROGRAM = resolve('dist/src/cli/main.js');
const DRAIN = fileURLToPath(new URL('./drain.js', import.meta.url));
export const KEY = 'bench-organization-key';

/** A server, a configuration and a folder; the caller closes it. */
export class Bench implements AsyncDisposable {
  readonly server: BenchServer;
  readonly folder: string;
  readonly projects: number;

  private constructor(parts: { server: BenchServer; folder: string; projects: number }) {
    this.server = parts.server;
    this.folder = parts.folder;
    this.projects = parts.projects;
  }

  static async open(
    projects: number,
    days: number,
    { remembers = true, requestsPerMinute = 0 } = {},
  ): Promise<Bench> {
    const today = dayOf(Date.now());
    const firstDay = addDays(today, 1 - days);
    const server = await BenchServer.open({ projects, firstDay, today, remembers });
    const folder = mkdtempSync(join(tmpdir(), 'answerlake-bench-'));
    writeFileSync(
      join(folder, 'answerlake.yaml'),
      [
        'version: 1',
        `api: { base_url: "${server.url}", requests_per_minute: ${requestsPerMinute} }`,
        'accounts: [{ name: bench, api_key: "env:BENCH_KEY", projects: all }]',
        `sync: { start_date: ${firstDay} }`,
      ].join('\n'),
    );
    return new Bench({ server, folder, projects });
  }

  get published(): string {
    return join(this.folder, 'data', 'answers.duckdb');
  }

  /** Runs a command of the program in the folder. @throws Error when it does not end well */
  async program(...args: string[]): Promise<Cost> {
    const cost = await measure(process.execPath, [PROGRAM, ...args, '--log-level', 'info'], {
      cwd: this.folder,
      env: { BENCH_KEY: KEY },
    });
    if (cost.exitCode !== 0)
      throw new Error(
        `answerlake ${args.join(' ')} ended with ${String(cost.exitCode)}:\n${cost.stderr.slice(-2000)}`,
      );
    return cost;
  }

  async sync(): Promise<SyncRun> {
    await this.server.tell({ reset: true });
    const cost = await this.program('sync', '--json', '--log-format', 'json');
    const { requests, firstAt, lastAt } = await this.server.tell({ reset: true });
    return {
      cost,
      requests,
      startSeconds: (firstAt - cost.startedAt) / 1000,
      tailSeconds: (cost.endedAt - lastAt) / 1000,
      report: JSON.parse(cost.stdout) as SyncFigures,
    };
  }

  /** A sync that meets a server which knows its answers, because the same one was thrown away. */
  async syncAgain(): Promise<SyncRun> {
    const [data, kept] = ['data', 'kept'].map((name) => join(this.folder, name)) as [string, string];
    cpSync(data, kept, { recursive: true });
    await this.sync();
    this.removeData();
    renameSync(kept, data);
    return await this.sync();
  }

  /** A first sync that meets a server which knows all its answers: what computing them costs the server is not measured. */
  async firstSync(): Promise<SyncRun> {
    await this.sync();
    this.removeData();
    return await this.sync();
  }

  /** The next sync is a first one. */
  removeData(): void {
    rmSync(join(this.folder, 'data'), { recursive: true, force: true });
  }

  /** Seconds in which a plain client reads the same answers; the middle of three. */
  async drain(requests: readonly BenchRequest[]): Promise<number> {
    const file = join(this.folder, 'requests.json');
    writeFileSync(file, JSON.stringify(requests));
    const seconds: number[] = [];
    for (let round = 0; round < 3; round += 1) {
      const { stdout } = await measure(process.execPath, [DRAIN, this.server.url, file]);
      seconds.push((JSON.parse(stdout) as { seconds: number }).seconds);
    }
    return median(seconds);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server[Symbol.asyncDispose]();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** The one of several runs that took the middle time. @throws Error without a run */
export function middleRun(runs: readonly SyncRun[]): SyncRun {
  const middle = median(runs.map(({ cost }) => cost.seconds));
  const run = runs.find(({ cost }) => cost.seconds === middle);
  if (run === undefined) throw new Error('there was no run');
  return run;
}

/** What one sync cost, asked and reported. */
export interface SyncRun {
  cost: Cost;
  requests: BenchRequest[];
  /** Until the first request. */
  startSeconds: number;
  /** From the last answer on. */
  tailSeconds: number;
  report: SyncFigures;
}

export interface SyncFigures {
  rows_inserted: number;
  rows_updated: number;
}
