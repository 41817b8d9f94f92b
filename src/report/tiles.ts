import { addDays } from '../day.ts';
import { sparkLine } from './spark.ts';
import { markup, type Markup } from './markup.ts';
import { changeWords, MEASURES, type Measure } from './measures.ts';
import { formatDays } from './numbers.ts';
import type { Kpi, ProjectData } from './report-data.ts';

/** Days of a window of the key figures, as in `kpis.sql`. */
const KPI_DAYS = 28;

/** The newest 28 days beside the 28 before. */
export function tiles(project: ProjectData): Markup {
  const { end } = project;
  const window = end === null ? '' : `${formatDays(addDays(end, 1 - KPI_DAYS), end)}, `;
  return markup`<p class="meta lead">Last 28 whole days: ${window}against the 28 before. Colour and arrow mark changes beyond what the series does by itself.</p>
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
