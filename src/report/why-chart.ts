import type { Chart } from './chart.ts';
import type { ChartData } from './read-projects.ts';
import { formatDays, formatScore, noDataOf, plainLabel, withSign } from './text.ts';
import { type BarRow, barsChart } from './window-charts.ts';

/** The parts of a change in words. */
export const PART_WORDS: Readonly<Record<string, string>> = {
  prompts_added: 'New prompts',
  prompts_removed: 'Prompts that went',
  monitors: 'Monitors that changed',
  sampling: 'Prompts asked more or less',
  models: 'Models',
  prompts_and_models: 'New prompts and models together',
  unexplained: 'Answers of no listed prompt',
  real_change: 'Real change',
};

/** Why visibility moved: the parts of its change, then the prompts that moved it most. */
export function whyChart(data: ChartData): Chart {
  const { why } = data;
  const rows = why.map(({ kind, label, points, ...row }): BarRow => {
    const words = kind === 'part' ? (PART_WORDS[label] ?? label) : plainLabel(label);
    const text = withSign(points, (size) => size.toFixed(1));
    const isReal = kind === 'part' && label === 'real_change';
    return {
      label: words,
      ends: [Math.min(0, points), Math.max(0, points)],
      dot: points,
      previous: null,
      text,
      token: kind === 'prompt' ? 'other' : isReal ? (points > 0 ? 'good' : 'bad') : 'rival3',
      cells: [words, text, formatScore(row.visibility_before), formatScore(row.visibility_after)],
    };
  });
  const [first] = why;
  const parts = rows.slice(0, why.findIndex(({ kind }) => kind === 'prompt') >>> 0);
  const said = parts.map(({ label, text }) => `${label.toLowerCase()} ${text}`).join(', ');
  const days =
    first === undefined
      ? ''
      : `${withSign(first.change, (size) => size.toFixed(1))}: ${said} · ${formatDays(first.after_from, first.after_to)} against ${formatDays(first.before_from, first.before_to)}`;
  return barsChart({
    name: 'prompts',
    title: 'Why visibility moved',
    subtitle: days,
    legend: [
      { label: 'What is asked changed', token: 'rival3', shape: 'line' },
      { label: 'Real rise', token: 'good', shape: 'line' },
      { label: 'Real fall', token: 'bad', shape: 'line' },
      { label: 'Prompts that moved it most', token: 'other', shape: 'line' },
    ],
    note: 'Points of the visibility score of all answers. The parts sum to the change; the prompts are the same change told by prompt.',
    isFixed: true,
    noData: noDataOf(data, 'prompts'),
    columns: ['Part', 'Points', 'Visibility before', 'After'],
    rows,
  });
}
