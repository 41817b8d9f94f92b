import { createHash } from 'node:crypto';
import { openDatabase } from '../warehouse/database.ts';
import { type Child, markup, Markup } from './markup.ts';
import { changeMarkup, headlineOf, HOW_TO_READ, kpiOf, MEASURES, sparkLine } from './key-figures.ts';
import { nameOf, projectSection, staleHours } from './project-section.ts';
import { readProjects, type ProjectData } from './read-projects.ts';
import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { AnswerlakeError, messageOf } from '../errors.ts';
import { PACKAGE_ROOT } from '../package.ts';
import { ageText } from '../warehouse/freshness.ts';
import { pageStyle } from './style.ts';
import { formatDay, formatInstant } from './text.ts';

/** Days shown unless asked otherwise. */
export const DEFAULT_DAYS = 90;

/** More projects than these get a page each, and an overview. */
const MAX_TOGETHER = 6;

export interface ReportRequest {
  /** The published file; it is opened read-only. */
  path: string;
  /** One project; every project when left out. */
  projectId?: string | undefined;
  /** Days shown first, the newest last; 90 when left out, 0: all. */
  days?: number | undefined;
  /** Milliseconds since the epoch: when the page says it was written. */
  now: number;
  /** `freshness.max_age` of the configuration, in milliseconds; what the newest run has left when it is null. */
  maxAgeMs?: number | null;
  /** Heading of the page. */
  title?: string;
  /** Path of a picture beside the heading. */
  logo?: string | null;
  /** Where the page of a project is found, for the overview of many; without it the overview has no links. */
  pageOf?: (projectId: string) => string;
}

/** One file of a report. */
export interface ReportFile {
  /** Beside the first file, with slashes; null: the first file itself. */
  name: string | null;
  html: string;
}

/**
 * The report as one self-contained HTML document that needs no network, no other file and no JavaScript; of more than
 * a handful of projects the overview alone.
 * @throws AnswerlakeError 'configuration' for a project the file has not, 'storage' when the file cannot be read
 */
export async function buildReport(request: ReportRequest): Promise<string> {
  const projects = byUrgency(await readReportData(request));
  return projects.length <= MAX_TOGETHER
    ? reportPage(projects, request)
    : overviewPage(projects, request, (project) => linkTo(project, request.pageOf?.(project.id)));
}

/**
 * The report as files: one, or of more than a handful of projects an overview and a page a project in `folder`, which
 * lies beside the overview.
 * @throws AnswerlakeError as `buildReport`
 */
export async function* buildReportFiles(request: ReportRequest, folder: string): AsyncGenerator<ReportFile> {
  const projects = byUrgency(await readReportData(request));
  if (projects.length <= MAX_TOGETHER) {
    yield { name: null, html: reportPage(projects, request) };
    return;
  }
  const taken = new Set<string>();
  const names = projects.map(({ name, id }) => `${folder}/${filePrefix(name, id, taken)}.html`);
  for (const [index, project] of projects.entries()) {
    yield { name: names[index] ?? '', html: reportPage([project], request) };
  }
  // Last, so that its links lead somewhere.
  yield {
    name: null,
    html: overviewPage(projects, request, (project, index) => linkTo(project, encodeURI(names[index] ?? ''))),
  };
}

/** Projects that need a look first: those without new days, then those that fell most clearly. */
function byUrgency(projects: readonly ProjectData[]): ProjectData[] {
  const urgencyOf = (project: ProjectData): number =>
    1000 * staleHours(project) + headlineOf(project.charts).urgency;
  return projects.toSorted((a, b) => urgencyOf(b) - urgencyOf(a));
}

function linkTo(project: ProjectData, address: string | undefined): Markup {
  const name = markup`<bdi>${nameOf(project)}</bdi>`;
  return address === undefined ? name : markup`<a class="open" href="${address}">${name}</a>`;
}

