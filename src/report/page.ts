import { createHash } from 'node:crypto';
import { dayNumber, dayOf } from '../day.ts';
import { chartsOf } from './all-charts.ts';
import { chartCard } from './chart-card.ts';
import { kpiCards } from './kpi-cards.ts';
import { plainLabel } from './label.ts';
import { Markup, markup } from './markup.ts';
import { formatDay, formatDays, formatInstant } from './numbers.ts';
import { PAGE_SCRIPT } from './page-script.ts';
import { pageStyle } from './page-style.ts';
import type { ProjectData } from './project-data.ts';

/** Days behind after which the page warns: one is usual, two may be a run still to come. */
const STALE_DAYS = 3;

/** The whole report as one HTML document that asks for nothing else. */
export async function reportPage(projects: readonly ProjectData[], now: number): Promise<string> {
  const style = pageStyle(projects.length);
  const sections: Markup[] = [];
  for (const [index, project] of projects.entries())
    sections.push(await projectSection(project, { index, now }));
  const policy = `default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'sha256-${createHash('sha256').update(PAGE_SCRIPT).digest('base64')}'; base-uri 'none'; form-action 'none'`;
  const page = markup`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}"><meta name="color-scheme" content="light dark"><meta name="referrer" content="no-referrer">
<title>${titleOf(projects)}</title><link rel="icon" href="data:,">
<style>${new Markup(style)}</style></head>
<body>${projects.map((_, index) => pick(projects, index))}
<header><h1>AI answer visibility</h1><p class="meta">Written ${formatInstant(now)} from the published warehouse file; days are UTC.</p>${projectSwitch(projects)}</header>
<main>${sections.length === 0 ? markup`<p class="empty"><strong>No project yet.</strong> Run a sync first.</p>` : sections}</main>
<footer><p><span class="ground"></span>Grey ground and pale bars: days that may still change. A gap in a line is a day without a figure, not a zero.</p></footer>
<div id="tooltip" aria-hidden="true" hidden></div>
<script>${new Markup(PAGE_SCRIPT)}</script>
</body></html>
`;
  return page.text;
}

function titleOf(projects: readonly ProjectData[]): string {
  const only = projects.length === 1 ? projects[0] : undefined;
  return only === undefined
    ? 'AI answer visibility'
    : `${plainLabel(only.name, only.id)} · AI answer visibility`;
}

function pick(projects: readonly ProjectData[], index: number): Markup {
  const name = nameOf(projects, index);
  return markup`<input class="pick" type="radio" name="project" id="pick-${index}" value="project-${index}" aria-label="Show project ${name}"${index === 0 ? markup` checked` : ''}${projects.length === 1 ? markup` hidden` : ''}>`;
}

function nameOf(projects: readonly ProjectData[], index: number): string {
  const project = projects[index];
  return plainLabel(project?.name ?? null, plainLabel(project?.id ?? null));
}

function projectSwitch(projects: readonly ProjectData[]): Markup {
  if (projects.length < 2) return markup``;
  return markup`<div class="switch" aria-hidden="true">${projects.map((_, index) => markup`<label for="pick-${index}">${nameOf(projects, index)}</label>`)}</div>`;
}

async function projectSection(
  project: ProjectData,
  { index, now }: { index: number; now: number },
): Promise<Markup> {
  const cards: Markup[] = [];
  for (const chart of chartsOf(project)) cards.push(await chartCard(chart, `project-${index}-${chart.name}`));
  const pending =
    project.pendingFrom === null
      ? 'all days are final'
      : `days from ${formatDay(project.pendingFrom)} may still change`;
  return markup`<section class="project" id="project-${index}" aria-labelledby="project-${index}-h">
<h2 id="project-${index}-h"><bdi>${plainLabel(project.name, plainLabel(project.id))}</bdi></h2>
<p class="meta">${formatDays(project.start, project.end)} · current to ${formatDay(project.end)}, the last whole day before the newest sync · ${pending}</p>${staleness(project, now)}
${kpiCards(project)}
<div class="charts">${cards}</div></section>
`;
}

function staleness(project: ProjectData, now: number): Markup {
  const behind = dayNumber(dayOf(now)) - dayNumber(project.end);
  if (behind < STALE_DAYS) return markup``;
  return markup`<p class="warn" role="note">The newest day is ${behind} days before this page was written: look at the sync.</p>`;
}
