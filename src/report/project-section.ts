import { cardBody, chartsOf, rangeOf } from './cards.ts';
import { headlineOf, measureWords, tiles } from './key-figures.ts';
import { markup, type Markup } from './markup.ts';
import { staleWords } from '../warehouse/freshness.ts';
import type { ProjectData, Shift } from './read-projects.ts';
import { formatDay, plainLabel } from './text.ts';

const MAX_SHIFTS = 6;

// What a reader without scripts sees: a page scales these drawings.
const HALF_WIDTH = 590;
const WIDE_WIDTH = 1220;

interface SectionFrame {
  index: number;
  /** Days drawn until the page's script redraws them. */
  days: number;
}

export function nameOf(project: ProjectData): string {
  return plainLabel(project.name, plainLabel(project.id));
}

const SCALES =
  'Three scales of visibility stand on this page, and none converts into another: the score (the API’s, 0 to 100, by day and model), the share (percent of answers that name a brand) and the prompt scale (the average that the prompt list gives each prompt).';

/** Everything of one project. */
export function projectSection(project: ProjectData, { index, days }: SectionFrame): Markup {
  const { charts: data, end, pendingFrom } = project;
  const range = rangeOf(data, days);
  const cards = chartsOf(data, range).map((chart) => {
    const id = `project-${index}-${chart.name}`;
    return markup`<section class="card${chart.isWide === true ? ' wide-card' : ''}" id="${id}" data-chart="${chart.name}" aria-labelledby="${id}-h"><h3 id="${id}-h">${chart.title}</h3>
<div class="body">${cardBody(chart, chart.isWide === true ? WIDE_WIDTH : HALF_WIDTH)}</div><details hidden><summary>Figures as a table</summary><div class="figures"></div></details></section>
`;
  });
  const isStale = staleHours(project) > 0;
  const current =
    end === null
      ? 'No whole day is stored yet.'
      : `${isStale ? 'Figures reach' : 'Current'} to ${formatDay(end)}, the last whole day. ${pendingFrom === null ? 'All days are final.' : `Days from ${formatDay(pendingFrom)} may still change.`}`;
  const day = isStale && end !== null ? markup`<span class="as-of">As of ${formatDay(end)}:</span> ` : '';
  return markup`<section class="project${isStale ? ' stale' : ''}" id="project-${index}" data-project="${index}" aria-labelledby="project-${index}-h">
<h2 id="project-${index}-h"><bdi>${nameOf(project)}</bdi></h2>
<p class="headline">${day}${headlineOf(data).words}</p>
<p class="meta">${current}</p>${staleness(project)}
<div class="tiles">${tiles(data, days, range)}</div>
<div class="charts">${cards.slice(0, 1)}${shiftsCard(project, index)}${cards.slice(1)}</div><p class="meta">${SCALES}</p>${freshness(project)}</section>
`;
}

/** Hours since the newest answer, where that is more than it should be; else 0. */
export function staleHours({ age }: ProjectData): number {
  return age?.isStale === true ? age.ageMs / 3_600_000 : 0;
}

function staleness({ age }: ProjectData): Markup | string {
  const words = age === null ? null : staleWords(age);
  return words === null ? '' : markup`<p class="warn" role="note">${words}</p>`;
}

/** A shift in words. */
function shiftWords({ measure, value_before: before, value_after: after }: Shift): string {
  const { title, format } = measureWords(measure);
  const words = `${title} ${after > before ? 'rose' : 'fell'} from ${format(before)} to ${format(after)}`;
  return words.replaceAll(' %', '\u00A0%');
}

/** A shift can only be recognised once the typical change is known. */
function noShift({ charts }: ProjectData): Markup {
  return charts.kpis.some((kpi) => kpi.typical_change !== null)
    ? markup`<p class="empty"><strong>No shift.</strong> No measure left its usual range.</p>`
    : markup`<p class="empty"><strong>Not known yet.</strong> It takes about 70 days with figures to know the usual range.</p>`;
}

function shiftsCard(project: ProjectData, index: number): Markup {
  const { shifts } = project;
  const id = `project-${index}-shifts`;
  const items = shifts.slice(0, MAX_SHIFTS).map((shift) => {
    const causes =
      shift.candidates_count === 0
        ? 'Nothing was recorded from 14 days before to 5 days after.'
        : `From 14 days before to 5 days after: ${plainLabel(shift.candidate_titles, `${shift.candidates_count} events`)}`;
    return markup`<li><strong>${formatDay(shift.date)}</strong> <span>${shiftWords(shift)}</span><span class="causes">${causes}</span></li>`;
  });
  return markup`<section class="card wide-card" id="${id}" aria-labelledby="${id}-h"><h3 id="${id}-h">Where the level shifted, and what happened then</h3>
<p class="subtitle">14-day means on either side, beyond the usual variation of the series; newest first, whatever days are chosen</p>
${items.length === 0 ? noShift(project) : markup`<ul class="shifts">${items}</ul>`}<p class="note">What happened then may have caused it, or not.</p></section>`;
}

function freshness({ freshness: rows }: ProjectData): Markup {
  const late = rows.filter(({ status }) => status !== 'current' && status !== 'not_enabled');
  const off = rows.filter(({ status }) => status === 'not_enabled').length;
  const words =
    late.length === 0
      ? `All ${rows.length - off} endpoints that are asked for are current${off === 0 ? '' : `; ${off} are not enabled for this project`}.`
      : `${late.length} of ${rows.length} endpoints are not current: ${late.map(({ endpoint }) => endpoint).join(', ')}.`;
  const body = rows.map(
    (row) =>
      markup`<tr><th scope="row">${row.endpoint}</th><td>${row.status.replaceAll('_', ' ')}</td><td>${row.last_covered_date ?? '–'}</td><td>${row.last_error ?? ''}</td></tr>`,
  );
  return markup`<details class="freshness"><summary>Data: ${words}</summary><div class="scroll"><table><thead><tr><th scope="col">Endpoint</th><th scope="col">Newest run</th><th scope="col">Covered to</th><th scope="col">Error</th></tr></thead><tbody>${body}</tbody></table></div></details>`;
}
