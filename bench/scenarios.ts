import { DuckDBInstance } from '@duckdb/node-api';
import { Bench, middleRun, PROGRAM, type SyncRun } from './bench.ts';
import { bothTimes, figure, mebibytes, seconds, times, type Figure } from './figure.ts';
import { measure, median } from './measure.ts';
import { publishFigure } from './publish-figure.ts';

/** First sync and an unchanged night of a few projects, each the middle of three, against the drain of their requests. */
export async function syncScenario(
  bench: Bench,
): Promise<{ figures: Figure[]; first: SyncRun; night: SyncRun }> {
  const firsts = [await bench.firstSync()];
  while (firsts.length < 3) {
    bench.removeData();
    firsts.push(await bench.sync());
  }
  const first = middleRun(firsts);
  // Looks up the prompts that the first sync had no look-ups left for: only after it is a night unchanged.
  await bench.sync();
  const night = middleRun([await bench.sync(), await bench.sync(), await bench.sync()]);
  const firstDrain = await bench.drain(first.requests);
  const nightDrain = await bench.drain(night.requests);
  const name = `${String(bench.projects)} projects`;
  const { cost, requests, report, startSeconds, tailSeconds } = first;
  const rate = (count: number): string => (count / cost.cpuSeconds).toFixed(0);
  return {
    first,
    night,
    figures: [
      figure(
        `${name}: first sync (${String(requests.length)} requests, ${String(report.rows_inserted)} rows)`,
        bothTimes(cost),
      ),
      figure(`${name}: its first request after`, seconds(startSeconds), '≤ 0.60 s'),
      figure(
        `${name}: its tail, from the last answer to the end`,
        `${((100 * tailSeconds) / cost.seconds).toFixed(0)} %`,
        '≤ 15 %',
      ),
      figure(
        `${name}: rows and requests a processor second`,
        `${rate(report.rows_inserted)}, ${rate(requests.length)}`,
      ),
      figure(`${name}: drain of its requests`, seconds(firstDrain)),
      figure(`${name}: peak memory`, mebibytes(cost.peakMiB), '≤ 512 MiB'),
      figure(`${name}: unchanged night (${String(night.requests.length)} requests)`, bothTimes(night.cost)),
      figure(`${name}: drain of its requests`, seconds(nightDrain)),
      figure(`${name}: peak memory of the night`, mebibytes(night.cost.peakMiB)),
    ],
  };
}

/** A night in which the API has corrected 1 % of the rows; the server knows its answers. */
export async function changedNight(bench: Bench): Promise<{ figures: Figure[]; changed: SyncRun }> {
  await bench.server.tell({ restateDays: 3 });
  const changed = await bench.syncAgain();
  const what = `${String(bench.projects)} projects: night that changed ${String(changed.report.rows_updated)} rows`;
  return { figures: [figure(what, bothTimes(changed.cost))], changed };
}

/** What the API's own limit of 1,000 requests a minute makes of a first sync, and what of it is ours. */
export async function limitScenario(projects: number, days: number): Promise<Figure[]> {
  await using bench = await Bench.open(projects, days, { requestsPerMinute: PER_MINUTE });
  const { cost, requests } = await bench.sync();
  // As many as fit into a minute are sent at once.
  const limit = 60 * Math.floor((requests.length - 1) / PER_MINUTE);
  const name = `${String(projects)} projects at 1,000 requests a minute`;
  return [
    figure(`${name}: first sync`, seconds(cost.seconds)),
    figure(`${name}: the limit alone (${String(requests.length)} requests)`, seconds(limit)),
    figure(`${name}: what is ours of it`, seconds(Math.max(0, cost.seconds - limit))),
  ];
}

const PER_MINUTE = 1000;

