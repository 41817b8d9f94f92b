import { addDays, dayNumber, dayOf } from '../day.ts';
import { cardBody, chartsOf, rangeOf } from './cards.ts';
import { linePath } from './draw-time.ts';
import { markup, type Markup } from './markup.ts';
import type { Kpi, ProjectData, Shift } from './read-projects.ts';
import {
  formatDay,
  formatDays,
  plainLabel,
  formatPercent,
  formatScore,
  formatShortCount,
  withSign,
} from './text.ts';

/** Days behind after which the page warns: one is usual, two may be a run still to come. */
const STALE_DAYS = 3;
const MAX_SHIFTS = 6;

// What a reader without scripts sees: a page scales these drawings.
const HALF_WIDTH = 590;
const WIDE_WIDTH = 1220;

interface SectionFrame {
  index: number;
  now: number;
  /** Days drawn until the page's script redraws them. */
  days: number;
}

export function nameOf(project: ProjectData): string {
  return plainLabel(project.name, plainLabel(project.id));
}

/** Everything of one project. */
export function projectSection(project: ProjectData, { index, now, days }: SectionFrame): Markup {
  const { charts: data, end, pendingFrom } = project;
  const cards = chartsOf(data, rangeOf(data, days)).map((chart) => {
    const id = `project-${index}-${chart.name}`;
    return markup`<section class="card${chart.isWide === true ? ' wide-card' : ''}" id="${id}" data-chart="${chart.name}" aria-labelledby="${id}-h"><h3 id="${id}-h">${chart.title}</h3>
<div class="body">${cardBody(chart, chart.isWide === true ? WIDE_WIDTH : HALF_WIDTH)}</div><details hidden><summary>Figures as a table</summary><div class="figures"></div></details></section>
`;
  });
  const current =
    end === null
      ? 'No whole day is stored yet.'
      : `Current to ${formatDay(end)}, the last whole day. ${pendingFrom === null ? 'All days are final.' : `Days from ${formatDay(pendingFrom)} may still change.`}`;
  return markup`<section class="project" id="project-${index}" data-project="${index}" aria-labelledby="project-${index}-h">
<h2 id="project-${index}-h"><bdi>${nameOf(project)}</bdi></h2>
<p class="meta">${current}</p>${staleness(project, now)}
${tiles(project)}
<div class="charts">${cards.slice(0, 1)}${shiftsCard(project, index)}${cards.slice(1)}</div>${freshness(project)}</section>
`;
}

function staleness({ end }: ProjectData, now: number): Markup | string {
  const behind = end === null ? 0 : dayNumber(dayOf(now)) - dayNumber(end);
  if (behind < STALE_DAYS) return '';
  return markup`<p class="warn" role="note">The newest day is ${behind} days before this page was written: look at the sync.</p>`;
}

/** A shift in words. */
export function shiftWords({ measure, value_before: before, value_after: after }: Shift): string {
  const { title, format } = measureWords(measure);
  const words = `${title} ${after > before ? 'rose' : 'fell'} from ${format(before)} to ${format(after)}`;
  return words.replaceAll(' %', '\u00A0%');
}

/** A shift can only be recognised once the typical change is known. */
export function noShift(projects: readonly Pick<ProjectData, 'kpis'>[]): Markup {
  return projects.some(({ kpis }) => kpis.some((kpi) => kpi.typical_change !== null))
    ? markup`<p class="empty"><strong>No shift.</strong> No measure left its usual range.</p>`
    : markup`<p class="empty"><strong>Not known yet.</strong> It takes about 70 days with figures to know the usual range.</p>`;
}

