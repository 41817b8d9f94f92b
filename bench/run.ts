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
import { largeScenario, startScenario, syncScenario, viewFigures } from './scenarios.ts';

/** `npm run bench [-- sync start computed latency peers answers large] [--write]`: figures of whole processes, side by side in one run; `fleet`, which needs PostgreSQL, only when it is named. */
const SCENARIOS = ['sync', 'start', 'computed', 'latency', 'peers', 'answers', 'large'] as const;
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
if (args.includes('--write')) {
  const page = 'bench/README.md';
  const text = readFileSync(page, 'utf8');
  const marks = /(<!-- results -->\n)[\s\S]*?(\n<!-- end of results -->)/;
  const written = text.replace(marks, (_, start: string, end: string) => `${start}\n${table}\n${end}`);
  const style = await resolveConfig(page);
  writeFileSync(page, await format(written, { ...style, filepath: page }));
} else console.log(`\n${table}`);
