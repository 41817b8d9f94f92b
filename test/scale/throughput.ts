import { readFileSync } from 'node:fs';
import type { WorldName } from '../../simulator/worlds.ts';
import { startOrganizations } from './organizations.ts';
import { QueueRig } from './queue-rig.ts';

/** What a first run of several organizations took, each answer taking `latencyMs`. */
export interface Throughput {
  organizations: number;
  requests: number;
  seconds: number;
  rows: number;
  /** Processor seconds, start-up included. */
  loaderSeconds: number;
  workerSeconds: number;
}

/** The measured run. */
export interface Measured {
  latencyMs: number;
  world: WorldName;
  days: [string, string];
}

/** User and system time of a process so far, on Linux. */
function processorSeconds(pid: number | undefined): number {
  const fields = readFileSync(`/proc/${String(pid)}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

export async function measureThroughput(
  count: number,
  { latencyMs, world, days: [startDate, today] }: Measured,
): Promise<Throughput> {
  await using organizations = await startOrganizations(count, { today, latencyMs, world });
  const rig = await QueueRig.open({ organizations, startDate });
  const loader = rig.start(['loader']);
  await loader.saw('loader.ready');
  const workers = Array.from({ length: count }, () => rig.start(['worker']));
  await Promise.all(workers.map(async (worker) => await worker.saw('worker.ready')));
  const run = await rig.run(['queue', 'run', '--wait', '--today', today, '--json']);
  if (run.code !== 0) throw new Error(run.stdout + run.stderr);
  const report = JSON.parse(run.stdout) as { requests: number; duration_ms: number; rows_received: number };
  const loaderSeconds = processorSeconds(loader.child.pid);
  const workerSeconds = workers.reduce((sum, { child }) => sum + processorSeconds(child.pid), 0);
  for (const { child } of [loader, ...workers]) child.kill('SIGTERM');
  await Promise.all([loader, ...workers].map(({ ended }) => ended));
  return {
    organizations: count,
    requests: report.requests,
    seconds: report.duration_ms / 1000,
    rows: report.rows_received,
    loaderSeconds,
    workerSeconds,
  };
}

/** The same by one process, which asks and loads: its processor seconds and wall seconds. */
export async function measureOneProcess(
  count: number,
  { latencyMs, world, days: [startDate, today] }: Measured,
): Promise<{ seconds: number; rows: number; processorSeconds: number }> {
  await using organizations = await startOrganizations(count, { today, latencyMs, world });
  const rig = await QueueRig.open({ organizations, startDate });
  const sync = rig.start(['sync', '--today', today, '--json']);
  let last = 0;
  const watch = setInterval(() => {
    try {
      last = processorSeconds(sync.child.pid);
    } catch {
      // It has just ended.
    }
  }, 20);
  const { code, stdout, stderr } = await sync.ended;
  clearInterval(watch);
  if (code !== 0) throw new Error(stdout + stderr);
  const report = JSON.parse(stdout) as { duration_ms: number; rows_received: number };
  return { seconds: report.duration_ms / 1000, rows: report.rows_received, processorSeconds: last };
}