function shiftsCard(project: ProjectData, index: number): Markup {
  const { shifts } = project;
  const id = `project-${index}-shifts`;
  const items = shifts.slice(0, MAX_SHIFTS).map((shift) => {
    const causes =
      shift.candidates_count === 0
        ? 'Nothing was recorded in the 14 days before.'
        : `In the 14 days before: ${plainLabel(shift.candidate_titles, `${shift.candidates_count} events`)}`;
    return markup`<li><strong>${formatDay(shift.date)}</strong> <span>${shiftWords(shift)}</span><span class="causes">${causes}</span></li>`;
  });
  return markup`<section class="card wide-card" id="${id}" aria-labelledby="${id}-h"><h3 id="${id}-h">Where the level shifted, and what went before</h3>
<p class="subtitle">14-day means on either side, beyond the usual variation of the series; newest first</p>
${items.length === 0 ? noShift([project]) : markup`<ul class="shifts two">${items}</ul>`}<p class="note">What went before may have caused it, or not.</p></section>`;
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

/** Days of a window of the key figures, as in `kpis.sql`. */
const KPI_DAYS = 28;

/** The newest 28 days beside the 28 before. */
function tiles(project: ProjectData): Markup {
  const { end } = project;
  const window = end === null ? '' : `${formatDays(addDays(end, 1 - KPI_DAYS), end)}, `;
  return markup`<p class="meta lead">Last 28 whole days: ${window}against the 28 before. Colour and arrow mark changes beyond the usual variation of the series.</p>
<div class="kpis" role="list">${MEASURES.map((measure) => tile(measure, project))}${actionsTile(project)}</div>`;
}

function tile(measure: Measure, { kpis, charts }: ProjectData): Markup {
  const kpi = kpis.find(({ measure: key }) => key === measure.key);
  const value = kpi?.value ?? null;
  const spark = measure.key === 'visibility' ? sparkLine(charts.daily.visibility.slice(-90)) : '';
  return markup`<div class="kpi" role="listitem"><div class="kpi-title">${measure.title}</div>
<div class="kpi-value">${value === null ? markup`<span class="none">no data</span>` : measure.format(value)}</div>
<div class="kpi-change">${kpi === undefined || value === null ? '' : changeMarkup(measure, kpi)}</div>
<div class="kpi-hint">${measure.hint}${goalOf(measure, kpi)}</div>${spark}</div>
`;
}

function goalOf(measure: Measure, kpi: Kpi | undefined): string {
  return kpi === undefined || kpi.goal === null ? '' : ` · goal ${measure.format(kpi.goal)}`;
}

/** A change with its tone, in words for those who do not see it. */
export function changeMarkup(measure: Measure, kpi: Kpi): Markup | string {
  const words = changeWords(measure, kpi);
  if (words === null) return 'no comparison: too few days';
  const judged = words.tone === 'flat' ? '' : words.tone === 'good' ? ' (better)' : ' (worse)';
  const arrow = words.arrow === null ? '' : markup`<span aria-hidden="true">${words.arrow}</span> `;
  return markup`<span class="${words.tone}">${arrow}${words.text}<span class="hidden">${judged}</span></span> <span class="usual">${words.usual}</span>`;
}

function actionsTile({ charts }: ProjectData): Markup {
  const from = charts.days - KPI_DAYS;
  const count = charts.events.filter(({ day, type }) => type === 'action' && day >= from).length;
  return markup`<div class="kpi" role="listitem"><div class="kpi-title">Actions completed</div><div class="kpi-value">${count}</div><div class="kpi-change"></div><div class="kpi-hint">in these 28 days</div></div>
`;
}

/** A line of days without axes, broken where there is no figure. */
export function sparkLine(figures: readonly (number | null)[]): Markup | string {
  const known = figures.filter((figure) => figure !== null);
  if (known.length < 2) return '';
  const low = known.reduce((a, b) => Math.min(a, b));
  const span = known.reduce((a, b) => Math.max(a, b)) - low || 1;
  const step = 100 / (figures.length - 1);
  const path = linePath(
    figures,
    (day) => day * step,
    (value) => 26 - ((value - low) / span) * 24,
  );
  return markup`<svg class="spark" viewBox="0 0 1000 280" preserveAspectRatio="none" aria-hidden="true"><path d="${path}" fill="none" stroke="var(--ownsoft)" stroke-width="1.5" vector-effect="non-scaling-stroke"/></svg>`;
}

/** A measure of `main.kpi_changes`, in words. */
interface Measure {
  key: string;
  title: string;
  hint: string;
  format: (value: number, like?: number) => string;
  /** How a change is said: in the measure's own unit, in points, or relative to before. */
  change: 'own' | 'points' | 'relative';
  /** Null: neither more nor less is better. */
  better: 'more' | null;
}

export const MEASURES: readonly Measure[] = [
  {
    key: 'visibility',
    title: 'Visibility score',
    hint: 'the API’s score, 0 to 100',
    format: formatScore,
    change: 'own',
    better: 'more',
  },
  {
    key: 'share_of_voice',
    title: 'Share of voice',
    hint: 'organic answers that name the brand',
    format: formatPercent,
    change: 'points',
    better: 'more',
  },
  {
    key: 'sentiment',
    title: 'Sentiment score',
    hint: 'the API’s score, 0 to 100',
    format: formatScore,
    change: 'own',
    better: 'more',
  },
  {
    key: 'net_sentiment_known',
    title: 'Net sentiment',
    hint: 'positive less negative, of known answers',
    format: formatPercent,
    change: 'points',
    better: 'more',
  },
  {
    key: 'citations',
    title: 'Citations',
    hint: 'a day, in AI answers',
    format: formatShortCount,
    change: 'relative',
    better: 'more',
  },
  {
    key: 'crawler_requests',
    title: 'AI crawler requests',
    hint: 'a day, to your site',
    format: formatShortCount,
    change: 'relative',
    better: null,
  },
  {
    key: 'ai_visits',
    title: 'Visits from AI',
    hint: 'a day, to your site',
    format: formatShortCount,
    change: 'relative',
    better: 'more',
  },
];

/** Title of a measure and how its values are written. */
function measureWords(key: string): Pick<Measure, 'title' | 'format'> {
  return (
    MEASURES.find((measure) => measure.key === key) ?? {
      title: key.replaceAll('_', ' '),
      format: formatScore,
    }
  );
}

/** A change in words: how much, whether that is clear, and how to colour it. */
interface ChangeWords {
  text: string;
  tone: 'good' | 'bad' | 'flat';
  /** Only where the change is clear. */
  arrow: '▲' | '▼' | null;
  /** The change compared with the usual variation of the series. */
  usual: string;
}

/** Null: there is nothing to compare with. */
export function changeWords(measure: Measure, kpi: Kpi): ChangeWords | null {
  const { change, previous_value: previous, typical_change: typical } = kpi;
  if (change === null || previous === null) return null;
  const sized = (size: number): string => {
    switch (measure.change) {
      case 'own':
        return measure.format(size, previous);
      case 'points':
        return `${size.toFixed(1)} pts`;
      case 'relative':
        return previous === 0 ? measure.format(size) : formatPercent((100 * size) / previous);
      default:
        return measure.change satisfies never;
    }
  };
  const text = withSign(change, sized);
  // A slow trend may make a small change clear against the trend; beside the usual size it would read as a mistake.
  const isClear = kpi.is_clear && typical !== null && Math.abs(change) > typical && !text.startsWith('±');
  const tone = !isClear || measure.better === null ? 'flat' : change > 0 ? 'good' : 'bad';
  const usual =
    typical === null
      ? 'usual not known yet'
      : isClear
        ? `clear, usual ±${sized(typical)}`
        : `usual ±${sized(typical)}`;
  return { text, tone, arrow: isClear ? (change > 0 ? '▲' : '▼') : null, usual };
}
