import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Bench, PROGRAM, type SyncRun } from './bench.ts';
import { bothTimes, figure, mebibytes, seconds, times, type Figure } from './figure.ts';
import { measure, type Cost } from './measure.ts';
import { changedNight } from './scenarios.ts';

/** Python packages of the peers, exact. */
const PACKAGES = {
  dlt: ['dlt[duckdb,parquet]==1.31.0', 'duckdb==1.4.4', 'requests==2.32.5'],
  dbt: ['dbt-core==1.10.23', 'dbt-duckdb==1.10.0', 'duckdb==1.4.4'],
};
const SCRIPT = fileURLToPath(new URL('./peers/script.js', import.meta.url));

interface Peer {
  name: string;
  load: (requests: string, database: string) => Promise<Cost>;
  /** Whether it can load into its earlier database, as a night does. */
  loadsAgain: boolean;
  goal: string;
}

interface Runs {
  first: SyncRun;
  night: SyncRun;
}

/** The same requests to the same server, by other means: dlt tuned, alone and with views and tests, dlt as it comes, and a script of an afternoon. */
export async function peerScenario(bench: Bench, runs: Runs): Promise<Figure[]> {
  const dlt = await installPython('dlt');
  const dbt = await installPython('dbt');
  const script: Peer['load'] = (requests, database) =>
    measure(process.execPath, [SCRIPT, requests, database]);
  const peers: Peer[] = [
    { name: 'script of an afternoon', load: script, loadsAgain: false, goal: '≥ 0.90 ×' },
  ];
  if (dlt !== null) {
    const load =
      (mode: string): Peer['load'] =>
      (requests, database) =>
        measure(dlt, ['bench/peers/dlt_sync.py', mode, requests, database], {
          env: { DLT_DATA_DIR: join(bench.folder, 'dlt', database), RUNTIME__DLTHUB_TELEMETRY: 'false' },
        });
    const tuned = load('tuned');
    peers.push({ name: 'dlt, tuned', load: tuned, loadsAgain: true, goal: '≥ 1.05 ×' });
    if (dbt !== null)
      peers.push({
        name: 'dlt, tuned, then dbt build',
        load: async (requests, database) =>
          together(await tuned(requests, database), await build(bench, dbt)),
        loadsAgain: true,
        goal: '',
      });
    peers.push({ name: 'dlt, defaults', load: load('defaults'), loadsAgain: true, goal: '' });
  }
  const figures: Figure[] = [];
  let kept: Cost | null = null;
  for (const [index, { name, load, loadsAgain, goal }] of peers.entries()) {
    const database = join(bench.folder, `peer-${String(index)}.duckdb`);
    const first = await load(requestsFile(bench, runs.first), database);
    figures.push(...comparison({ name, what: 'first sync', goal }, first, runs.first.cost));
    if (first.exitCode === 0 && loadsAgain) {
      const night = await load(requestsFile(bench, runs.night), database);
      figures.push(...comparison({ name, what: 'unchanged night', goal: '' }, night, runs.night.cost));
    }
    rmSync(database, { force: true });
    if (name !== 'dlt, tuned' || first.exitCode !== 0) continue;
    figures.push(shareOf('unchanged night', runs.night, { name, first, goal: '≤ 0.30, 0.30' }));
    figures.push(...(await demoFigures(first)));
    // Last, because the server then gives other answers.
    kept = first;
  }
  if (kept !== null) {
    const { figures: changed, changed: night } = await changedNight(bench);
    const share = shareOf('night that changed 1 %', night, {
      name: 'dlt, tuned',
      first: kept,
      goal: '≤ 0.40, 0.40',
    });
    figures.push(...changed, share);
  }
  return figures;
}

