import { createHash } from 'node:crypto';
import { Markup, markup } from './markup.ts';
import { formatInstant } from './numbers.ts';
import { overviewSection, type ProjectLink } from './overview.ts';
import { packCharts } from './packed-charts.ts';
import { pageScript } from './page-script.ts';
import { pageStyle } from './page-style.ts';
import { nameOf, projectSection } from './project-section.ts';
import type { ProjectData } from './report-data.ts';

export interface PageFrame {
  now: number;
  /** Days shown first; 0: all. */
  days: number;
}

/** Ranges that the page offers, in days; 0: all. */
export const RANGES = [28, 90, 365, 0] as const;

/** The whole report as one HTML document that asks for nothing else. */
export function reportPage(projects: readonly ProjectData[], frame: PageFrame): string {
  const isMany = projects.length > 1;
  const openHere: ProjectLink = (project, index) =>
    markup`<label class="open" for="pick-${index}"><bdi>${nameOf(project)}</bdi></label>`;
  const names = projects.map((project) => nameOf(project));
  const picks = isMany
    ? [pick('all', 'All projects', true), ...names.map((name, index) => pick(String(index), name, false))]
    : [pick('0', names[0] ?? '', true)];
  const tabs = isMany
    ? markup`<div class="switch" aria-hidden="true"><label for="pick-all">All projects</label>${names.map((name, index) => markup`<label for="pick-${index}">${name}</label>`)}</div>`
    : '';
  const sections = [
    isMany ? overviewSection(projects, openHere) : '',
    ...projects.map((project, index) => projectSection(project, { index, ...frame })),
  ];
  return documentOf({
    title: isMany ? 'AI answer visibility' : titleOf(names[0]),
    style: pageStyle(isMany ? ['all', ...names.keys()] : projects.length === 0 ? [] : [0]),
    before: projects.length === 0 ? '' : markup`${picks}`,
    controls: markup`${tabs}${rangePicker()}`,
    main: projects.length === 0 ? NO_PROJECT : markup`${sections}`,
    data: { days: frame.days, projects: projects.map(({ charts }) => packCharts(charts)) },
    now: frame.now,
  });
}

/** The overview alone, for an account of many projects, each with a page of its own. */
export function overviewPage(
  projects: readonly ProjectData[],
  { now }: PageFrame,
  link: ProjectLink,
): string {
  return documentOf({
    title: 'AI answer visibility',
    style: pageStyle([]),
    before: '',
    controls: '',
    main: overviewSection(projects, link),
    data: null,
    now,
  });
}

const NO_PROJECT = markup`<p class="empty"><strong>No project yet.</strong> Run a sync first.</p>`;

function titleOf(name: string | undefined): string {
  return name === undefined ? 'AI answer visibility' : `${name} · AI answer visibility`;
}

function pick(value: string, name: string, isChecked: boolean): Markup {
  const hash = value === 'all' ? 'overview' : `project-${value}`;
  return markup`<input class="pick" type="radio" name="project" id="pick-${value}" value="${hash}" aria-label="Show ${name}"${isChecked ? markup` checked` : ''}>`;
}

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
  before: Markup | string;
  controls: Markup | string;
  main: Markup;
  /** What the page draws from; null: nothing is drawn. */
  data: unknown;
  now: number;
}

function documentOf({ title, style, before, controls, main, data, now }: DocumentParts): string {
  const script = data === null ? '' : pageScript();
  const allowed =
    data === null ? "'none'" : `'sha256-${createHash('sha256').update(script).digest('base64')}'`;
  const policy = `default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src ${allowed}; base-uri 'none'; form-action 'none'`;
  const scripts =
    data === null
      ? ''
      : markup`<script type="application/json" id="report-data">${new Markup(safeJson(data))}</script>
<script>${new Markup(script)}</script>`;
  return markup`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}"><meta name="color-scheme" content="light dark"><meta name="referrer" content="no-referrer">
<title>${title}</title><link rel="icon" href="data:,">
<style>${new Markup(style)}</style></head>
<body>${before}
<header><h1>AI answer visibility</h1><p class="meta">Written ${formatInstant(now)} from the published warehouse file. Days are UTC; the day of the sync, which is not over, is left out.</p><div class="controls">${controls}</div></header>
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
