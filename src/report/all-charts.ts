import type { Chart, ChartName } from './chart.ts';
import { actionImpactChart } from './charts/action-impact.ts';
import { aiCrawlersChart, aiVisitsChart } from './charts/ai-traffic.ts';
import { brandMentionShareChart } from './charts/brand-mention-share.ts';
import { brandMentionTrendChart } from './charts/brand-mention-trend.ts';
import { citationRankChart } from './charts/citation-rank.ts';
import { citedDomainsChart } from './charts/cited-domains.ts';
import { competitorHeatmapChart } from './charts/competitor-heatmap.ts';
import { freshnessChart } from './charts/freshness.ts';
import { sentimentSplitChart } from './charts/sentiment-split.ts';
import { shareOfVoiceChart } from './charts/share-of-voice.ts';
import { visibilityChart } from './charts/visibility.ts';
import type { ProjectData } from './project-data.ts';

const MAKERS: Record<ChartName, (data: ProjectData) => Chart> = {
  visibility: visibilityChart,
  'share-of-voice': shareOfVoiceChart,
  'brand-mention-share': brandMentionShareChart,
  'brand-mention-trend': brandMentionTrendChart,
  'competitor-heatmap': competitorHeatmapChart,
  'cited-domains': citedDomainsChart,
  'citation-rank': citationRankChart,
  'sentiment-split': sentimentSplitChart,
  'action-impact': actionImpactChart,
  'ai-crawlers': aiCrawlersChart,
  'ai-visits': aiVisitsChart,
  freshness: freshnessChart,
};

/** The charts of a project, in the order of the page. */
export function chartsOf(data: ProjectData): Chart[] {
  return Object.values(MAKERS).map((make) => make(data));
}
