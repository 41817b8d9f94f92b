import { addDays } from '../day.ts';
import type { Range } from './chart.ts';
import type { ChartData, Kpi } from './read-projects.ts';
import { linePath } from './draw-time.ts';
import * as texts from './text.ts';

/** Windows of `main.kpi_changes`, in days. */
const WINDOWS = [365, 90, 28, 7] as const;
/** The days that show the present level of a figure. */
const NOW_DAYS = 7;

/** The days for changes of projects: the longest window within the wanted days for which a change is known. */
function windowOf(projects: readonly Pick<ChartData, 'kpis'>[], wanted: number): number {
  const fitting = WINDOWS.filter((days) => days <= wanted);
  const isKnown = (days: number): boolean =>
    projects.some(({ kpis }) => kpis.some((kpi) => kpi.window_days === days && kpi.change !== null));
  return fitting.find(isKnown) ?? fitting.find((days) => days <= 28) ?? 7;
}

/** Headline and key figures of the chosen days and as many days before, with their present level. */
export function keyFigures(data: ChartData, range: Range): texts.Markup {
  const days = windowOf([data], range.days);
  const end = addDays(data.start, data.days - 1);
  const shown = `${days} days to ${texts.formatDay(end)}`;
  const before = texts.formatDays(addDays(end, 1 - 2 * days), addDays(end, -days));
  const other = days === range.days ? '' : ' There are no earlier days to compare a longer period with.';
  const { words, isJudged } = headlineOf(data, days);
  return texts.markup`<p class="headline${isJudged ? '' : ' flat'}">${shown}: ${words}</p>
<h3 class="lead">Key figures, ${shown}</h3><p class="meta">Compared with the ${days} days before, ${before}.${other}</p>
<div class="kpis" role="list">${KEY_FIGURES.map((measure) => tile(measure, data, days))}${actionsTile(data, days)}</div>`;
}

function tile(measure: Measure, data: ChartData, days: number): texts.Markup {
  const kpi = kpiOf(data, measure.key, days);
  const value = kpi?.value ?? null;
  const goal = goalOf(data, measure.key)?.words ?? '';
  return texts.markup`<div class="kpi" role="listitem"><div class="kpi-title">${measure.title}</div>
<div class="kpi-value">${value === null ? texts.markup`<span class="none">no data</span>` : measure.format(value)}${nowMarkup(measure, data, days)}</div>
<div class="kpi-change">${kpi === undefined || value === null ? '' : changeMarkup(measure, data, kpi)}</div>
<div class="kpi-hint">${measure.hint}${goal === '' ? '' : texts.markup`<span class="usual">${goal}</span>`}</div>${sparkLine(data.daily[measure.key].slice(-days))}</div>
`;
}

function kpiOf({ kpis }: Pick<ChartData, 'kpis'>, measure: string, days: number): Kpi | undefined {
  return kpis.find((kpi) => kpi.measure === measure && kpi.window_days === days);
}

/** The figure of the last 7 days, next to the mean of more. */
function nowOf(measure: Measure, data: Pick<ChartData, 'kpis'>, days: number): string | null {
  const now = kpiOf(data, measure.key, NOW_DAYS)?.value ?? null;
  return now === null || days <= NOW_DAYS ? null : `last ${NOW_DAYS} days ${measure.format(now)}`;
}

function nowMarkup(measure: Measure, data: ChartData, days: number): texts.Markup | string {
  const now = nowOf(measure, data, days);
  return now === null ? '' : texts.markup` <span class="now">${now}</span>`;
}

/** The goal of a measure, with its projection. */
export function goalOf({ kpis }: Pick<ChartData, 'kpis'>, key: Measure['key']) {
  const kpi = kpis.find(({ measure, goal }) => measure === key && goal !== null);
  const format = KEY_FIGURES.find((measure) => measure.key === key)?.format;
  if (kpi === undefined || kpi.goal === null || format === undefined) return null;
  const { is_reached: isReached, is_on_course: isOnCourse, due_date: due } = kpi;
  const course = isOnCourse === null ? 'too early to project' : isOnCourse ? 'on course' : 'not on course';
  const by = due === null ? '' : ` by ${texts.formatDay(due)}`;
  return {
    value: kpi.goal,
    words: `Goal ${format(kpi.goal)}${by}: ${isReached === true ? 'reached in the last 28 days' : course}`,
  };
}

/** A change with its tone, in words for those who do not see it. */
function changeMarkup(measure: Measure, data: Pick<ChartData, 'kpis'>, kpi: Kpi): texts.Markup | string {
  const words = changeWords(measure, kpi);
  if (words === null) return 'no comparison yet';
  const judged = words.tone === 'flat' ? '' : words.tone === 'good' ? ' (better)' : ' (worse)';
  const turn = turnOf(data, kpi);
  const arrow = words.arrow === null ? '' : texts.markup`<span aria-hidden="true">${words.arrow}</span> `;
  return texts.markup`<span class="${words.tone}">${arrow}${words.text}<span class="hidden">${judged}</span></span> <span class="usual">${words.range}</span>${turn === null ? '' : texts.markup` <span class="usual">${turn}</span>`}`;
}

