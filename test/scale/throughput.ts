import { readFileSync } from 'node:fs';
import { toDay } from '../../src/day.ts';
import { startOrganizations } from './organizations.ts';
import { QueueRig } from './queue-rig.ts';

/** User and system time of a process so far, on Linux. */
function processorSeconds(pid: number | undefined): number {
  const fields = readFileSync(`/proc/${String(pid)}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** What an ordinary night of many small organizations takes, after a first run. */
export interface NightCost {
  requests: number;
  seconds: number;
  /** Processor seconds of loader and workers. */
  loaderSeconds: number;
  workerSeconds: number;
}

const NIGHTS = ['2026-03-01', '2026-03-02'] as const;

/** Of 200 small projects some have equal summaries, which are not believed: exit 3. */
const DONE: ReadonlySet<number | null> = new Set([0, 3]);

/** The costs of a night, and then of a run of `events` alone. */
export async function measureNight(count: number, workerCount: number): Promise<NightCost[]> {
  await using organizations = await startOrganizations(count, { today: NIGHTS[0] });
  const rig = await QueueRig.open({ organizations, startDate: '2026-02-10' });
  const loader = rig.start(['loader']);
  const workers = Array.from({ length: workerCount }, () => rig.start(['worker']));
  await Promise.all(workers.map(async (worker) => await worker.saw('worker.ready')));
  const used = (): [number, number] => [
    processorSeconds(loader.child.pid),
    workers.reduce((sum, { child }) => sum + processorSeconds(child.pid), 0),
  ];
  const measure = async (argv: readonly string[]): Promise<NightCost> => {
    const before = used();
    const run = await rig.run(['queue', 'run', '--wait', '--json', ...argv]);
    if (!DONE.has(run.code)) throw new Error(run.stdout + run.stderr);
    const report = JSON.parse(run.stdout) as { requests: number; duration_ms: number };
    const after = used();
    return {
      requests: report.requests,
      seconds: report.duration_ms / 1000,
      loaderSeconds: after[0] - before[0],
      workerSeconds: after[1] - before[1],
    };
  };
  await measure(['--today', NIGHTS[0]]);
  for (const simulator of organizations.simulators) simulator.setToday(toDay(NIGHTS[1]));
  const night = await measure(['--today', NIGHTS[1]]);
  const events = await measure(['--today', NIGHTS[1], '--endpoint', 'events']);
  for (const { child } of [loader, ...workers]) child.kill('SIGTERM');
  await Promise.all([loader, ...workers].map(({ ended }) => ended));
  return [night, events];
}

/** The same night by one process: its processor seconds. */
export async function measureNightOfOne(count: number): Promise<number> {
  await using organizations = await startOrganizations(count, { today: NIGHTS[0] });
  const rig = await QueueRig.open({ organizations, startDate: '2026-02-10' });
  let seconds = 0;
  for (const today of NIGHTS) {
    for (const simulator of organizations.simulators) simulator.setToday(toDay(today));
    seconds = await measureSync(rig, today);
  }
  return seconds;
}

async function measureSync(rig: QueueRig, today: string): Promise<number> {
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
  if (!DONE.has(code)) throw new Error(stdout + stderr);
  return last;
}
