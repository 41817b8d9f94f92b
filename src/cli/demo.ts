import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { loadConfig } from '../config/file.ts';
import { addDays, dayOf, periodStart, shiftPeriod, type Day } from '../day.ts';
import { usageError } from '../errors.ts';
import { PACKAGE_ROOT } from '../package.ts';
import { secretOf } from '../secret.ts';
import { syncRequest, type RunReport } from '../run/sync-request.ts';
import { defined, type CommandContext } from './host.ts';
import { dayFlag, valueFlag, someText } from './flags.ts';
import { openPublishedFile } from '../publish/published-file.ts';
import { exampleNumbered } from '../guide/examples.ts';
import { CLEAR_LINE, terminalWidth } from './terminal/io.ts';
import type { ProgressLine } from './terminal/progress-line.ts';
import { formatResultTable } from './terminal/result-format.ts';
import { openLineOf, runWithProgress, summariseRun } from './sync.ts';
import { amount, formatDuration, shellWord, shortPath } from '../text.ts';
import type { Config } from '../config/config.ts';
import type { Simulator } from '../../simulator/simulator.ts';

const DEMO_DAYS = 365;
/** Days between the two syncs, so that prompts have a history; fewer than the look-back, as in a nightly sync. */
const DAYS_APART = 4;
/** Days until the goals of the demo are due. */
const GOAL_DAYS = 180;
/** Days ago whose nights have a prompt list: windows of 7 and 28 days end on the last day. */
const LIST_NIGHTS = [56, 28, 14, 7];
/** Reaches the beginning of the month before on every day. */
const SECOND_LOOKBACK_DAYS = 62;
const SHIPPED = join(PACKAGE_ROOT, 'config', 'demo.yaml');

const flagSchema = z.strictObject({
  directory: valueFlag('<path>', 'where to put it (default: demo)', someText),
  today: valueFlag('<date>', 'last day of the year (default: today, UTC)', dayFlag),
});

/** `answerlake demo`: simulator, configuration, two syncs, a report and a question, without a key. */
export const define = defined({ flags: flagSchema }, async (context, flags) => {
  const folder = resolve(flags.directory ?? 'demo');
  refuseForeign(folder);
  const today = flags.today ?? dayOf(context.effects.now());
  const start = addDays(today, 1 - DEMO_DAYS);
  const { startSimulator } = await import('../../simulator/simulator.ts');
  const real = (): number => context.effects.now();
  let now = real;
  const firstDay = addDays(start, -1);
  await using simulator = await startSimulator({ world: 'demo', today, firstDay, now: () => now() });
  const key = simulator.world.keys.find(({ type }) => type === 'organization')?.key ?? '';
  context.hide([secretOf('file:demo.key', key)]);
  const config = writeDemoConfig(folder, { url: simulator.url, start, today, key });
  const { path: published } = config.warehouse;
  const isNew = !existsSync(published);
  const steps = openSteps(context, isNew ? 4 : 3);
  const brands = simulator.world.projects.length;
  steps.begin(`The API: a simulator on this machine, with ${brands} invented brands`);
  steps.tell(`${simulator.url}, a key for all of them, and a configuration: ${shortPath(config.path)}`);
  const syncs = async () => {
    using line = openLineOf(context);
    const bar = line === null ? null : openBar(line);
    const sync = async (day: Day, to: number, endpoints: string[] | null = null): Promise<RunReport> => {
      simulator.setToday(day);
      now = isNew ? nightOf(day, real) : real;
      const lookbackDays = day === today ? SECOND_LOOKBACK_DAYS : null;
      const run = await runWithProgress(syncRequest({ today: day, lookbackDays, endpoints }), config, {
        context: { ...context, effects: { ...context.effects, now } },
        defaultLevel: 'warn',
        line: bar?.(to) ?? null,
      });
      const changed = run.rows_updated === 0 ? '' : `, ${amount(run.rows_updated)} changed`;
      if (endpoints === null)
        steps.tell(
          `${amount(run.requests)} requests, ${amount(run.rows_inserted)} new rows${changed}, ${formatDuration(run.duration_ms)}`,
        );
      return run;
    };
    let first: RunReport | null = null;
    if (isNew) {
      const end = addDays(today, -DAYS_APART);
      steps.begin(`The first sync: everything from ${start} to ${end}`);
      // Lists of earlier nights, so that why_visibility_moved has something to compare.
      for (const [place, age] of LIST_NIGHTS.entries())
        await sync(addDays(today, -age), place + 1, ['prompts']);
      first = await sync(end, FIRST_SYNC_END);
      if (first.exit_code !== 0) return { first, run: first };
    }
    restateMonth(simulator, today);
    steps.begin(`The sync of ${today}: what is new, and what the API has corrected since`);
    return { first, run: await sync(today, 100) };
  };
  const { first, run } = await syncs();
  steps.begin('The report, and a question in SQL');
  const { buildReport } = await import('../report/build-report.ts');
  const report = join(folder, 'report.html');
  writeFileSync(report, await buildReport({ path: published, now: context.effects.now() }));
  const text = context.flags.json ? '' : await summarise(run, { path: published, report }, context);
  context.printChange({ directory: folder, report, first_sync: first, ...run }, () => text);
  const file = shellWord(shortPath(config.path));
  context.next(
    [`answerlake report --config ${file} --open`, 'the charts in the browser'],
    [`answerlake examples --config ${file}`, 'more questions'],
    [`answerlake query --config ${file} "from action_impact"`, 'ask the file'],
    ['answerlake init', 'your own data'],
  );
  return run.exit_code;
});

