import { counted, minuteOf } from '../../quantity.ts';
import { dayNumber, dayOf } from '../../day.ts';
import { htmlOf, pageOf, type Page } from '../../report/page.ts';
import { type Child, markup, type Markup, tableMarkup } from '../../report/text.ts';
import { nextTick, type DaemonState } from '../schedule/jobs.ts';
import type { Reply } from './http-server.ts';
import { ageText } from '../../warehouse/freshness.ts';
import type { Freshness, PublishedFacts } from './published-facts.ts';

interface StatusPageParts {
  state: DaemonState;
  facts: PublishedFacts | null;
  /** Null if it could not be drawn. */
  report: Page | null;
  /** Why something is missing; null if nothing is. */
  problem: string | null;
  nowMs: number;
  /** The page of one project; left out: the page of all. */
  projectId?: string | undefined;
}

/** The page of `/`: problems, the report, and jobs and freshness below it. */
export function statusPage(parts: StatusPageParts): Reply {
  const section = (name: string, content: Child): string =>
    markup`<section class="service" aria-label="${name}">${content}</section>`.text;
  const back = parts.projectId === undefined ? '' : markup`<p><a class="open" href="./">All projects</a></p>`;
  const above = section('Problems', [back, problemsSection(parts)]);
  const below = section('Service', [jobsTable(parts), eventsTable(parts), freshnessTable(parts)]);
  const { problem } = parts;
  const main = problem === null ? '' : markup`<p class="warn" role="note"><strong>${problem}</strong></p>`;
  const page = parts.report ?? pageOf({ now: parts.nowMs, title: 'answerlake' }, { main });
  const body = htmlOf(page, { above, below });
  const policy = `${page.policy}; frame-ancestors 'none'`;
  return { status: 200, contentType: 'text/html; charset=utf-8', body, policy };
}

function jobsTable({ state, nowMs }: StatusPageParts): Markup {
  const rows = state.jobs.map((job) => {
    const { name, schedule, timezone, runningSinceMs, lastExitCode } = job;
    const now = runningSinceMs === null ? 'waiting' : `running since ${minute(runningSinceMs)}`;
    const times = [job.lastEndMs, job.lastSuccessMs, nextTick(job, nowMs)].map(minute);
    const [lastEnd = '', ...later] = times;
    return [name, `${schedule} (${timezone})`, now, lastEnd, String(lastExitCode ?? ''), ...later];
  });
  const columns = ['Job', 'Schedule', 'Now', 'Last end', 'Exit code', 'Last success', 'Next run'];
  return table(`Jobs, ${minute(nowMs)}`, columns, rows);
}

/** Whether a project's page shows a row: its own rows, and those that all projects share. */
function isOn(page: string | undefined): (row: { projectId: string }) => boolean {
  return ({ projectId }) => page === undefined || projectId === page || projectId === '';
}

const COLUMNS = [
  'Project',
  'Endpoint',
  'Status',
  'Covered to',
  'Days ago',
  'Last success',
  'Age',
  'Last error',
];

function endpointsTable(title: string, endpoints: readonly Freshness[], nowMs: number): Markup {
  const rows = endpoints.map(({ lastCoveredDay: day, lastSuccessMs, ...one }) => {
    const project = one.projectId === '' ? '(all)' : (one.projectName ?? one.projectId);
    const daysAgo = day === null ? '' : String(dayNumber(dayOf(nowMs)) - dayNumber(day));
    const age = lastSuccessMs === null ? '' : ageText(nowMs - lastSuccessMs);
    const last = minute(lastSuccessMs);
    return [project, one.endpoint, one.status, day ?? '', daysAgo, last, age, one.lastError ?? ''];
  });
  return table(title, COLUMNS, rows);
}

function isLate({ status }: Freshness): boolean {
  return status !== 'current' && status !== 'not_enabled';
}

/** Problems first, then everything that is well. */
function problemsSection({ state, facts, nowMs, projectId }: StatusPageParts): Markup {
  if (facts === null) return markup`<p>${firstRun(state, nowMs)}</p>`;
  const failed = state.jobs.flatMap(({ name, lastExitCode, lastEndMs }) => {
    if (lastExitCode === null || lastExitCode === 0) return [];
    return markup`<li>Job ${name} ended with ${lastExitCode}, ${minute(lastEndMs)}.</li>`;
  });
  const late = facts.freshness.filter(isOn(projectId)).filter(isLate);
  const { age } = facts;
  const newest =
    age === null ? '' : `The newest answer is from ${minuteOf(age.newestMs)}, ${ageText(age.ageMs)} ago.`;
  if (age?.isStale === true)
    failed.unshift(markup`<li><strong>Stale.</strong> ${newest} No figure is newer.</li>`);
  if (failed.length + late.length === 0)
    return markup`<h2>No problems</h2><p>Every endpoint is current, and no job ended with an error. ${newest}</p>`;
  const list = failed.length === 0 ? '' : markup`<ul>${failed}</ul>`;
  const endpoints = late.length === 0 ? '' : endpointsTable('Endpoints that are not current', late, nowMs);
  return markup`<h2>Problems</h2>${list}${endpoints}`;
}

/** What happens next if there are no figures yet. */
function firstRun({ jobs }: DaemonState, nowMs: number): string {
  const running = jobs.find(({ runningSinceMs }) => runningSinceMs !== null);
  if (running !== undefined) return `${running.name} is running since ${minute(running.runningSinceMs)}.`;
  const ticks = jobs.map((job) => ({ name: job.name, at: nextTick(job, nowMs) ?? Infinity }));
  const [next] = ticks.filter(({ at }) => at < Infinity).toSorted((a, b) => a.at - b.at);
  if (next === undefined) return 'No job has a next run.';
  return `The next run is ${next.name}, ${minute(next.at)}. To run now: answerlake sync.`;
}

function eventsTable({ facts, projectId }: StatusPageParts): Child {
  const events = (facts?.events ?? []).filter(isOn(projectId));
  const [first] = events;
  const rows = events.map((one) => [one.projectName ?? one.projectId, one.title]);
  return first === undefined ? '' : table(`Events of ${first.day}`, ['Project', 'Event'], rows);
}

function freshnessTable({ facts, nowMs, projectId }: StatusPageParts): Child {
  if (facts === null) return '';
  const shown = facts.freshness.filter(isOn(projectId)).filter((one) => !isLate(one));
  const rows = endpointsTable(`Freshness, published ${minute(facts.publishedMs)}`, shown, nowMs);
  return markup`<details><summary>${counted(shown.length, 'endpoint')} without problems</summary>${rows}</details>`;
}

function table(title: string, columns: readonly string[], rows: readonly (readonly string[])[]): Markup {
  return markup`<h2>${title}</h2>\n<div class="scroll">${tableMarkup(columns, rows)}</div>\n`;
}

function minute(instantMs: number | null): string {
  return instantMs === null ? '' : minuteOf(instantMs);
}