/** Many projects: speed, memory, and what a publish costs after a night that restated four days: 1.7 % of the rows. */
export async function largeScenario(bench: Bench): Promise<Figure[]> {
  const name = `${String(bench.projects)} projects`;
  const firsts = [await bench.sync()];
  while (firsts.length < 3) {
    bench.removeData();
    firsts.push(await bench.sync());
  }
  const { cost, report } = firsts.at(-1) ?? middleRun(firsts);
  await bench.server.tell({ restateDays: 4 });
  const night = await bench.sync();
  return [
    figure(`${name}: first sync (${String(report.rows_inserted)} rows)`, bothTimes(cost)),
    figure(
      `${name}: peak memory of three`,
      mebibytes(Math.max(...firsts.map((one) => one.cost.peakMiB))),
      '≤ 512 MiB',
    ),
    figure(`${name}: rows a processor second`, (report.rows_inserted / cost.cpuSeconds).toFixed(0)),
    figure(`${name}: night that changed ${String(night.report.rows_updated)} rows`, bothTimes(night.cost)),
    figure(`${name}: its peak memory`, mebibytes(night.cost.peakMiB), '≤ 512 MiB'),
    figure(`${name}: its publish`, publishFigure(night.cost.stderr)),
  ];
}

/** What it takes to read each view of the published file whole. */
export async function viewFigures(path: string, schema: 'main' | 'own'): Promise<Figure[]> {
  const instance = await DuckDBInstance.create(path, { access_mode: 'READ_ONLY' });
  const connection = await instance.connect();
  const names = await connection.runAndReadAll(
    `select view_name from duckdb_views() where schema_name = '${schema}' and not internal order by 1`,
  );
  const taken: { view: string; seconds: number; cpuSeconds: number }[] = [];
  for (const [view] of names.getRows()) {
    const started = performance.now();
    const before = process.cpuUsage();
    const result = await connection.stream(`select * from ${schema}.${String(view)}`);
    let chunk = await result.fetchChunk();
    while (chunk !== null && chunk.rowCount > 0) chunk = await result.fetchChunk();
    const { user, system } = process.cpuUsage(before);
    taken.push({
      view: String(view),
      seconds: (performance.now() - started) / 1000,
      cpuSeconds: (user + system) / 1e6,
    });
  }
  connection.closeSync();
  instance.closeSync();
  return taken
    .toSorted((a, b) => b.cpuSeconds - a.cpuSeconds)
    .map(({ view, seconds: took, cpuSeconds }) => ({
      what: `view read whole: ${schema === 'main' ? '' : `${schema}.`}${view} (seconds, processor seconds)`,
      value: `${seconds(took)}, ${seconds(cpuSeconds)}`,
      goal: '≤ 1.5 s',
    }));
}

/** What the program costs before it does anything, in processor time. */
export async function startScenario(bench: Bench): Promise<Figure[]> {
  const commands = { bare: ['-e', '0'], help: [PROGRAM, '--help'], status: [PROGRAM, 'status'] };
  const taken = { bare: [] as number[], help: [] as number[], status: [] as number[] };
  for (let round = 0; round < 5; round += 1)
    for (const name of ['bare', 'help', 'status'] as const)
      taken[name].push(await processorSeconds(commands[name], bench.folder));
  const bare = median(taken.bare);
  return [
    figure('bare node, processor time', seconds(bare)),
    figure('--help against bare node', times(median(taken.help) / bare), '≤ 2.5 ×'),
    figure('status against bare node', times(median(taken.status) / bare), '≤ 4 ×'),
  ];
}

/** As the shell counts it: what ends in a tenth of a second is over before /proc was read often enough. */
async function processorSeconds(args: readonly string[], cwd: string): Promise<number> {
  const timed = [
    '-c',
    'TIMEFORMAT=\'%3U %3S\'; time "$@" >/dev/null 2>&1',
    'bash',
    process.execPath,
    ...args,
  ];
  const { stderr } = await measure('bash', timed, { cwd });
  return stderr
    .trim()
    .split(' ')
    .reduce((sum, part) => sum + Number(part), 0);
}
