import { DuckDBInstance } from '@duckdb/node-api';
import { middleRun, PROGRAM, type Bench, type SyncRun } from './bench.ts';
import { mebibytes, seconds, times, type Figure } from './figure.ts';
import { measure, median, type Cost } from './measure.ts';
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
  return {
    first,
    night,
    figures: [
      {
        what: `${name}: first sync (${String(first.requests.length)} requests, ${String(first.report.rows_inserted)} rows)`,
        value: seconds(first.cost.seconds),
        goal: '',
      },
      { what: `${name}: drain of its requests`, value: seconds(firstDrain), goal: '' },
      {
        what: `${name}: (first sync - 0.5 s) against its drain`,
        value: times((first.cost.seconds - 0.5) / firstDrain),
        goal: '≤ 4 ×, then ≤ 2 ×',
      },
      {
        what: `${name}: unchanged night (${String(night.requests.length)} requests)`,
        value: seconds(night.cost.seconds),
        goal: '',
      },
      { what: `${name}: drain of its requests`, value: seconds(nightDrain), goal: '' },
      { what: `${name}: peak memory of the night`, value: mebibytes(night.cost.peakMiB), goal: '' },
      {
        what: `${name}: processor time of the first sync and of the night`,
        value: `${seconds(first.cost.cpuSeconds)}, ${seconds(night.cost.cpuSeconds)}`,
        goal: '',
      },
      {
        what: `${name}: (night - 1.2 s) against its drain`,
        value: times((night.cost.seconds - 1.2) / nightDrain),
        goal: '≤ 3 ×',
      },
      ...sizeFigures(name, first),
    ],
  };
}

function sizeFigures(name: string, { cost, report }: SyncRun): Figure[] {
  return [
    { what: `${name}: peak memory`, value: mebibytes(cost.peakMiB), goal: '≤ 512 MiB' },
    {
      what: `${name}: rows a second`,
      value: (report.rows_inserted / cost.seconds).toFixed(0),
      goal: '≥ 50,000',
    },
  ];
}

/** Many projects: speed, memory, and what a publish costs after a night that restated four days: 1.7 % of the rows. */
export async function largeScenario(bench: Bench): Promise<Figure[]> {
  const name = `${String(bench.projects)} projects`;
  const first = await bench.firstSync();
  const figures: Figure[] = [
    {
      what: `${name}: first sync (${String(first.report.rows_inserted)} rows)`,
      value: seconds(first.cost.seconds),
      goal: '',
    },
    ...sizeFigures(name, first),
  ];
  await bench.server.tell({ restateDays: 4 });
  const night = await bench.sync();
  figures.push({
    what: `${name}: night that changed ${String(night.report.rows_updated)} rows`,
    value: seconds(night.cost.seconds),
    goal: '',
  });
  figures.push({ what: `${name}: its peak memory`, value: mebibytes(night.cost.peakMiB), goal: '≤ 512 MiB' });
  figures.push({ what: `${name}: its publish`, value: publishFigure(night.cost.stderr), goal: '' });
  return figures;
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

/** What the program costs before it does anything. */
export async function startScenario(bench: Bench): Promise<Figure[]> {
  const bare = await repeated(() => measure(process.execPath, ['-e', '0']));
  const help = await repeated(() => measure(process.execPath, [PROGRAM, '--help']));
  const status = await repeated(() => bench.program('status'));
  return [
    { what: 'bare node', value: seconds(bare), goal: '' },
    { what: '--help beyond bare node', value: seconds(help - bare), goal: '≤ 0.10 s' },
    { what: 'status beyond bare node', value: seconds(status - bare), goal: '≤ 0.30 s' },
  ];
}

async function repeated(run: () => Promise<Cost>): Promise<number> {
  const taken: number[] = [];
  for (let round = 0; round < 5; round += 1) taken.push((await run()).seconds);
  return median(taken);
}