/** What the report is drawn from. @throws AnswerlakeError as `buildReport` */
export async function readReportData({
  path,
  projectId,
  now,
  maxAgeMs,
}: ReportRequest): Promise<ProjectData[]> {
  await using database = await openDatabase({ path, readOnly: true });
  const connection = await database.connect();
  return await readProjects(connection, { called: projectId, now, maxAgeMs });
}

/** A name for a project's files, safe on every file system, and not among `taken`, where it is added. */
export function filePrefix(name: string | null, id: string, taken: Set<string>): string {
  const words = (name ?? '')
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 40);
  const code = createHash('sha256').update(id).digest('hex').slice(0, 8);
  const prefix = words === '' ? `project-${code}` : taken.has(words) ? `${words}-${code}` : words;
  taken.add(prefix);
  return prefix;
}

const TITLE = 'AI answer visibility';
const PICTURES: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.svg': 'image/svg+xml',
};

/** @throws AnswerlakeError 'configuration' for a logo that cannot be read */
function pictureAddress(path: string): string {
  const type = PICTURES[extname(path).toLowerCase()];
  try {
    if (type === undefined) throw new Error('it is neither PNG nor JPEG nor SVG');
    return `data:${type};base64,${readFileSync(path).toString('base64')}`;
  } catch (cause) {
    throw new AnswerlakeError(`report.logo: ${path} cannot be used: ${messageOf(cause)}`, {
      class: 'configuration',
      cause,
    });
  }
}

type PageFrame = Pick<ReportRequest, 'now' | 'days' | 'title' | 'logo'>;

/** Ranges that the page offers, in days; 0: all. */
const RANGES = [7, 28, 90, 365, 0] as const;

/** The whole report as one HTML document that loads no other file. */
export function reportPage(projects: readonly ProjectData[], frame: PageFrame): string {
  const { days = DEFAULT_DAYS, title = TITLE } = frame;
  const isMany = projects.length > 1;
  const openHere: ProjectLink = (project, index) => linkTo(project, `#project-${index}`);
  const [first] = projects;
  const tabs = isMany
    ? markup`<nav class="switch" aria-label="Projects"><a href="#overview">All projects</a>${projects.map((project, index) => markup`<a href="#project-${index}">${nameOf(project)}</a>`)}</nav>`
    : '';
  const sections = projects.map((project, index) => projectSection(project, { index, days }));
  return documentOf(frame, {
    title: isMany || first === undefined ? title : `${nameOf(first)} · ${title}`,
    style: pageStyle(isMany ? ['overview', ...projects.map((_, index) => `project-${index}`)] : []),
    controls: markup`${tabs}${rangePicker()}`,
    main: isMany
      ? [overviewSection(projects, openHere), ...sections]
      : sections.length === 0
        ? NO_PROJECT
        : sections,
    data: { days, projects: projects.map(({ charts }) => charts) },
  });
}

/** The overview alone, for an account of many projects, each with a page of its own. */
function overviewPage(projects: readonly ProjectData[], frame: PageFrame, link: ProjectLink): string {
  return documentOf(frame, {
    title: frame.title ?? TITLE,
    style: pageStyle([]),
    main: overviewSection(projects, link),
  });
}

const NO_PROJECT = markup`<p class="empty"><strong>No project yet.</strong> Run a sync first.</p>`;

function rangePicker(): Markup {
  const options = RANGES.map(
    (days) =>
      markup`<label><input type="radio" name="range" value="${days}"><span>${days === 0 ? 'All days' : `${days} days`}</span></label>`,
  );
  return markup`<div class="ranges" role="radiogroup" aria-label="Days shown" hidden>${options}</div>`;
}

interface DocumentParts {
  title: string;
  style: string;
  controls?: Child;
  main: Child;
  /** What the page draws from; without it nothing is drawn. */
  data?: unknown;
}

/** The drawing code, bundled by `npm run build`: the same functions draw here and in the page. */
const SCRIPT = join(PACKAGE_ROOT, 'dist', 'src', 'report', 'page-script.js');

