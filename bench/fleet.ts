import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DuckDBInstance } from '@duckdb/node-api';
import { startOrganizations, type Organizations } from '../test/scale/organizations.ts';
import { PROGRAM } from './bench.ts';
import { mebibytes, seconds, times, type Figure } from './figure.ts';
import { measure, usageOf, type Cost } from './measure.ts';

const NIGHTS = ['2026-03-01', '2026-03-02'] as const;
const WORKERS = ['worker', 'worker'] as const;

/** A folder with a configuration for organizations of one small project each, on the queue of DATABASE_URL; the caller closes it. */
class Fleet implements AsyncDisposable {
  readonly folder = mkdtempSync(join(tmpdir(), 'answerlake-fleet-'));
  readonly #env: Record<string, string>;
  #running: ChildProcess[] = [];

  constructor({ url, keys }: Organizations) {
    this.#env = Object.fromEntries(keys.map((key, index) => [`KEY_${String(index)}`, key]));
    const accounts = keys.map((_, index) => `{ name: a${String(index)}, api_key: env:KEY_${String(index)} }`);
    const settings = `version: 1
api: { base_url: '${url}', requests_per_minute: 0, concurrency: 4 }
accounts: [${accounts.join(', ')}]
sync: { start_date: 2026-02-10, scopes: { visibility: [project, model, monitor] }, windows: [last_28_days] }
`;
    writeFileSync(join(this.folder, 'answerlake.yaml'), `${settings}queue: { url: env:DATABASE_URL }\n`);
    writeFileSync(join(this.folder, 'one.yaml'), `${settings}warehouse: { path: one/answers.duckdb }\n`);
  }

  /** @throws Error when the command fails; some of many small projects have equal summaries, which are not believed: exit 3 */
  async run(...args: string[]): Promise<Cost> {
    const cost = await measure(process.execPath, [PROGRAM, ...args], { cwd: this.folder, env: this.#env });
    if (cost.exitCode === 0 || cost.exitCode === 3) return cost;
    throw new Error(`answerlake ${args.join(' ')} ended with ${String(cost.exitCode)}: ${cost.stderr}`);
  }

  start(...roles: string[]): ChildProcess[] {
    const env = { ...process.env, ...this.#env };
    const started = roles.map((role) =>
      spawn(process.execPath, [PROGRAM, role], { cwd: this.folder, env, stdio: 'ignore' }),
    );
    this.#running.push(...started);
    return started;
  }

  async stop(): Promise<void> {
    const ended = this.#running.map(async (child) => await once(child, 'exit'));
    for (const child of this.#running) child.kill('SIGTERM');
    await Promise.all(ended);
    this.#running = [];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** What an ordinary night, and then an hourly job, of many small organizations cost loader and workers, beside one process. Needs DATABASE_URL (.ci/with-postgres). */
export async function fleetScenario(count: number, most: string): Promise<Figure[]> {
  await using organizations = await startOrganizations(count, { today: NIGHTS[0] });
  await using fleet = new Fleet(organizations);
  await fleet.run('queue', 'init', '--new-landing', '--new-warehouse');
  const processes = fleet.start('loader', ...WORKERS);
  const used = (): number[] => processes.map(({ pid }) => usageOf(pid).cpuSeconds);
  const cost = async (...argv: string[]): Promise<{ took: number; loader: number; workers: number }> => {
    const before = used();
    const { seconds: took } = await fleet.run('queue', 'run', '--wait', ...argv);
    const [loader = 0, ...workers] = used().map((after, index) => after - (before[index] ?? 0));
    return { took, loader, workers: workers.reduce((sum, one) => sum + one, 0) };
  };
  let one = 0;
  let night = { took: 0, loader: 0, workers: 0 };
  for (const today of NIGHTS) {
    organizations.setToday(today);
    one = (await fleet.run('sync', '--today', today, '--config', 'one.yaml')).cpuSeconds;
    night = await cost('--today', today);
  }
  const events = await cost('--today', NIGHTS[1], '--endpoint', 'events');
  const name = `${String(count)} organizations`;
  return [
    {
      what: `${name}: processor time of a night: loader, workers, one process`,
      value: [night.loader, night.workers, one].map(seconds).join(', '),
      goal: '',
    },
    {
      what: `${name}: fleet against one process`,
      value: times((night.loader + night.workers) / one),
      goal: most,
    },
    {
      what: `${name}: job of events`,
      value: `${seconds(events.took)}, loader ${seconds(events.loader)}, workers ${seconds(events.workers)}`,
      goal: '≤ 10 s',
    },
  ];
}

/** A loader that finds so many parts of a week, which were loaded: from its start to its first request. Needs DATABASE_URL. */
export async function loaderStartScenario(parts: number): Promise<Figure[]> {
  await using organizations = await startOrganizations(1, { today: NIGHTS[0] });
  await using fleet = new Fleet(organizations);
  await fleet.run('queue', 'init', '--new-landing', '--new-warehouse');
  fleet.start('loader', 'worker');
  await fleet.run('queue', 'run', '--wait', '--today', NIGHTS[0]);
  await fleet.stop();
  const names = Array.from({ length: parts }, (_, part) => {
    const day = `2026-02-${String(20 + (part % 7))}`;
    return `${day}/${day.replaceAll('-', '')}T020000Z-00000000/${String(part).padStart(6, '0')}-${'0'.repeat(64)}`;
  });
  const data = join(fleet.folder, 'data');
  for (const name of names.slice(0, 7)) mkdirSync(join(data, 'landing', dirname(name)), { recursive: true });
  for (const name of names)
    for (const end of ['.json', '.ndjson.gz']) writeFileSync(join(data, 'landing', name + end), '');
  const instance = await DuckDBInstance.create(join(data, '.answers.work.duckdb'));
  const connection = await instance.connect();
  await connection.run(
    `insert into meta.parts select name, name, 'run', 1, 0, 1, 1, 1, '1', now()::timestamp, now()::timestamp from (select unnest([${names.map((name) => `'${name}'`).join(', ')}]) as name)`,
  );
  connection.closeSync();
  instance.closeSync();
  await fleet.run('queue', 'run', '--today', NIGHTS[1]);
  organizations.resetRequests();
  const from = performance.now();
  const [loader] = fleet.start('loader');
  while (organizations.requests().length === 0) await sleep(20);
  const took = (performance.now() - from) / 1000;
  const { cpuSeconds, peakMiB } = usageOf(loader?.pid);
  const name = `a loader that finds ${String(parts)} loaded parts`;
  return [
    {
      what: `${name}: first request after`,
      value: `${seconds(took)} (${seconds(cpuSeconds)} of processor time)`,
      goal: '≤ 5 s',
    },
    { what: `${name}: peak memory`, value: mebibytes(peakMiB), goal: '≤ 300 MiB' },
  ];
}
