import { addDays } from '../day.ts';
import { markup, type Markup } from './markup.ts';
import { formatDays, formatPercent, formatRank, formatScore, formatShortCount, withSign } from './numbers.ts';
import { KPI_DAYS, type ProjectData } from './project-data.ts';
import type { DailyRow, KpiRow } from './rows.ts';

interface Measure {
  measure: string;
  title: string;
  hint: string;
  format: (value: number, like?: number) => string;
  /** How a change is said: in the measure's own unit, in points, or relative to before. */
  change: 'own' | 'points' | 'relative';
  /** Null: neither more nor less is better. */
  better: 'more' | 'less' | null;
  sparkOf?: (day: DailyRow) => number | null;
}

const MEASURES: readonly Measure[] = [
  {
    measure: 'visibility',
    title: 'Visibility',
    hint: 'mean of days',
    format: formatScore,
    change: 'own',
    better: 'more',
    sparkOf: (day) => day.visibility,
  },
  {
    measure: 'share_of_voice',
    title: 'Share of voice',
    hint: 'of organic responses',
    format: formatPercent,
    change: 'points',
    better: 'more',
    sparkOf: (day) => day.share_of_voice_pct,
  },
  {
    measure: 'sentiment',
    title: 'Sentiment score',
    hint: 'mean of days',
    format: formatScore,
    change: 'own',
    better: 'more',
    sparkOf: (day) => day.sentiment,
  },
  {
    measure: 'citation_rank',
    title: 'Citation rank',
    hint: 'average, 1 is best',
    format: formatRank,
    change: 'own',
    better: 'less',
    sparkOf: (day) => day.average_citation_rank,
  },
  {
    measure: 'citations',
    title: 'Citations',
    hint: 'in AI answers',
    format: formatShortCount,
    change: 'relative',
    better: 'more',
    sparkOf: (day) => day.citations_count,
  },
  {
    measure: 'crawler_requests',
    title: 'AI crawler requests',
    hint: 'to the own site',
    format: formatShortCount,
    change: 'relative',
    better: null,
    sparkOf: (day) => day.crawler_requests_count,
  },
  {
    measure: 'ai_visits',
    title: 'Visits from AI',
    hint: 'to the own site',
    format: formatShortCount,
    change: 'relative',
    better: 'more',
    sparkOf: (day) => day.ai_visits_count,
  },
  {
    measure: 'actions_completed',
    title: 'Actions completed',
    hint: 'action items',
    format: formatShortCount,
    change: 'own',
    better: null,
  },
];

/** With fewer days on a side the change says little. */
const FEWEST_DAYS = 21;

/** The newest 28 days beside the 28 before. */
export function kpiCards(data: ProjectData): Markup {
  const window = formatDays(addDays(data.end, 1 - KPI_DAYS), data.end);
  return markup`<div class="kpis" role="list" aria-label="Key figures, ${window}, with the change against the 28 days before">
${MEASURES.map((measure) => card(measure, data))}</div>
<p class="note">28 days, ${window}; change against the 28 days before.</p>`;
}

function card(measure: Measure, data: ProjectData): Markup {
  const row = data.kpis.find((one) => one.measure === measure.measure);
  const value = row?.current_value ?? null;
  const { sparkOf } = measure;
  return markup`<div class="kpi" role="listitem"><div class="kpi-title">${measure.title}</div>
<div class="kpi-value">${value === null ? markup`<span class="none">no data</span>` : measure.format(value)}</div>
<div class="kpi-change">${row === undefined ? '' : changeOf(measure, row)}</div>
<div class="kpi-hint">${measure.hint}${daysNote(row, value)}</div>${sparkOf === undefined ? '' : spark(data.recent.map((day) => sparkOf(day)))}</div>
`;
}

function daysNote(row: KpiRow | undefined, value: number | null): string {
  if (row === undefined || value === null) return '';
  return row.current_days < KPI_DAYS ? ` · ${row.current_days} of ${KPI_DAYS} days` : '';
}

function changeOf(measure: Measure, row: KpiRow): Markup | string {
  const { current_value: value, previous_value: before } = row;
  if (value === null) return '';
  if (before === null || row.current_days < FEWEST_DAYS || row.previous_days < FEWEST_DAYS) {
    return 'no comparison: too few days';
  }
  // Sums of unequal numbers of days are compared per day.
  const isSum = measure.change === 'relative' || measure.measure === 'actions_completed';
  const scale = isSum ? row.current_days / row.previous_days : 1;
  const difference = value - before * scale;
  const isSame = difference === 0;
  const isUp = difference > 0;
  const tone =
    measure.better === null || isSame ? 'flat' : isUp === (measure.better === 'more') ? 'good' : 'bad';
  const words = tone === 'flat' ? '' : tone === 'good' ? ' (better)' : ' (worse)';
  return markup`<span class="${tone}"><span aria-hidden="true">${isSame ? '▬' : isUp ? '▲' : '▼'}</span> ${differenceText(measure, difference, before * scale)}<span class="hidden">${words}</span></span>`;
}

function differenceText(measure: Measure, difference: number, before: number): string {
  switch (measure.change) {
    case 'own':
      return withSign(difference, (size) => measure.format(size, before));
    case 'points':
      return `${withSign(difference, (size) => size.toFixed(1))} points`;
    case 'relative':
      return before === 0 ? 'from 0' : withSign((100 * difference) / before, (size) => formatPercent(size));
    default:
      return measure.change satisfies never;
  }
}

/** A line of the days, broken where there is no figure. */
function spark(values: readonly (number | null)[]): Markup | string {
  const known = values.filter((value) => value !== null);
  if (known.length < 2) return '';
  const low = known.reduce((a, b) => Math.min(a, b));
  const span = known.reduce((a, b) => Math.max(a, b)) - low || 1;
  const step = 100 / (values.length - 1);
  let isDrawing = false;
  const path = values.map((value, index) => {
    const command = isDrawing ? 'L' : 'M';
    isDrawing = value !== null;
    return value === null
      ? ''
      : `${command}${(index * step).toFixed(1)},${(26 - ((value - low) / span) * 24).toFixed(1)}`;
  });
  return markup`<svg class="spark" viewBox="0 0 100 28" preserveAspectRatio="none" aria-hidden="true"><path d="${path.join('')}" fill="none" stroke="var(--ownsoft)" stroke-width="1.5" vector-effect="non-scaling-stroke"/></svg>`;
}