function actionsTile({ days: all, events }: ChartData, days: number): texts.Markup {
  const count = events.filter(({ day, type }) => type === 'action' && day >= all - days).length;
  return texts.markup`<div class="kpi" role="listitem"><div class="kpi-title">Actions completed</div><div class="kpi-value">${count}</div><div class="kpi-change"></div><div class="kpi-hint">in ${days} days</div></div>
`;
}

/** Points of a line without axes: more days than these become means. */
const MAX_POINTS = 45;

/** A line of days without axes, broken where there is no figure. */
function sparkLine(daily: readonly (number | null)[]): texts.Markup | string {
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
  return texts.markup`<svg class="spark" viewBox="0 0 1000 280" preserveAspectRatio="none" aria-hidden="true"><path d="${path}" fill="none" stroke="var(--ownsoft)" stroke-width="1.5" vector-effect="non-scaling-stroke"/></svg>`;
}

/** A measure of `main.kpi_changes`, in words. */
interface Measure {
  key: keyof ChartData['daily'];
  title: string;
  hint: string;
  /** Also decides the wording of a change: a score in its own units, a share in points, a count in per cent of the one before. */
  format: (value: number, like?: number) => string;
}

export const KEY_FIGURES: readonly Measure[] = (
  [
    ['visibility', 'Visibility score', 'API score, 0 to 100', texts.formatScore],
    ['share_of_voice', 'Share of voice', 'organic answers that mention the brand', texts.formatPercent],
    ['sentiment', 'Sentiment score', 'API score, 0 to 100', texts.formatScore],
    ['net_sentiment_known', 'Net sentiment', 'positive minus negative, where known', texts.formatPercent],
    ['citations', 'Citations', 'per day, in AI answers', texts.formatShortCount],
    ['crawler_requests', 'AI crawler requests', 'per day, on your site', texts.formatShortCount],
    ['ai_visits', 'Visits from AI', 'per day, on your site', texts.formatShortCount],
  ] as const
).map(([key, title, hint, format]) => ({ key, title, hint, format }));

const NO_BREAK = '\u00A0';

/** A change in words: its size, its ends, whether it is clear, and its colour; null: there is nothing to compare with. */
export function changeWords(measure: Measure, kpi: Kpi) {
  const { change, change_low: low, change_high: high, previous_value: previous } = kpi;
  if (change === null || previous === null) return null;
  const sized = (size: number): string => {
    if (measure.format === texts.formatPercent) return `${size.toFixed(1)} pts`;
    const isRelative = measure.format === texts.formatShortCount && previous !== 0;
    return isRelative ? texts.formatPercent((100 * size) / previous) : measure.format(size, previous);
  };
  const text = texts.withSign(change, sized).replace(' ', NO_BREAK);
  if (kpi.is_changed) {
    const real = kpi.real_change === null ? null : texts.withSign(kpi.real_change, sized);
    const judged = kpi.real_is_clear ? 'clear' : 'not clear';
    const said = real === null ? '' : `; real change ${real.replace(' ', NO_BREAK)}, ${judged}`;
    return { text, tone: 'flat', arrow: null, range: `questions changed${said}` };
  }
  if (low === null || high === null) return { text, tone: 'flat', arrow: null, range: 'too early to judge' };
  // A clear change within the slow trend of the year is not news.
  const isClear = kpi.is_clear && !kpi.is_trend && !text.startsWith('±');
  const why = isClear || !hasDirection(kpi) ? '' : kpi.is_trend ? ', slow trend' : ', may be chance';
  return {
    text,
    // Of crawler requests, neither more nor less is better.
    tone: !isClear || measure.key === 'crawler_requests' ? 'flat' : change > 0 ? 'good' : 'bad',
    /** Only where the change is clear. */
    arrow: isClear ? (change > 0 ? '▲' : '▼') : null,
    /** The 95% range of the change, and why a range without 0 is not clear. */
    range: `95%: ${texts.withSign(low, sized).replace(/%$| pts$/, '')} to ${texts.withSign(high, sized).replace(' ', NO_BREAK)}${why}`,
  };
}

/** Whether the 95 % range of a change excludes 0: only then is the direction stated. */
function hasDirection({ change_low: low, change_high: high }: Kpi): boolean {
  return low !== null && high !== null && (low > 0 || high < 0);
}

