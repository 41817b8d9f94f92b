import type { Chart, LegendItem, Range } from './chart.ts';
import type { ChartData } from './read-projects.ts';
import { formatDays, formatScore, noDataOf, PART_WORDS, plainLabel, withSign } from './text.ts';
import { type BarRow, barsChart, withWindow } from './window-charts.ts';

const LEGEND: readonly LegendItem[] = [
  { label: 'Real rise', token: 'good', shape: 'box' },
  { label: 'Real fall', token: 'bad', shape: 'box' },
  { label: 'Real change, not clear', token: 'ink', shape: 'box' },
  { label: 'Changed prompts, models or monitors', token: 'rival3', shape: 'box' },
  { label: 'The same change by prompt', token: 'other', shape: 'box' },
];

/** Why visibility moved: the parts of its change, then the prompts that moved it most, over the longest window that the range holds; without one, over the shortest that there is. */
export function whyChart(data: ChartData, range: Range): Chart {
  const known = data.why.map(({ window_days: window }) => window);
  const fitting = known.filter((window) => window <= range.days);
  const chosen = fitting.length > 0 ? Math.max(...fitting) : Math.min(...known);
  const why = data.why.filter(({ window_days: window }) => window === chosen);
  const change = data.kpis.find(
    ({ measure, window_days: window }) => measure === 'visibility' && window === chosen,
  );
  const isClear = change?.is_changed === true ? change.real_is_clear : change?.is_clear === true;
  const rows = why.map(({ kind, label, points, ...row }): BarRow => {
    const words = kind === 'part' ? (PART_WORDS[label] ?? label) : plainLabel(label);
    const text = signed(points);
    const isReal = kind === 'part' && label === 'real_change';
    const real = !isClear ? 'ink' : points > 0 ? 'good' : 'bad';
    return {
      label: words,
      ends: [Math.min(0, points), Math.max(0, points)],
      previous: null,
      text,
      token: kind === 'prompt' ? 'other' : isReal ? real : 'rival3',
      cells: [words, text, formatScore(row.visibility_before), formatScore(row.visibility_after)],
    };
  });
  const [first] = why;
  const isAll = chosen === range.days;
  const parts = rows.filter((_, index) => why[index]?.kind === 'part');
  const said = parts.map(({ label, text }) => `${label.toLowerCase()} ${text}`).join(', ');
  const shown = first && { window_start: first.after_from, window_end: first.after_to };
  const before = first && formatDays(first.before_from, first.before_to);
  return barsChart({
    name: 'prompts',
    title: withWindow('Why visibility moved', shown),
    subtitle: first ? `${signed(first.change)} points against ${before}: ${said}` : '',
    legend: LEGEND.filter(({ token }) => rows.some((row) => row.token === token)),
    note: `Points of the visibility score. The upper bars add up to the change; the grey bars show which prompts moved it most.${isAll ? '' : ` Why it moved over ${range.days} days takes prompt lists of twice as many.`}`,
    noData: noDataOf(data, 'prompts'),
    columns: ['Part', 'Points', 'Visibility before', 'After'],
    rows,
    hasAxis: true,
  });
}

function signed(points: number): string {
  return withSign(points, (size) => size.toFixed(1));
}