function documentOf(frame: PageFrame, parts: DocumentParts): string {
  const { title, style, controls = '', main, data } = parts;
  const { now, title: heading = TITLE, logo = null } = frame;
  const script = data === undefined ? '' : readFileSync(SCRIPT, 'utf8');
  const allowed =
    data === undefined ? "'none'" : `'sha256-${createHash('sha256').update(script).digest('base64')}'`;
  const policy = `default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src ${allowed}; base-uri 'none'; form-action 'none'`;
  const scripts =
    data === undefined
      ? ''
      : markup`<script type="application/json" id="report-data">${new Markup(safeJson(data))}</script>
<script>${new Markup(script)}</script>`;
  return markup`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}"><meta name="color-scheme" content="light dark"><meta name="referrer" content="no-referrer">
<title>${title}</title><link rel="icon" href="data:,">
<style>${new Markup(style)}</style></head>
<body>
<header>${logo === null ? '' : markup`<img class="logo" src="${pictureAddress(logo)}" alt="">`}<h1>${heading}</h1><p class="meta">Written ${formatInstant(now)} from the published warehouse file. Days are UTC; the day of the sync, which is not over, is left out.</p><div class="controls">${controls}</div></header>
<main>${main}</main>
<footer><p><span class="ground"></span>Grey ground: days that may still change. A gap in a line is a day without a figure, not a zero.</p></footer>
<div id="tooltip" aria-hidden="true" hidden></div><div id="crosshair" aria-hidden="true" hidden></div>
${scripts}
</body></html>
`.text;
}

/** JSON that cannot end the element it stands in. */
function safeJson(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', String.raw`\u003c`);
}

const OVERVIEW_DAYS = 28;

// Columns of the overview; a page of a project has all.
const SHOWN = ['visibility', 'share_of_voice', 'net_sentiment_known', 'citations', 'ai_visits'];

/** How a project is opened from the overview. */
type ProjectLink = (project: ProjectData, index: number) => Markup;

/** Every project on one page, a line each. */
function overviewSection(projects: readonly ProjectData[], link: ProjectLink): Markup {
  const measures = MEASURES.filter(({ key }) => SHOWN.includes(key));
  const head = measures.map(
    ({ title, hint }) => markup`<th scope="col" class="n">${title}<span class="usual">${hint}</span></th>`,
  );
  const rows = projects.map((project, index) => {
    const cells = measures.map((measure) => {
      const kpi = kpiOf(project.charts, measure.key, OVERVIEW_DAYS);
      if (kpi === undefined || kpi.value === null)
        return markup`<td class="n none" data-title="${measure.title}">–</td>`;
      const figures = project.charts.daily[measure.key].slice(-DEFAULT_DAYS);
      return markup`<td class="n" data-title="${measure.title}"><span class="figure">${measure.format(kpi.value)}</span><span class="kpi-change">${changeMarkup(measure, kpi)}</span>${sparkLine(figures)}</td>`;
    });
    const { age, end } = project;
    const isStale = age?.isStale === true;
    const late = isStale
      ? markup`<strong>Stale${end === null ? '' : `, as of ${formatDay(end)}`}: no new answer for ${ageText(age.ageMs)}.</strong> `
      : '';
    return markup`<tr${isStale ? markup` class="stale"` : ''}><th scope="row">${link(project, index)}<p class="usual">${late}${headlineOf(project.charts).words}</p></th>${cells}</tr>
`;
  });
  return markup`<section class="project overview" id="overview" aria-labelledby="overview-h"><h2 id="overview-h">All projects</h2>
<p class="meta lead">Most urgent first. Last ${OVERVIEW_DAYS} whole days against the ${OVERVIEW_DAYS} before; lines show ${DEFAULT_DAYS} days. ${HOW_TO_READ}</p>
<div class="card scroll-x"><table class="board"><thead><tr><th scope="col">Project</th>${head}</tr></thead><tbody>${rows}</tbody></table></div></section>
`;
}