/** A note that a figure has turned since, so that the words and the end of its line do not contradict each other; null if it has not. */
export function turnOf(data: Pick<ChartData, 'kpis'>, kpi: Kpi): string | null {
  const { measure, window_days: days, change, previous_value: previous } = kpi;
  if (change === null || previous === null || !hasDirection(kpi)) return null;
  const [went, since] = change < 0 ? ['down', 'up'] : ['up', 'down'];
  const turned = WINDOWS.filter((window) => window < days).find((window) => {
    const shorter = kpiOf(data, measure, window);
    return shorter !== undefined && hasDirection(shorter) && (shorter.change ?? 0) * change < 0;
  });
  if (turned !== undefined) return `${went} over ${days} days, ${since} in the last ${turned}`;
  const now = kpiOf(data, measure, NOW_DAYS)?.value ?? previous;
  const side = now > previous ? 'above' : 'below';
  return (now - previous) * change < 0
    ? `${went} over ${days} days, but the last ${NOW_DAYS} are ${side} the ${days} before`
    : null;
}

/** The headline of a project: the clearest fall and the clearest rise over a window, among figures of which more is better; and its urgency: higher is more urgent. */
export function headlineOf(data: Pick<ChartData, 'kpis'>, days: number) {
  const all = KEY_FIGURES.flatMap((measure) => {
    const kpi = kpiOf(data, measure.key, days);
    const words = kpi === undefined ? null : changeWords(measure, kpi);
    if (kpi === undefined || kpi.value === null || words === null) return [];
    const [now, turn] = [nowOf(measure, data, days), turnOf(data, kpi)];
    const place = [measure.format(kpi.value), ...(now === null ? [] : [now])].join(', ');
    const size = (kpi.change ?? 0) / (kpi.typical_change || 1);
    return [{ measure, kpi, words, size, place: turn === null ? place : `${place} (${turn})` }];
  });
  const clear = all.filter(({ words }) => words.tone !== 'flat').toSorted((a, b) => a.size - b.size);
  const fall = clear.find(({ size }) => size < 0);
  const rise = clear.findLast(({ size }) => size > 0);
  const told = ({ measure, words, place, size }: (typeof all)[number]): string =>
    `${measure.title} ${size < 0 ? 'fell' : 'rose'} by ${words.text.slice(1)} to ${place}`;
  const said = [fall, rise].flatMap((one) => (one === undefined ? [] : told(one)));
  const changed = all.filter(({ kpi }) => kpi.is_changed);
  const [first] = changed;
  if (first !== undefined) {
    // States the real change; if that is unknown, the level of the first figure.
    const known = changed.filter(({ kpi }) => kpi.real_change !== null);
    const parts = (known.length === 0 ? [first] : known).map(
      ({ measure, words, place }) =>
        `${measure.title} changed by ${words.text} to ${place}${words.range.replace('questions changed', '')}`,
    );
    said.push(`Questions changed. ${parts.join('. ')}`);
  }
  // Of the others, neither more nor less is better.
  const moved = all.find(({ words: { tone, arrow } }) => tone === 'flat' && arrow !== null);
  if (said.length === 0 && moved !== undefined) said.push(`${told(moved)}; no other clear change`);
  const isOld = data.kpis.some((kpi) => kpi.window_days === days && kpi.typical_change !== null);
  const nothing = isOld
    ? 'No clear change.'
    : 'Too early to judge changes: it takes about 70 days of figures.';
  return {
    words: said.length === 0 ? nothing : `${said.join('. ')}.`,
    /** Whether a change is clear. */
    isJudged: clear.length > 0,
    urgency: -((fall ?? rise)?.size ?? 0),
  };
}

const MAX_SHIFTS = 6;
/** The day of a shift is estimated: measures that shift within so many days shift together. */
const SAME_SHIFT_DAYS = 7;

