import { addDays } from '../day.ts';
import type { Range } from './chart.ts';
import type { ChartData, Kpi, Shift } from './read-projects.ts';
import { linePath } from './draw-time.ts';
import { markup, type Markup } from './markup.ts';
import {
  formatDay,
  formatDays,
  formatPercent,
  formatScore,
  formatShortCount,
  withSign,
  plainLabel,
} from './text.ts';

/** Windows of `main.kpi_changes`, in days. */
const WINDOWS = [365, 90, 28, 7] as const;

/** The days that changes of projects are told over: the longest window that the wanted days hold and for which a change is known. */
export function windowOf(projects: readonly Pick<ChartData, 'kpis'>[], wanted: number): number {
  const fitting = WINDOWS.filter((days) => days <= wanted);
  const isKnown = (days: number): boolean =>
    projects.some(({ kpis }) => kpis.some((kpi) => kpi.window_days === days && kpi.change !== null));
  return fitting.find(isKnown) ?? fitting.find((days) => days <= 28) ?? 7;
}

/** Headline and key figures of the chosen days beside as many days before. */
export function keyFigures(data: ChartData, range: Range): Markup {
  const days = windowOf([data], range.days);
  const end = addDays(data.start, data.days - 1);
  const shown = `${days} days to ${formatDay(end)}`;
  const before = formatDays(addDays(end, 1 - 2 * days), addDays(end, -days));
  const other = days === range.days ? '' : ' There are no earlier days to compare a longer period with.';
  return markup`<p class="headline">${shown}: ${headlineOf(data, days).words}</p>
<h3 class="lead">Key figures, ${shown}</h3><p class="meta">Compared with the ${days} days before, ${before}.${other}</p>
<div class="kpis" role="list">${MEASURES.map((measure) => tile(measure, data, days))}${actionsTile(data, days)}</div>`;
}

function tile(measure: Measure, data: ChartData, days: number): Markup {
  const kpi = kpiOf(data, measure.key, days);
  const value = kpi?.value ?? null;
  const goal = kpi?.goal ?? null;
  return markup`<div class="kpi" role="listitem"><div class="kpi-title">${measure.title}</div>
<div class="kpi-value">${value === null ? markup`<span class="none">no data</span>` : measure.format(value)}</div>
<div class="kpi-change">${kpi === undefined || value === null ? '' : changeMarkup(measure, kpi)}</div>
<div class="kpi-hint">${measure.hint}${goal === null ? '' : ` · goal ${measure.format(goal)}`}</div>${sparkLine(data.daily[measure.key].slice(-days))}</div>
`;
}

export function kpiOf({ kpis }: Pick<ChartData, 'kpis'>, measure: string, days: number): Kpi | undefined {
  return kpis.find((kpi) => kpi.measure === measure && kpi.window_days === days);
}

/** A change with its tone, in words for those who do not see it. */
export function changeMarkup(measure: Measure, kpi: Kpi): Markup | string {
  const words = changeWords(measure, kpi);
  if (words === null) return 'no comparison yet';
  const judged = words.tone === 'flat' ? '' : words.tone === 'good' ? ' (better)' : ' (worse)';
  const arrow = words.arrow === null ? '' : markup`<span aria-hidden="true">${words.arrow}</span> `;
  return markup`<span class="${words.tone}">${arrow}${words.text}<span class="hidden">${judged}</span></span> <span class="usual">${words.range === null ? 'too early to judge' : `95%: ${words.range}`}</span>`;
}

function actionsTile({ days: all, events }: ChartData, days: number): Markup {
  const count = events.filter(({ day, type }) => type === 'action' && day >= all - days).length;
  return markup`<div class="kpi" role="listitem"><div class="kpi-title">Actions completed</div><div class="kpi-value">${count}</div><div class="kpi-change"></div><div class="kpi-hint">in ${days} days</div></div>
`;
}

/** Points of a line without axes: more days than these become means. */
const MAX_POINTS = 45;

/** A line of days without axes, broken where there is no figure. */
export function sparkLine(daily: readonly (number | null)[]): Markup | string {
  const width = Math.ceil(daily.length / MAX_POINTS);
  const figures = Array.from({ length: Math.ceil(daily.length / width) }, (_, index) => {
    const known = daily.slice(index * width, (index + 1) * width).filter((figure) => figure !== null);
    return known.length === 0 ? null : known.reduce((a, b) => a + b, 0) / known.length;
  });
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
  key: keyof ChartData['daily'];
  title: string;
  hint: string;
  /** It also decides how a change is worded: a score in its own units, a share in points, a count in per cent of the one before. */
  format: (value: number, like?: number) => string;
  /** Neither more nor less is better. */
  isNeutral?: boolean;
}

export const MEASURES: readonly Measure[] = [
  {
    key: 'visibility',
    title: 'Visibility score',
    hint: 'API score, 0 to 100',
    format: formatScore,
  },
  {
    key: 'share_of_voice',
    title: 'Share of voice',
    hint: 'organic answers that mention the brand',
    format: formatPercent,
  },
  {
    key: 'sentiment',
    title: 'Sentiment score',
    hint: 'API score, 0 to 100',
    format: formatScore,
  },
  {
    key: 'net_sentiment_known',
    title: 'Net sentiment',
    hint: 'positive minus negative, where known',
    format: formatPercent,
  },
  {
    key: 'citations',
    title: 'Citations',
    hint: 'per day, in AI answers',
    format: formatShortCount,
  },
  {
    key: 'crawler_requests',
    title: 'AI crawler requests',
    hint: 'per day, on your site',
    format: formatShortCount,
    isNeutral: true,
  },
  {
    key: 'ai_visits',
    title: 'Visits from AI',
    hint: 'per day, on your site',
    format: formatShortCount,
  },
];

