import { staleWords } from '../warehouse/freshness.ts';
import { cardBody, chartsOf, pageHead, rangeOf } from './cards.ts';
import type { Chart } from './chart.ts';
import { keyFigures } from './key-figures.ts';
import { markup, type Markup } from './markup.ts';
import type { ProjectData } from './read-projects.ts';
import { shiftsBody } from './shifts.ts';
import { formatDay, plainLabel } from './text.ts';

// What a reader without scripts sees: a page scales these drawings.
const HALF_WIDTH = 590;
const WIDE_WIDTH = 1220;

interface SectionFrame {
  index: number;
  /** Days drawn until the page's script redraws them. */
  days: number;
}

export function nameOf(project: Pick<ProjectData, 'name' | 'id'>): string {
  return plainLabel(project.name, plainLabel(project.id));
}

/** Everything of one project. */
export function projectSection(project: ProjectData, { index, days }: SectionFrame): Markup {
  const { charts: data, end, pendingFrom } = project;
  const range = rangeOf(data, days);
  const charts = chartsOf(data, range);
  const current =
    end === null
      ? 'No complete day is stored yet.'
      : `Data through ${formatDay(end)}. ${pendingFrom === null ? 'All figures are final.' : `Figures from ${formatDay(pendingFrom)} on are provisional.`}`;
  const shiftsId = `project-${index}-shifts`;
  return markup`<section class="project${staleMs(project) === 0 ? '' : ' stale'}" id="project-${index}" data-project="${index}" aria-labelledby="project-${index}-h">
<p class="running" aria-hidden="true">${pageHead(nameOf(project), data, days)}</p>
<h2 id="project-${index}-h"><bdi>${nameOf(project)}</bdi></h2>
<p class="meta">${current}</p>${staleness(project)}
<div class="key-figures">${keyFigures(data, range)}</div>
${charts.filter(({ isWide }) => isWide === true).map((chart) => card(chart, index))}<section class="card" id="${shiftsId}" aria-labelledby="${shiftsId}-h"><h3 id="${shiftsId}-h">Level shifts and the events around them</h3>
<p class="subtitle">Days around which the 14-day average moved more than it usually does, newest first</p>
<div class="shifts-body">${shiftsBody(data, range)}</div></section>
${HOW_TO_READ}<div class="charts">${charts.filter(({ isWide }) => isWide !== true).map((chart) => card(chart, index))}</div>${freshness(project)}</section>
`;
}

/** A chart with its figures as a table; the page's script fills in both again. */
function card(chart: Chart, index: number): Markup {
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

/** Milliseconds since the newest answer, where that is more than it should be; else 0. */
export function staleMs({ age }: Pick<ProjectData, 'age'>): number {
  return age?.isStale === true ? age.ageMs : 0;
}

function staleness({ age }: ProjectData): Markup | string {
  const words = age === null ? null : staleWords(age);
  return words === null ? '' : markup`<p class="warn" role="note">${words}</p>`;
}

function freshness({ freshness: rows }: ProjectData): Markup {
  const late = rows.filter(({ status }) => status !== 'current' && status !== 'not_enabled');
  const off = rows.filter(({ status }) => status === 'not_enabled').length;
  const words =
    late.length === 0
      ? `all ${rows.length - off} endpoints are up to date${off === 0 ? '' : `, ${off} not enabled for this project`}.`
      : `${late.length} of ${rows.length} endpoints are not up to date: ${late.map(({ endpoint }) => endpoint).join(', ')}.`;
  const body = rows.map(
    (row) =>
      markup`<tr><th scope="row">${row.endpoint}</th><td>${row.status.replaceAll('_', ' ')}</td><td>${row.last_covered_date ?? '–'}</td><td>${row.last_error ?? ''}</td></tr>`,
  );
  return markup`<details class="freshness"><summary>Data: ${words}</summary><div class="scroll"><table><thead><tr><th scope="col">Endpoint</th><th scope="col">Status</th><th scope="col">Covered through</th><th scope="col">Error</th></tr></thead><tbody>${body}</tbody></table></div></details>`;
}
