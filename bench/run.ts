import { readFileSync, writeFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';
import { cpus, totalmem } from 'node:os';
import { answersScenario } from './answers.ts';
import { computedScenario } from './computed.ts';
import { latencyScenario } from './latency.ts';
import { peerScenario } from './peers.ts';
import { Bench } from './bench.ts';
import type { Figure } from './figure.ts';
import { fleetScenario, loaderStartScenario } from './fleet.ts';
import { largeScenario, limitScenario, startScenario, syncScenario, viewFigures } from './scenarios.ts';

/** `npm run bench [-- sync start peers limit computed latency answers large] [--write]`: figures of whole processes, side by side in one run; `fleet`, which needs PostgreSQL, only when it is named. */
const SCENARIOS = ['sync', 'start', 'peers', 'limit', 'computed', 'latency', 'answers', 'large'] as const;
type Scenario = (typeof SCENARIOS)[number];

const args = process.argv.slice(2);
const wanted = SCENARIOS.filter((name) => args.includes(name));
const isFleet = args.includes('fleet');
const chosen: ReadonlySet<Scenario> = new Set(wanted.length === 0 && !isFleet ? SCENARIOS : wanted);
const DAYS = 365;
const PROJECTS = Number(process.env['BENCH_PROJECTS'] ?? 6);
/** As many as have two million rows. */
const MANY_PROJECTS = Number(process.env['BENCH_MANY_PROJECTS'] ?? 48);
const LATENCY_MS = 50;

function show(figures: readonly Figure[]): Figure[] {
  for (const { what, value, goal } of figures)
    console.log(`${what}: ${value}${goal === '' ? '' : `   (goal ${goal})`}`);
  return [...figures];
}

async function small(): Promise<Figure[]> {
  if (!chosen.has('sync') && !chosen.has('start') && !chosen.has('peers')) return [];
  await using bench = await Bench.open(PROJECTS, DAYS);
  const { figures, ...runs } = await syncScenario(bench);
  const shown = show(figures);
  if (chosen.has('start')) shown.push(...show(await startScenario(bench)));
  if (chosen.has('peers')) shown.push(...show(await peerScenario(bench, runs)));
  return shown;
}

const figures = await small();
if (chosen.has('limit')) figures.push(...show(await limitScenario(PROJECTS, DAYS)));
if (chosen.has('computed')) figures.push(...show(await computedScenario(PROJECTS, DAYS)));
if (chosen.has('latency')) figures.push(...show(await latencyScenario(LATENCY_MS)));
if (chosen.has('answers')) figures.push(...show(await answersScenario()));
if (chosen.has('large')) {
  await using bench = await Bench.open(MANY_PROJECTS, DAYS);
  figures.push(...show(await largeScenario(bench)), ...show(await viewFigures(bench.published, 'main')));
}
if (isFleet) {
  figures.push(...show(await fleetScenario(60, '≤ 3 ×')), ...show(await fleetScenario(200, '≤ 2.5 ×')));
  figures.push(...show(await loaderStartScenario(100_000)));
}

const machine = `${String(cpus().length)} cores, ${(totalmem() / 2 ** 30).toFixed(0)} GiB, Node ${process.version}, ${new Date().toISOString().slice(0, 10)}`;
const table = [
  `Measured in one run on ${machine}.`,
  '',
  '| What | Measured | Goal |',
  '| --- | --- | --- |',
  ...figures.map(({ what, value, goal }) => `| ${what} | ${value} | ${goal} |`),
].join('\n');
/** Replaces what stands between two texts of a page. */
async function write(page: string, [start, end]: readonly [string, string], text: string): Promise<void> {
  const [before = '', rest = ''] = readFileSync(page, 'utf8').split(start);
  const after = rest.slice(rest.indexOf(end));
  const style = await resolveConfig(page);
  writeFileSync(page, await format(`${before}${start}${text}${after}`, { ...style, filepath: page }));
}

const valueOf = (what: string): string => figures.find((one) => one.what.endsWith(what))?.value ?? 'unknown';
if (args.includes('--write')) {
  await write('bench/README.md', ['<!-- results -->\n', '\n<!-- end of results -->'], `\n${table}\n`);
  const cell = `a year of ${String(PROJECTS)} projects takes **${valueOf('a minute: first sync')}** at the API's limit, of which **${valueOf('what is ours of it')}** are ours; without the limit, **${valueOf('first sync against dlt, tuned')}** as tuned dlt, **${valueOf('first sync against dlt, tuned, then dbt build')}** as that with \`dbt build\`, **${valueOf('first sync against script of an afternoon')}** as a script that checks nothing`;
  if (!cell.includes('unknown'))
    await write('README.md', ['| All this costs little', '| [benchmark]'], ` | ${cell} `);
} else console.log(`\n${table}`);
