import { createHash } from 'node:crypto';
import { openPublishedFile } from '../publish/published-file.ts';
import { markup, type Markup, formatDay, plainLabel, tableMarkup } from './text.ts';
import { htmlOf, pageOf, pictureAddress, type Page, type PageFrame } from './page.ts';
import { byUrgency, keyFigures, overviewBody, overviewDays, shiftsBody } from './key-figures.ts';
import type { OverviewProject } from './key-figures.ts';
import { pageHead, cardBody, chartsOf, type NamedChart, rangeOf } from './cards.ts';
import { readProjects, type ProjectData, type ProjectsRequest } from './read-projects.ts';
import { ageText, staleWords } from '../warehouse/freshness.ts';

/** Days shown by default. */
export const DEFAULT_DAYS = 28;

/** More projects than this get a page each, and an overview. */
const MAX_TOGETHER = 6;

export interface ReportRequest extends ProjectsRequest, PageFrame {
  /** The published file; it is opened read-only. */
  path: string;
  /** Days shown first, the newest last; default 28, 0: all. */
  days?: number | undefined;
  /** The address of a project's page, for the overview of many; without it the overview has no links. */
  pageOf?: (projectId: string) => string;
}

/**
 * The report as one self-contained HTML document that needs no network, no other file and no JavaScript; for more than a handful of
 * projects, only the overview.
 * @throws AnswerlakeError 'configuration' for a project the file has not, 'storage' when the file cannot be read
 */
export async function buildReport(request: ReportRequest): Promise<string> {
  return htmlOf(await drawReport(request));
}

/** The same as a page, to which more can be added. @throws AnswerlakeError as `buildReport` */
export async function drawReport(request: ReportRequest): Promise<Page> {
  const projects = await readByUrgency(request);
  if (projects.length <= MAX_TOGETHER) return reportPage(projects, request);
  return overviewPage(projects, request, ({ id }) => request.pageOf?.(id) ?? null);
}

/**
 * The report as files: one or, for more than a handful of projects, an overview and a page per project in `folder` next to it. Names
 * are relative to the first file, with slashes; null: the first file itself.
 * @throws AnswerlakeError as `buildReport`
 */
export async function* buildReportFiles(request: ReportRequest, folder: string) {
  const projects = await readByUrgency(request);
  if (projects.length <= MAX_TOGETHER) {
    yield { name: null, html: htmlOf(reportPage(projects, request)) };
    return;
  }
  const taken = new Set<string>();
  const names = new Map<string, string>();
  for (const project of projects) {
    const name = `${folder}/${filePrefix(project.name, project.id, taken)}.html`;
    names.set(project.id, name);
    yield { name, html: htmlOf(reportPage([project], request)) };
  }
  // Last, so that its links work.
  yield {
    name: null,
    html: htmlOf(overviewPage(projects, request, ({ id }) => encodeURI(names.get(id) ?? ''))),
  };
}

/** Reads every project, those that need attention first. */
async function readByUrgency(request: ReportRequest): Promise<ProjectData[]> {
  // Before the seconds that reading takes.
  if (typeof request.logo === 'string') pictureAddress(request.logo);
  return byUrgency(await readReportData(request), request.days ?? DEFAULT_DAYS);
}

/** The data of the report. @throws AnswerlakeError as `buildReport` */
export async function readReportData(request: ReportRequest): Promise<ProjectData[]> {
  await using file = await openPublishedFile(request.path);
  return await readProjects(file, request);
}

/** A name for a project's files that is valid on every file system and not yet in `taken`; adds it there. */
export function filePrefix(name: string | null, id: string, taken: Set<string>): string {
  const plain = (name ?? '')
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-');
  const words = plain.replaceAll(/^-|-$/g, '').slice(0, 40);
  const code = createHash('sha256').update(id).digest('hex').slice(0, 8);
  const prefix = words === '' ? `project-${code}` : taken.has(words) ? `${words}-${code}` : words;
  taken.add(prefix);
  return prefix;
}

/** Ranges that the page offers, in days; 0: all. */
const RANGES = [7, 28, 90, 365, 0] as const;

type DrawnFrame = PageFrame & Pick<ReportRequest, 'days'>;

/** The whole report on one page. */
export function reportPage(projects: readonly ProjectData[], frame: DrawnFrame): Page {
  const { days = DEFAULT_DAYS } = frame;
  const isMany = projects.length > 1;
  const ids = projects.map((_, index) => `project-${index}`);
  const tabs = isMany
    ? markup`<nav class="switch" aria-label="Projects"><a href="#overview">All projects</a>${projects.map((project, index) => markup`<a href="#project-${index}">${projectName(project)}</a>`)}</nav>`
    : '';
  const shown = projects.map((project, index) => inOverview(project, `#project-${index}`));
  const sections = projects.map((project, index) => projectSection(project, index, days));
  const heads = projects.map((project) => pageHead(projectName(project), project.charts, days));
  return pageOf(frame, {
    subject: isMany ? projects.map(projectName).join(', ') : heads.join(''),
    sections: isMany ? ['overview', ...ids] : [],
    controls: markup`${tabs}${rangePicker()}`,
    main: [isMany ? overviewSection(shown, days) : '', projects.length === 0 ? NO_PROJECT : sections],
    data: { days, projects: shown },
  });
}

type AddressOf = (project: ProjectData) => string | null;

