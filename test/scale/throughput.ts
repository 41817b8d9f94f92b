import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openDatabase } from '../../src/warehouse/database.ts';
import { workingPath } from '../../src/warehouse/working-file.ts';
import { inDatabase } from './in-database.ts';
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
  organizations.setToday(NIGHTS[1]);
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
    organizations.setToday(today);
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

/** What a loader takes from its start to its first round, with so many parts of a week that are loaded. */
export async function measureStart(parts: number): Promise<{
  seconds: number;
  processorSeconds: number;
  mebibytes: number;
}> {
  await using organizations = await startOrganizations(1, { today: NIGHTS[0] });
  const rig = await QueueRig.open({ organizations, startDate: '2026-02-28' });
  const before = [rig.start(['loader']), rig.start(['worker'])];
  const first = await rig.run(['queue', 'run', '--wait', '--today', NIGHTS[0]]);
  if (first.code !== 0) throw new Error(first.stdout + first.stderr);
  for (const { child } of before) child.kill('SIGTERM');
  await Promise.all(before.map(({ ended }) => ended));
  const names = Array.from({ length: parts }, (_, part) => {
    const day = `2026-02-${String(20 + (part % 7))}`;
    return `${day}/${day.replaceAll('-', '')}T020000Z-00000000/${String(part).padStart(6, '0')}-${'0'.repeat(64)}`;
  });
  const landing = join(rig.folder, 'data', 'landing');
  for (const name of names.slice(0, 7)) mkdirSync(join(landing, dirname(name)), { recursive: true });
  for (const name of names)
    for (const end of ['.json', '.ndjson.gz']) writeFileSync(join(landing, name + end), '');
  const database = await openDatabase({ path: workingPath(rig.published) });
  const connection = await database.connect();
  await connection.run(
    `insert into meta.parts select name, name, 'run', 1, 0, 1, 1, 1, '1', now()::timestamp, now()::timestamp from (select unnest($1::varchar[]) as name)`,
    [names],
  );
  database.close();
  await rig.run(['queue', 'run', '--today', NIGHTS[1]]);
  const from = performance.now();
  const loader = rig.start(['loader']);
  const sent = "select 1 from answerlake_jobs.job where name = 'rounds' and state = 'created'";
  while ((await inDatabase(rig.url, sent)).length === 0)
    await new Promise((settle) => setTimeout(settle, 20));
  const seconds = (performance.now() - from) / 1000;
  const status = readFileSync(`/proc/${String(loader.child.pid)}/status`, 'utf8');
  const found = {
    seconds,
    processorSeconds: processorSeconds(loader.child.pid),
    mebibytes: Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024,
  };
  loader.child.kill('SIGTERM');
  await loader.ended;
  return found;
}