/** Title of a measure and how its values are written. */
export function measureWords(key: string): Pick<Measure, 'title' | 'format'> {
  return (
    MEASURES.find((measure) => measure.key === key) ?? {
      title: key.replaceAll('_', ' '),
      format: formatScore,
    }
  );
}

const NO_BREAK = '\u00A0';

/** A change in words: how much, between what, whether that is clear, and how to colour it. */
interface ChangeWords {
  text: string;
  tone: 'good' | 'bad' | 'flat';
  /** Only where the change is clear. */
  arrow: '▲' | '▼' | null;
  /** The 95% range of the change, and why a range without 0 is not clear; null: it is too early to tell. */
  range: string | null;
}

/** Null: there is nothing to compare with. */
export function changeWords(measure: Measure, kpi: Kpi): ChangeWords | null {
  const { change, change_low: low, change_high: high, previous_value: previous } = kpi;
  if (change === null || previous === null) return null;
  const sized = (size: number): string => {
    if (measure.format === formatPercent) return `${size.toFixed(1)} pts`;
    const isRelative = measure.format === formatShortCount && previous !== 0;
    return isRelative ? formatPercent((100 * size) / previous) : measure.format(size, previous);
  };
  const text = withSign(change, sized).replace(' ', NO_BREAK);
  if (low === null || high === null) return { text, tone: 'flat', arrow: null, range: null };
  const leavesZeroOut = low > 0 || high < 0;
  // A clear change within the slow trend of the year is not news.
  const isClear = kpi.is_clear && !kpi.is_trend && !text.startsWith('±');
  const why = isClear || !leavesZeroOut ? '' : kpi.is_trend ? ', slow trend' : ', may be chance';
  return {
    text,
    tone: !isClear || measure.isNeutral === true ? 'flat' : change > 0 ? 'good' : 'bad',
    arrow: isClear ? (change > 0 ? '▲' : '▼') : null,
    range: `${withSign(low, sized).replace(/%$| pts$/, '')} to ${withSign(high, sized).replace(' ', NO_BREAK)}${why}`,
  };
}

/** What a reader should know first of a project, and how urgent that is: more is more. */
interface Headline {
  words: string;
  urgency: number;
}

/** The clearest fall and the clearest rise over a window, of the figures of which more is better. */
export function headlineOf(data: Pick<ChartData, 'kpis'>, days: number): Headline {
  const judged = data.kpis.filter((kpi) => kpi.window_days === days && kpi.typical_change !== null);
  const clear = MEASURES.flatMap((measure) => {
    const kpi = judged.find(({ measure: key }) => key === measure.key);
    const words = kpi === undefined ? null : changeWords(measure, kpi);
    if (kpi === undefined || words === null || words.tone === 'flat') return [];
    return [{ measure, kpi, words, size: (kpi.change ?? 0) / (kpi.typical_change || 1) }];
  }).toSorted((a, b) => a.size - b.size);
  const fall = clear.find(({ size }) => size < 0);
  const rise = clear.findLast(({ size }) => size > 0);
  const said = [fall, rise].flatMap((one) => {
    if (one === undefined) return [];
    const { measure, kpi, words } = one;
    const change = `${one.size < 0 ? 'fell' : 'rose'} by ${words.text.slice(1)} to ${measure.format(kpi.value ?? 0)}`;
    return `${measure.title} ${change}`;
  });
  const nothing =
    judged.length > 0 ? 'No clear change.' : 'Too early to judge changes: it takes about 70 days of figures.';
  return {
    words: said.length === 0 ? nothing : `${said.join('. ')}.`,
    urgency: -((fall ?? rise)?.size ?? 0),
  };
}

const MAX_SHIFTS = 6;

/** The level shifts of a range, newest first, and what happened around them. */
export function shiftsBody(data: ChartData, range: Range): Markup {
  const shifts = data.shifts.filter(({ day }) => day >= range.from && day < range.from + range.days);
  if (shifts.length === 0) return noShift(data, range);
  const items = shifts.slice(0, MAX_SHIFTS).map((shift) => {
    const events =
      shift.candidates_count === 0
        ? 'No event around that day.'
        : `Around that day: ${plainLabel(shift.candidate_titles, `${shift.candidates_count} events`)}`;
    return markup`<li><strong>${formatDay(addDays(data.start, shift.day))}</strong> <span>${shiftWords(shift)}</span><span class="causes">${events}</span></li>`;
  });
  return markup`<ul class="shifts">${items}</ul><p class="note">Events from 14 days before to 5 days after a shift. They may or may not have caused it.</p>`;
}

/** A shift in words. */
function shiftWords({ measure, value_before: before, value_after: after }: Shift): string {
  const { title, format } = measureWords(measure);
  return `${title} ${after > before ? 'rose' : 'fell'} from ${format(before)} to ${format(after)}`;
}

/** A shift can only be recognised once the typical change is known. */
function noShift({ kpis }: ChartData, { days }: Range): Markup {
  return kpis.some((kpi) => kpi.typical_change !== null)
    ? markup`<p class="empty"><strong>No level shift in these ${days} days.</strong> Every figure stayed in its usual range.</p>`
    : markup`<p class="empty"><strong>Too early to tell.</strong> It takes about 70 days of figures to know the usual range.</p>`;
}
