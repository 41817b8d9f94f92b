import type { Chart, ChartData, Range } from './chart.ts';
import { crawlersChart, sentimentChart, visitsChart } from './stack-charts.ts';
import { brandTrendChart, modelChart, shareOfVoiceChart, visibilityChart } from './time-charts.ts';
import {
  brandShareChart,
  domainsChart,
  heatmapChart,
  impactChart,
  pagesChart,
  promptsChart,
} from './window-charts.ts';

/** The last days of a project; 0: all. */
export function rangeOf({ days }: ChartData, wanted: number): Range {
  const shown = wanted === 0 ? days : Math.min(wanted, days);
  return { from: days - shown, days: shown };
}

/** The charts of a project, in the order of the page. */
export function chartsOf(data: ChartData, range: Range): Chart[] {
  return [
    visibilityChart(data, range),
    modelChart(data, range),
    shareOfVoiceChart(data, range),
    brandTrendChart(data, range),
    brandShareChart(data, range),
    heatmapChart(data),
    impactChart(data),
    sentimentChart(data, range),
    promptsChart(data),
    domainsChart(data),
    crawlersChart(data, range),
    visitsChart(data, range),
    pagesChart(data),
  ];
}