/** The level shifts of a range, newest first, an entry for all measures that shift together, and what happened around them. */
export function shiftsBody(data: ChartData, range: Range): texts.Markup {
  const shifts = data.shifts
    .filter(({ day }) => day >= range.from && day < range.from + range.days)
    .toSorted((a, b) => b.day - a.day);
  // A shift can only be recognised once the typical change is known.
  if (shifts.length === 0)
    return data.kpis.some((kpi) => kpi.typical_change !== null)
      ? texts.markup`<p class="empty"><strong>No level shift in these ${range.days} days.</strong> A shift can be seen once 14 days have followed it.</p>`
      : texts.markup`<p class="empty"><strong>Too early to tell.</strong> It takes about 70 days of figures to know the usual range.</p>`;
  const groups: (typeof shifts)[] = [];
  for (const shift of shifts) {
    const group = groups.at(-1);
    const isSame = group?.every(({ day, measure }) => {
      return day - shift.day <= SAME_SHIFT_DAYS && measure !== shift.measure;
    });
    if (isSame === true) group?.push(shift);
    else groups.push([shift]);
  }
  const dayOf = (day = 0) => addDays(data.start, day);
  const items = groups.slice(0, MAX_SHIFTS).map((group) => {
    const titles = group.flatMap(({ candidate_titles: listed }) => listed?.split('; ') ?? []);
    const around = [...new Set(titles)].map((title) => texts.plainLabel(title)).join('; ');
    const moved = KEY_FIGURES.flatMap(({ key, title, format }) => {
      const shift = group.find(({ measure }) => measure === key);
      if (shift === undefined) return [];
      const { value_before: before, value_after: after } = shift;
      return `${title} ${after > before ? 'rose' : 'fell'} from ${format(before)} to ${format(after)}`;
    });
    const days = texts.formatDays(dayOf(group.at(-1)?.day), dayOf(group[0]?.day));
    return texts.markup`<li><strong>${days}</strong> <span>${moved.join(' · ')}</span><span class="causes">${around === '' ? 'No event around that day.' : `Around that day: ${around}`}</span></li>`;
  });
  return texts.markup`<ul class="shifts">${items}</ul><p class="note">Events from 14 days before to 5 days after a shift. They may or may not have caused it.</p>`;
}

/** The inputs of a project's urgency. */
interface Urgent {
  /** Milliseconds since the newest answer where that is too long; else 0. */
  staleMs: number;
  charts: Pick<ChartData, 'kpis' | 'daily'>;
}

/** A project as one line of the overview. */
export interface OverviewProject extends Urgent {
  name: string;
  /** Address of its page; null: it has none. */
  address: string | null;
  /** In words, that its answers are too old. */
  late: string | null;
}

// Columns of the overview; a page of a project has all.
const SHOWN = ['visibility', 'share_of_voice', 'net_sentiment_known', 'citations', 'ai_visits'];

/** More projects than these can be searched. */
const MAX_UNSEARCHED = 9;

/** Projects that need a look first: those without new days, then those that fell most clearly. */
export function byUrgency<Project extends Urgent>(projects: readonly Project[], wanted: number): Project[] {
  const days = overviewDays(projects, wanted);
  const urgencyOf = ({ staleMs, charts }: Urgent): number =>
    staleMs / 86_400 + headlineOf(charts, days).urgency;
  return projects.toSorted((a, b) => urgencyOf(b) - urgencyOf(a));
}

/** The days that all lines of the overview cover. */
export function overviewDays(projects: readonly Urgent[], wanted: number): number {
  const shown = projects.map(({ charts }) => charts);
  return windowOf(shown, wanted === 0 ? Infinity : wanted);
}

/** Every project on one page, a line each. */
export function overviewBody(projects: readonly OverviewProject[], wanted: number): texts.Markup {
  const days = overviewDays(projects, wanted);
  const measures = KEY_FIGURES.filter(({ key }) => SHOWN.includes(key));
  const head = measures.map(
    ({ title, hint }) =>
      texts.markup`<th scope="col" class="n">${title}<span class="usual">${hint}</span></th>`,
  );
  const rows = byUrgency(projects, wanted).map(({ name, address, late: words, charts }) => {
    const cells = measures.map((measure) => {
      const kpi = kpiOf(charts, measure.key, days);
      if (kpi === undefined || kpi.value === null)
        return texts.markup`<td class="n none" data-title="${measure.title}">–</td>`;
      const figures = charts.daily[measure.key].slice(-days);
      return texts.markup`<td class="n" data-title="${measure.title}"><span class="figure">${measure.format(kpi.value)}</span><span class="kpi-change">${changeMarkup(measure, charts, kpi)}</span>${sparkLine(figures)}</td>`;
    });
    const late = words === null ? '' : texts.markup`<strong>${words}</strong> `;
    const title = texts.markup`<bdi>${name}</bdi>`;
    const link = address === null ? title : texts.markup`<a class="open" href="${address}">${title}</a>`;
    return texts.markup`<tr data-name="${name}"${words === null ? '' : texts.markup` class="stale"`}><th scope="row">${link}<p class="usual">${late}${headlineOf(charts, days).words}</p></th>${cells}</tr>
`;
  });
  const search =
    projects.length > MAX_UNSEARCHED
      ? texts.markup`<p class="search" hidden><input type="search" placeholder="Search projects" aria-label="Search projects" autocomplete="off"></p><p class="empty nothing" hidden>No project has this in its name.</p>`
      : '';
  return texts.markup`<h2>All projects, last ${days} days</h2>
<p class="meta">Compared with the ${days} days before; projects that need attention come first.</p>${search}
<div class="card scroll-x"><table class="board"><thead><tr><th scope="col">Project</th>${head}</tr></thead><tbody>${rows}</tbody></table></div>`;
}
