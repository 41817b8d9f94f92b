import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { loadConfig } from '../config/file.ts';
import { addDays, dayOf, periodStart, shiftPeriod, type Day } from '../day.ts';
import { usageError, shellWord } from '../errors.ts';
import { PACKAGE_ROOT, placeFiles, shortPath } from '../files.ts';
import { amount, counted, formatDuration } from '../quantity.ts';
import { secretOf } from '../secret.ts';
import type { RunReport } from '../run/run-to-end.ts';
import { syncRequest, type SyncRequest } from '../run/sync-request.ts';
import { readyMadeFiles } from './endpoints.ts';
import { defined, type CommandContext } from './host.ts';
import { dayFlag, valueFlag, someText } from './flags.ts';
import { quoteLiteral, readSql } from '../warehouse/sql.ts';
import { openPublishedFile } from '../publish/published-file.ts';
import { exampleNumbered } from '../guide/examples.ts';
import { formatResultTable } from './terminal/result-format.ts';
import { runWithProgress, summariseRun } from './sync.ts';
import type { Config } from '../config/config.ts';
import type { openDemoApi } from '../../simulator/demo-api.ts';

const DEMO_DAYS = 365;
/** Days between the two syncs: the prompt list of the first one begins the newest window of 7 days. */
const DAYS_APART = 7;
/** Days until the goals of the demo are due. */
const GOAL_DAYS = 180;
/** Earlier nights, in days ago, that have a prompt list: windows of 7 and 28 days end on the last day. */
const LIST_NIGHTS = [56, 28, 14];
/** Always reaches the beginning of the month before. */
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
  if (today > dayOf(context.effects.now()))
    throw usageError([`--today ${today} is in the future (UTC).`, 'Name a day that has begun']);
  const start = addDays(today, 1 - DEMO_DAYS);
  const { openDemoApi } = await import('../../simulator/demo-api.ts');
  await using simulator = await openDemoApi({ today, firstDay: addDays(start, -1) });
  const key = simulator.world.keys.find(({ type }) => type === 'organization')?.key ?? '';
  context.hide([secretOf('file:demo.key', key)]);
  const config = writeDemoConfig(folder, { url: simulator.url, start, today, key });
  const { path: published } = config.warehouse;
  const isNew = !existsSync(published);
  const steps = isNew ? 4 : 3;
  let step = 0;
  const begin = (text: string): void => context.note(`${(step += 1)}/${steps}  ${text}`);
  const tell = (text: string): void => context.note(`     ${text}\n`);
  const brands = simulator.world.projects.length;
  begin(`The API: a simulator on this machine, with ${brands} invented brands`);
  tell(`${simulator.url}, a key for all of them, and a configuration: ${shortPath(config.path)}`);
  const sync = async (day: Day, asked: Partial<SyncRequest> = {}): Promise<RunReport> => {
    const aheadMs = isNew ? untilNight(day, context.effects.now()) : 0;
    await simulator.order({ day: { today: day, aheadMs } });
    const now = (): number => context.effects.now() + aheadMs;
    const lookbackDays = day === today ? SECOND_LOOKBACK_DAYS : null;
    return await runWithProgress(syncRequest({ today: day, lookbackDays, ...asked }), config, {
      context: { ...context, effects: { ...context.effects, now } },
      defaultLevel: 'warn',
    });
  };
  const tellRun = (run: RunReport): void => {
    const changed = run.rows_updated === 0 ? '' : `, ${amount(run.rows_updated)} changed`;
    tell(
      `${counted(run.requests, 'request')}, ${amount(run.rows_inserted)} new rows${changed}, ${formatDuration(run.duration_ms)}`,
    );
  };
  let first: RunReport | null = null;
  if (isNew) {
    const end = addDays(today, -DAYS_APART);
    begin(`The first sync: everything from ${start} to ${end}`);
    // Prompt lists of earlier nights give why_visibility_moved something to compare.
    let prompts = 0;
    for (const age of LIST_NIGHTS) {
      const night = await sync(addDays(today, -age), { endpoints: ['prompts'], publishes: false });
      prompts += night.rows_inserted;
    }
    tell(`${LIST_NIGHTS.length} earlier nights of the prompt list: ${counted(prompts, 'row')}`);
    // Only the second sync requests the answers: one request each would take as long as a year of figures.
    const builtIn = config.catalogue.asked.filter(({ isExtra }) => !isExtra);
    const run = await sync(end, { endpoints: builtIn.map(({ name }) => name), publishes: false });
    tellRun(run);
    if (run.exit_code !== 0) {
      context.printChange({ directory: folder, first_sync: run, ...run }, () => summariseRun(run));
      context.next([`answerlake demo${context.sameFlags()}`, 'again: it continues where it stopped']);
      return run.exit_code;
    }
    first = run;
  }
  const month = await restateMonth(simulator, today);
  begin(
    `The sync of ${today}: new days, ${RESTATED_DAYS} corrected days of ${month}, and the answers of a month`,
  );
  const run = await sync(today);
  tellRun(run);
  begin('The report, and a question in SQL');
  const { buildReport } = await import('../report/build-report.ts');
  const report = join(folder, 'report.html');
  // Together, because they share the open file.
  const [page, text] = await Promise.all([
    buildReport({ path: published, now: context.effects.now() }),
    context.flags.json ? '' : summarise(run, { path: published, report, simulator }, context),
  ]);
  writeFileSync(report, page);
  context.printChange({ directory: folder, report, first_sync: first, ...run }, () => text);
  const file = shellWord(shortPath(config.path));
  context.next(
    [`answerlake report --config ${file} --open`, 'the charts in the browser'],
    [`answerlake examples --config ${file}`, 'more questions, each with its SQL'],
    ['answerlake init', 'your own data'],
  );
  return run.exit_code;
});

