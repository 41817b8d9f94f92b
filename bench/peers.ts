import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { measure, type Cost } from './measure.ts';
import type { Bench, Figure } from './scenarios.ts';

/** Python packages of the peers, exact. */
const PACKAGES = ['dlt[duckdb,parquet]==1.31.0', 'duckdb==1.4.4', 'requests==2.32.5'];
const CACHE = join(tmpdir(), 'answerlake-bench-python');
const SCRIPT = fileURLToPath(new URL('./peers/script.js', import.meta.url));

interface Peer {
  name: string;
  run: (database: string) => Promise<Cost>;
}

/** The same requests to the same server, by other means: dlt tuned, dlt as it comes, and a script of an afternoon. */
export async function peerScenario(
  bench: Bench,
  ours: { cost: Cost; requests: readonly { path: string }[] },
): Promise<Figure[]> {
  const python = await installPython();
  const file = join(bench.folder, 'peer-requests.json');
  writeFileSync(file, JSON.stringify({ origin: bench.server.url, requests: ours.requests }));
  const peers: Peer[] = [
    {
      name: 'script of an afternoon',
      run: (database) => measure(process.execPath, [SCRIPT, file, database]),
    },
  ];
  if (python !== null) {
    for (const mode of ['tuned', 'defaults']) {
      peers.push({
        name: mode === 'tuned' ? 'dlt, tuned' : 'dlt, defaults',
        run: (database) =>
          measure(python, ['bench/peers/dlt_sync.py', mode, file, database], {
            env: { DLT_DATA_DIR: join(bench.folder, 'dlt'), RUNTIME__DLTHUB_TELEMETRY: 'false' },
          }),
      });
    }
  }
  const figures: Figure[] = [];
  for (const [index, { name, run }] of peers.entries()) {
    const database = join(bench.folder, `peer-${String(index)}.duckdb`);
    const first = await run(database);
    if (first.exitCode !== 0) {
      figures.push({
        what: `${name}: failed`,
        value: first.stderr.trim().split('\n').at(-1) ?? '',
        goal: '',
      });
      continue;
    }
    figures.push(
      {
        what: `${name}: same requests`,
        value: `${first.seconds.toFixed(2)} s (${first.cpuSeconds.toFixed(2)} s of processor time), ${first.peakMiB.toFixed(0)} MiB`,
        goal: '',
      },
      {
        what: `first sync against ${name}`,
        value: `${(first.seconds / ours.cost.seconds).toFixed(2)} × as fast`,
        goal: name === 'dlt, tuned' ? '≥ 3 ×, then ≥ 5 ×' : '',
      },
    );
    rmSync(database, { force: true });
  }
  return figures;
}

/** A Python of its own with the peers; null where there is none. */
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
