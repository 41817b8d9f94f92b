import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Bench, SyncRun } from './bench.ts';
import { mebibytes, seconds, times, type Figure } from './figure.ts';
import { measure, type Cost } from './measure.ts';

/** Python packages of the peers, exact. */
const PACKAGES = ['dlt[duckdb,parquet]==1.31.0', 'duckdb==1.4.4', 'requests==2.32.5'];
const CACHE = join(tmpdir(), 'answerlake-bench-python');
const SCRIPT = fileURLToPath(new URL('./peers/script.js', import.meta.url));

interface Peer {
  name: string;
  load: (requests: string, database: string) => Promise<Cost>;
  /** Whether it can load into what it has loaded before, as a night does. */
  loadsAgain: boolean;
  goals: { first: string; night: string };
}

const SCRIPT_PEER: Peer = {
  name: 'script of an afternoon',
  load: (requests, database) => measure(process.execPath, [SCRIPT, requests, database]),
  loadsAgain: false,
  goals: { first: '', night: '' },
};

/** The same requests to the same server, by other means: dlt tuned, dlt as it comes, and a script of an afternoon. */
export async function peerScenario(
  bench: Bench,
  { first, night }: { first: SyncRun; night: SyncRun },
): Promise<Figure[]> {
  const python = await installPython();
  const peers = [SCRIPT_PEER, ...(python === null ? [] : dltPeers(python, join(bench.folder, 'dlt')))];
  const figures: Figure[] = [];
  for (const [index, { name, load, loadsAgain, goals }] of peers.entries()) {
    const database = join(bench.folder, `peer-${String(index)}.duckdb`);
    const compare = async (what: string, ours: SyncRun, goal: string): Promise<boolean> => {
      const theirs = await load(requestsFile(bench, ours), database);
      figures.push(...comparison({ name, what, goal }, theirs, ours.cost));
      return theirs.exitCode === 0;
    };
    const isLoaded = await compare('first sync', first, goals.first);
    if (isLoaded && loadsAgain) await compare('unchanged night', night, goals.night);
    rmSync(database, { force: true });
  }
  return figures;
}

function dltPeers(python: string, dataFolder: string): Peer[] {
  const load =
    (mode: string): Peer['load'] =>
    (requests, database) =>
      measure(python, ['bench/peers/dlt_sync.py', mode, requests, database], {
        env: { DLT_DATA_DIR: join(dataFolder, mode), RUNTIME__DLTHUB_TELEMETRY: 'false' },
      });
  return [
    {
      name: 'dlt, tuned',
      load: load('tuned'),
      loadsAgain: true,
      goals: { first: '≥ 3 ×, then ≥ 5 ×', night: '≥ 5 ×' },
    },
    { name: 'dlt, defaults', load: load('defaults'), loadsAgain: true, goals: { first: '', night: '' } },
  ];
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
    {
      what: `${name}: requests of the ${what}`,
      value: `${seconds(theirs.seconds)} (${seconds(theirs.cpuSeconds)} of processor time), ${mebibytes(theirs.peakMiB)}`,
      goal: '',
    },
    {
      what: `${what} against ${name}`,
      value: `${times(theirs.seconds / ours.seconds)} as fast`,
      goal,
    },
  ];
}

/** A Python of its own with the peers; null without Python. */
async function installPython(): Promise<string | null> {
  const python = join(CACHE, 'bin', 'python');
  if (existsSync(python)) return python;
  mkdirSync(CACHE, { recursive: true });
  const made = await measure('python3', ['-m', 'venv', CACHE]).catch(() => null);
  if (made?.exitCode !== 0) return null;
  const installed = await measure(python, ['-m', 'pip', 'install', '--quiet', ...PACKAGES]);
  if (installed.exitCode === 0) return python;
  rmSync(CACHE, { recursive: true, force: true });
  console.log(`dlt cannot be installed: ${installed.stderr.trim().split('\n').at(-1) ?? ''}`);
  return null;
}