/** The demo, which syncs twice and makes a report, against the first run of a peer. */
async function demoFigures(first: Cost): Promise<Figure[]> {
  const cwd = mkdtempSync(join(tmpdir(), 'answerlake-bench-demo-'));
  const started = performance.now();
  let firstNumber = Number.NaN;
  const onOutput = (output: string): void => {
    if (Number.isNaN(firstNumber) && /\d rows/.test(output)) firstNumber = performance.now() - started;
  };
  const cost = await measure(process.execPath, [PROGRAM, 'demo'], { cwd, onOutput });
  rmSync(cwd, { recursive: true, force: true });
  return [
    figure('demo', bothTimes(cost)),
    figure('demo: its first number of rows after', seconds(firstNumber / 1000), '≤ 3 s'),
    figure('demo over the first run of dlt, tuned', times(cost.seconds / first.seconds), '≤ 1.7 ×'),
  ];
}

/** What a night of ours takes of a first run of a peer, on the clock and of the processor. */
function shareOf(
  what: string,
  { cost }: SyncRun,
  { name, first, goal }: { name: string; first: Cost; goal: string },
): Figure {
  const shares = [cost.seconds / first.seconds, cost.cpuSeconds / first.cpuSeconds];
  const text = shares.map((share) => share.toFixed(2)).join(', ');
  return figure(`${what} over the first run of ${name}, clock and processor time`, text, goal);
}

/** The models and tests of the starter, on the rows that our sync has loaded, into a file of its own: a safe copy with checked views. */
async function build(bench: Bench, python: string): Promise<Cost> {
  const project = join(bench.folder, 'starters', 'dbt');
  if (!existsSync(project)) await bench.program('starters', 'dbt');
  const env = { ANSWERLAKE_WAREHOUSE: bench.published, DBT_OUTPUT: join(bench.folder, 'dbt.duckdb') };
  return await measure(join(dirname(python), 'dbt'), ['build', '--profiles-dir', '.'], { cwd: project, env });
}

function together(one: Cost, other: Cost): Cost {
  return {
    ...one,
    seconds: one.seconds + other.seconds,
    cpuSeconds: one.cpuSeconds + other.cpuSeconds,
    peakMiB: Math.max(one.peakMiB, other.peakMiB),
    exitCode: one.exitCode === 0 ? other.exitCode : one.exitCode,
    stderr: `${one.stderr}${other.stderr}${other.stdout}`,
  };
}

/** What a peer is given: the requests of one of our runs. */
function requestsFile({ folder, server }: Bench, { requests }: SyncRun): string {
  const file = join(folder, 'peer-requests.json');
  writeFileSync(file, JSON.stringify({ origin: server.url, requests }));
  return file;
}

function comparison(
  { name, what, goal }: { name: string; what: string; goal: string },
  theirs: Cost,
  ours: Cost,
): Figure[] {
  if (theirs.exitCode !== 0) {
    const value = theirs.stderr.trim().split('\n').at(-1) ?? '';
    return [{ what: `${name}: requests of the ${what}: failed`, value, goal: '' }];
  }
  return [
    figure(`${name}: requests of the ${what}`, `${bothTimes(theirs)}, ${mebibytes(theirs.peakMiB)}`),
    figure(`${what} against ${name}`, `${times(theirs.seconds / ours.seconds)} as fast`, goal),
  ];
}

/** A Python of its own with the packages of a peer; null without Python. */
async function installPython(peer: keyof typeof PACKAGES): Promise<string | null> {
  const folder = join(tmpdir(), `answerlake-bench-${peer}`);
  const python = join(folder, 'bin', 'python');
  if (existsSync(python)) return python;
  mkdirSync(folder, { recursive: true });
  const made = await measure('python3', ['-m', 'venv', folder]).catch(() => null);
  if (made?.exitCode !== 0) return null;
  const installed = await measure(python, ['-m', 'pip', 'install', '--quiet', ...PACKAGES[peer]]);
  if (installed.exitCode === 0) return python;
  rmSync(folder, { recursive: true, force: true });
  console.log(`${peer} cannot be installed: ${installed.stderr.trim().split('\n').at(-1) ?? ''}`);
  return null;
}