/** Milliseconds from now to two in the morning of a day, not in the future: lists of that hour contain no answers of their own day. */
function untilNight(day: Day, now: number): number {
  return Math.min(Date.parse(`${day}T02:00:00Z`) - now, 0);
}

/** Days that the API corrects between the syncs. */
const RESTATED_DAYS = 5;

/** Corrects days of the previous month, which the first sync reported as final; returns the month (`2026-10`). */
async function restateMonth(simulator: DemoApi, today: Day): Promise<string> {
  const start = shiftPeriod(periodStart(today, 'month'), 'month', -1);
  const days = { start, end: addDays(start, RESTATED_DAYS - 1) };
  const [{ id: project } = { id: '' }] = simulator.world.projects;
  await simulator.order({ restated: { project, endpoint: 'visibility-time-series', days, by: 0.04 } });
  return start.slice(0, 7);
}

type DemoApi = Awaited<ReturnType<typeof openDemoApi>>;

const MARK = '# The configuration of `answerlake demo`';

/** Refuses a folder with another configuration, so that invented brands never reach its warehouse. */
function refuseForeign(folder: string): void {
  const path = join(folder, 'answerlake.yaml');
  if (existsSync(path) && readFileSync(path, 'utf8').startsWith(MARK)) return;
  const found = ['answerlake.yaml', 'data', 'report.html'].filter((name) => existsSync(join(folder, name)));
  if (found.length === 0) return;
  throw usageError([
    `${folder} has ${found.join(' and ')} of its own, and the demo would overwrite it; nothing was written.`,
    'Choose another --directory.',
  ]);
}

/** The widest table if no terminal limits the width. */
const ANSWER_WIDTH = 100;

/** How precisely the stored answers measure the rate at which prompts name the brand. */
const PRECISION = `select prompt, model, answers, named_pct, low, high, answers_needed
from own.prompt_precision where period = 'last_28_days' order by answers desc, prompt, model limit 3`;

async function summarise(
  run: RunReport,
  { path, report, simulator }: { path: string; report: string; simulator: DemoApi },
  context: CommandContext,
) {
  const { io, signal } = context;
  await using file = await openPublishedFile(path, { signal });
  const { question, sql } = exampleNumbered('1');
  // Computed before the view of this name, which is read twice and takes half a second.
  await file.run('create temp table action_group_impact as from main.action_group_impact');
  const planted = [...(await simulator.order({}))].map(([action, size]) => ({ action, size }));
  await file.run(readSql('status/planted', { planted: quoteLiteral(JSON.stringify(planted)) }));
  const [{ judged, found } = { judged: 0, found: 0 }] = await file.rowsAs(
    z.object({ judged: z.number(), found: z.number() }),
    'select sum(judged)::integer as judged, sum(found)::integer as found from planted_bursts',
  );
  const clear = await file.query(
    `select q.* exclude (last_date, before, judged), p.planted from (${sql}) q left join planted_bursts p using (project_name, first_date)`,
  );
  const precision = await file.query(PRECISION);
  const large = planted.filter(({ size }) => size === 'large').length;
  const rows = Object.values(run.tables).reduce((sum, count) => sum + count, 0);
  const width = Math.min(ANSWER_WIDTH, io.stdout.width ?? ANSWER_WIDTH);
  return `${run.exit_code === 0 ? '' : `${summariseRun(run)}\n\n`}${question} (number 1 of the examples)
${formatResultTable(clear, { nullText: '', width })}Judged: ${counted(judged, 'action')}, alone or as a burst, of which ${clear.count} clear.
Planted: ${counted(large, 'large lift')}; ${found} could be judged, ${large - found} are too close to other changes or too new.

How often is the brand named, and how many answers are enough to say so? (own.prompt_precision)
${formatResultTable(precision, { nullText: '', width })}
The file:   ${path} (${counted(rows, 'row')})
The report: ${report}`;
}

type DemoFacts = Record<'url' | 'key', string> & Record<'start' | 'today', Day>;

/** Writes the demo's configuration and its key, and reads the configuration. The key is passed directly, because not every file system keeps its file private. */
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
  placeFiles(
    readyMadeFiles('responses', { endpointsDir: join(folder, 'endpoints'), viewsDir: join(folder, 'views') }),
  );
  const env = { DEMO_KEY: key };
  return loadConfig({ path, text: text.replace('file:demo.key', 'env:DEMO_KEY'), env, today });
}
