import type { Command } from 'commander';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { loadConfig } from '../config/file.ts';
import { addDays, dayOf, periodStart, shiftPeriod, type Day } from '../day.ts';
import { usageError } from '../errors.ts';
import { PACKAGE_ROOT } from '../package.ts';
import { secretOf } from '../secret.ts';
import { syncRequest, type RunReport } from '../run/sync-request.ts';
import type { CommandContext, CommandHost } from './host.ts';
import { dayFlag, flag } from './flags.ts';
import { openPublishedFile } from '../publish/published-file.ts';
import { formatResultTable } from './terminal/result-format.ts';
import { runWithProgress, summariseRun } from './sync.ts';
import { formatTable } from './terminal/table.ts';
import { amount, shortPath } from '../text.ts';
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
const DEMO_KEY_VARIABLE = 'ANSWERLAKE_DEMO_KEY';
const SHIPPED = join(PACKAGE_ROOT, 'config', 'demo.yaml');

const flagSchema = z.strictObject({
  directory: flag('<path>', 'where to put it (default: demo)', z.string().min(1)),
  today: flag('<date>', 'last day of the year (default: today, UTC)', dayFlag),
});

const HELP = `  $ answerlake demo
  $ answerlake query --config demo/answerlake.yaml "from action_impact"
Run again, it pulls only what is new.`;

/** `answerlake demo`: simulator, configuration and two syncs, without a key. */
export function define(command: Command, host: CommandHost): void {
  host.handle({ command, flags: flagSchema, help: HELP }, async (context, flags) => {
    const folder = resolve(flags.directory ?? 'demo');
    refuseForeign(folder);
    const today = flags.today ?? dayOf(context.effects.now());
    const start = addDays(today, 1 - DEMO_DAYS);
    const { startSimulator } = await import('../../simulator/simulator.ts');
    const real = (): number => context.effects.now();
    let now = real;
    await using simulator = await startSimulator({
      world: 'demo',
      today,
      firstDay: addDays(start, -1),
      now: () => now(),
    });
    const key = simulator.world.keys.find(({ type }) => type === 'organization')?.key ?? '';
    context.hide([secretOf(`env:${DEMO_KEY_VARIABLE}`, key)]);
    const path = writeDemoConfig(folder, { url: simulator.url, start, due: addDays(today, GOAL_DAYS) });
    const env = { [DEMO_KEY_VARIABLE]: key };
    const config = loadConfig({ path, env, today });
    const isNew = !existsSync(config.warehouse.path);
    const sync = async (day: Day, endpoints: string[] | null = null): Promise<RunReport> => {
      simulator.setToday(day);
      now = isNew ? nightOf(day, real) : real;
      const lookbackDays = day === today ? SECOND_LOOKBACK_DAYS : null;
      return await runWithProgress(syncRequest({ today: day, lookbackDays, endpoints }), config, {
        context: { ...context, effects: { ...context.effects, now } },
        defaultLevel: 'warn',
      });
    };
    // Lists of earlier nights, so that why_visibility_moved has something to compare.
    if (isNew) for (const age of LIST_NIGHTS) await sync(addDays(today, -age), ['prompts']);
    const first = isNew ? await sync(addDays(today, -DAYS_APART)) : null;
    restateMonth(simulator, today);
    const run = first === null || first.exit_code === 0 ? await sync(today) : first;
    const report = await writeReport(folder, config.warehouse.path, context);
    const { path: published } = config.warehouse;
    const text = context.flags.json ? '' : await summarise(run, { path: published, report }, context);
    context.printChange({ directory: folder, report, ...run }, () => text);
    const file = shortPath(path);
    context.next(
      [`answerlake report --config ${file} --open`, 'the charts in the browser'],
      [`answerlake query --config ${file} "from action_impact"`, 'ask the file'],
      ['answerlake init', 'your own data'],
    );
    return run.exit_code;
  });
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

/** The charts of the demo as one HTML file; says where. */
async function writeReport(folder: string, path: string, context: CommandContext): Promise<string> {
  const { buildReport } = await import('../report/build-report.ts');
  const target = join(folder, 'report.html');
  writeFileSync(target, await buildReport({ path, now: context.effects.now() }));
  return target;
}

// The days around the completed action with the clearest rise of visibility.
const EXCERPT_SQL = `
with best as (
  select project_id, date from main.action_impact
  where visibility_effect > 0
  order by visibility_is_clear desc, visibility_effect / (visibility_effect_high - visibility_effect) desc, date, event_id limit 1)
select k.project_name as project, k.date, k.visibility, k.sentiment,
  k.event_titles as events
from main.daily_kpis k join best b on b.project_id = k.project_id
where k.date between b.date - 6 and b.date + 9 
order by k.date`;

async function summarise(
  run: RunReport,
  { path, report }: { path: string; report: string },
  { io, signal }: CommandContext,
): Promise<string> {
  await using file = await openPublishedFile(path, { signal });
  const rows = Object.entries(run.tables).map(([name, count]) => [name, amount(count)]);
  const columns = [{ title: 'table' }, { title: 'rows', isNumber: true }];
  const excerpt = await file.query(EXCERPT_SQL);
  return `${summariseRun(run)}
${rows.length === 0 ? '' : `\n${formatTable({ columns, rows })}\n`}
daily_kpis around a completed action, after which visibility rose:
${formatResultTable(excerpt, { nullText: '', width: io.stdout.columns })}
The file:   ${path}
The report: ${report}`;
}

/** Writes the demo's configuration for one address, first day and day of the goals; gives its path. */
function writeDemoConfig(folder: string, { url, start, due }: { url: string; start: Day; due: Day }): string {
  const text = readFileSync(SHIPPED, 'utf8')
    .replace(/^# yaml-language-server.*\n/m, '')
    .replace(/(?<=^ {2}base_url: )\S+/m, () => url)
    .replace(/(?<=^ {2}start_date: )\S+/m, () => start)
    .replaceAll(/(?<=, by: )[\d-]+/g, () => due);
  const path = join(folder, 'answerlake.yaml');
  mkdirSync(folder, { recursive: true });
  writeFileSync(path, text);
  return path;
}