/** Percent of the demo at which its first sync is done. */
const FIRST_SYNC_END = 75;

/** One bar for all syncs: each continues where the one before ended, up to a percentage of the demo. */
function openBar(line: ProgressLine): (to: number) => Pick<ProgressLine, 'show' | 'wait'> {
  let last = { percent: 0, done: 0, planned: 0 };
  return (to) => {
    const from = last;
    return {
      wait: (reason, untilMs) => line.wait(reason, untilMs),
      show: ({ percent, done, planned, isPlanned, project }) => {
        const reached = from.percent + Math.floor((percent * (to - from.percent)) / 100);
        last = { percent: reached, done: from.done + done, planned: from.planned + planned };
        line.show({ ...last, project, isPlanned: isPlanned && to === 100, quotaRemaining: null });
      },
    };
  };
}

/** Headings of what is going on, and what it took, for people. */
function openSteps(context: CommandContext, count: number): Record<'begin' | 'tell', (text: string) => void> {
  let number = 0;
  const say = (text: string): void => {
    const { stderr } = context.io;
    if (stderr.isTerminal) stderr.draw(CLEAR_LINE);
    context.note(text);
  };
  return {
    begin: (text) => say(`${(number += 1)}/${count}  ${text}`),
    tell: (text) => say(`     ${text}\n`),
  };
}

/** A clock that shows two in the morning of the day when it is first read, and later what has passed since: lists of that hour hold no answers of their own day. */
function nightOf(day: Day, now: () => number): () => number {
  const begun = now();
  const night = Math.min(Date.parse(`${day}T02:00:00Z`), begun);
  return () => night + now() - begun;
}

/** Corrects five days of the month before, which the first sync reported as final. */
function restateMonth(simulator: Simulator, today: Day): void {
  const [project] = simulator.world.projects;
  if (project === undefined) return;
  const start = shiftPeriod(periodStart(today, 'month'), 'month', -1);
  const days = { start, end: addDays(start, 4) };
  simulator.restate({ project: project.id, endpoint: 'visibility-time-series', days, by: 0.04 });
}

const MARK = '# The configuration of `answerlake demo`';

/** Refuses a folder that holds another configuration, so that invented brands never reach its warehouse. */
function refuseForeign(folder: string): void {
  const path = join(folder, 'answerlake.yaml');
  if (existsSync(path) && readFileSync(path, 'utf8').startsWith(MARK)) return;
  const found = ['answerlake.yaml', 'data', 'report.html'].filter((name) => existsSync(join(folder, name)));
  if (found.length === 0) return;
  throw usageError(
    `${folder} has ${found.join(' and ')} of its own, and the demo would write over it; nothing was written. Choose another --directory.`,
  );
}

/** The rows of the question that the demo ends with, and its widest table where no terminal limits the width. */
const ANSWER_ROWS = 5;
const ANSWER_WIDTH = 100;

async function summarise(run: RunReport, files: Record<'path' | 'report', string>, context: CommandContext) {
  const { path, report } = files;
  const { io, signal } = context;
  await using file = await openPublishedFile(path, { signal });
  const { question, sql } = exampleNumbered('1');
  const answer = await file.query(sql, ANSWER_ROWS);
  const rows = Object.values(run.tables).reduce((sum, count) => sum + count, 0);
  const width = Math.min(ANSWER_WIDTH, terminalWidth(io.stdout) ?? ANSWER_WIDTH);
  return `${run.exit_code === 0 ? '' : `${summariseRun(run)}\n\n`}${question} (answerlake examples 1)
${formatResultTable(answer, { nullText: '', width })}
The file:   ${path} (${amount(rows)} rows)
The report: ${report}`;
}

type DemoFacts = Record<'url' | 'key', string> & Record<'start' | 'today', Day>;

/** Writes the demo's configuration and its key, and reads it. The key is not read from its file: not every file system keeps it private. */
function writeDemoConfig(folder: string, facts: DemoFacts): Config {
  const { url, key, start, today } = facts;
  const text = readFileSync(SHIPPED, 'utf8')
    .replace(/^# yaml-language-server.*\n/m, '')
    .replace(/(?<=^ {2}base_url: )\S+/m, () => url)
    .replace(/(?<=^ {2}start_date: )\S+/m, () => start)
    .replaceAll(/(?<=, by: )[\d-]+/g, () => addDays(today, GOAL_DAYS));
  const path = join(folder, 'answerlake.yaml');
  mkdirSync(folder, { recursive: true });
  writeFileSync(path, text);
  writeFileSync(join(folder, 'demo.key'), `${key}\n`, { mode: 0o600 });
  const env = { DEMO_KEY: key };
  return loadConfig({ path, text: text.replace('file:demo.key', 'env:DEMO_KEY'), env, today });
}