/** Only the overview, for an account with many projects that each have a page. */
function overviewPage(projects: readonly ProjectData[], frame: DrawnFrame, addressOf: AddressOf): Page {
  const { days = DEFAULT_DAYS } = frame;
  const shown = projects.map((project) => inOverview(project, addressOf(project)));
  const main = overviewSection(shown, days);
  const data = { days, projects: [] };
  return pageOf(frame, { subject: 'All projects', main, data });
}

function inOverview(project: ProjectData, address: string | null): OverviewProject {
  const { staleMs, charts, end } = project;
  const day = end === null ? '' : `, as of ${formatDay(end)}`;
  const late = staleMs === 0 ? null : `Stale${day}: no new answer for ${ageText(staleMs)}.`;
  return { name: projectName(project), address, staleMs, late, charts };
}

function overviewSection(projects: readonly OverviewProject[], days: number): Markup {
  return markup`<section class="project overview" id="overview" aria-label="All projects"><p class="running" aria-hidden="true">All projects, last ${overviewDays(projects, days)} days</p>
<div class="overview-body">${overviewBody(projects, days)}</div></section>
`;
}

const NO_PROJECT = markup`<p class="empty"><strong>No project yet.</strong> Run a sync first.</p>`;

function rangePicker(): Markup {
  const options = RANGES.map(
    (days) =>
      markup`<label><input type="radio" name="range" value="${days}"><span>${days === 0 ? 'All days' : `${days} days`}</span></label>`,
  );
  return markup`<div class="ranges" role="radiogroup" aria-label="Days shown" hidden>${options}</div>`;
}

// The drawing for readers without scripts, which the page scales.
const HALF_WIDTH = 590;
const WIDE_WIDTH = 1220;

export function projectName(project: Pick<ProjectData, 'name' | 'id'>): string {
  return plainLabel(project.name, plainLabel(project.id));
}

/** Everything of one project. @param days drawn until the page's script redraws them */
function projectSection(project: ProjectData, index: number, days: number): Markup {
  const { charts: data, end, pendingFrom } = project;
  const range = rangeOf(data, days);
  const charts = chartsOf(data, range);
  const current =
    end === null
      ? 'No complete day is stored yet.'
      : `Data through ${formatDay(end)}. ${pendingFrom === null ? 'All figures are final.' : `Figures from ${formatDay(pendingFrom)} on are provisional.`}`;
  const shiftsId = `project-${index}-shifts`;
  const stale = staleWords(project.age);
  return markup`<section class="project${project.staleMs === 0 ? '' : ' stale'}" id="project-${index}" data-project="${index}" aria-labelledby="project-${index}-h">
<p class="running" aria-hidden="true">${pageHead(projectName(project), data, days)}</p>
<h2 id="project-${index}-h"><bdi>${projectName(project)}</bdi></h2>
<p class="meta">${current}</p>${stale === null ? '' : markup`<p class="warn" role="note">${stale}</p>`}
<div class="key-figures">${keyFigures(data, range)}</div>
${charts.filter(({ isWide }) => isWide === true).map((chart) => card(chart, index))}<section class="card" id="${shiftsId}" aria-labelledby="${shiftsId}-h"><h3 id="${shiftsId}-h">Level shifts and the events around them</h3>
<p class="subtitle">Days around which the 14-day average moved more than it usually does, newest first</p>
<div class="shifts-body">${shiftsBody(data, range)}</div></section>
${HOW_TO_READ}<div class="charts">${charts.filter(({ isWide }) => isWide !== true).map((chart) => card(chart, index))}</div>${freshness(project)}</section>
`;
}

/** A chart with its figures as a table; the page's script refills both. */
function card(chart: NamedChart, index: number): Markup {
  const id = `project-${index}-${chart.name}`;
  return markup`<section class="card" id="${id}" data-chart="${chart.name}" aria-labelledby="${id}-h"><h3 id="${id}-h">${chart.title}</h3>
<div class="body">${cardBody(chart, chart.isWide === true ? WIDE_WIDTH : HALF_WIDTH)}</div><details hidden><summary>Show as a table</summary><div class="figures"></div></details></section>
`;
}

const HOW_TO_READ = markup`<section class="card reading"><h3>How to read this report</h3><dl>
<div><dt>Changes</dt><dd>The 95% range says how large a change may really be. An arrow and colour mark a change whose range excludes 0 and that is more than a slow trend.</dd></div>
<div><dt>Three scales</dt><dd>The score is the API’s, from 0 to 100. Shares are percentages of answers that mention a brand. Prompts have an average of their own. None converts into another.</dd></div>
<div><dt>Shaded days, gaps</dt><dd>Shaded days are provisional: later runs may still change them. A gap in a line is a day without a figure, not a zero.</dd></div>
</dl></section>
`;

function freshness({ freshness: rows }: ProjectData): Markup {
  const late = rows.filter(({ status }) => status !== 'current' && status !== 'not_enabled');
  const off = rows.filter(({ status }) => status === 'not_enabled').length;
  const words =
    late.length === 0
      ? `all ${rows.length - off} endpoints are up to date${off === 0 ? '' : `, ${off} not enabled for this project`}.`
      : `${late.length} of ${rows.length} endpoints are not up to date: ${late.map(({ endpoint }) => endpoint).join(', ')}.`;
  const cells = rows.map(({ endpoint, status, last_covered_date: covered, last_error: error }) => {
    return [endpoint, status.replaceAll('_', ' '), covered ?? '–', error ?? ''];
  });
  const table = tableMarkup(['Endpoint', 'Status', 'Covered through', 'Error'], cells);
  return markup`<details class="freshness"><summary>Data: ${words}</summary><div class="scroll">${table}</div></details>`;
}
