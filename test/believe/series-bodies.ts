type Json = Record<string, unknown>;

/** A series endpoint: where it is asked and the figures that say that a day holds something. */
export interface SeriesCase {
  endpoint: string;
  path: string;
  table: string;
  /** Fields whose NULL or 0 empties a day; none where absence alone does. */
  empties: Readonly<Json>;
}

export const SERIES: readonly SeriesCase[] = [
  {
    endpoint: 'visibility',
    path: '/v1/visibility-time-series',
    table: 'visibility',
    empties: { value: null },
  },
  { endpoint: 'sentiment', path: '/v1/sentiment-time-series', table: 'sentiment', empties: { value: null } },
  {
    endpoint: 'share_of_voice',
    path: '/share-of-voice/time-series',
    table: 'share_of_voice',
    empties: { totalResponses: 0, brandMentions: 0, shareOfVoice: 0 },
  },
  {
    endpoint: 'brand_visibility',
    path: '/analytics/brands/visibility-over-time',
    table: 'brand_visibility',
    empties: { totalResponses: 0, mentionCount: 0, averageVisibility: 0, visibilityPercentage: 0 },
  },
  {
    endpoint: 'citation_ranks',
    path: '/citations/rank-analysis',
    table: 'citation_ranks',
    empties: { totalCitations: 0, averageRank: null, bestRank: null, worstRank: null, citationsWithRank: 0 },
  },
  {
    endpoint: 'response_sentiment',
    path: '/responses/sentiment-time-series',
    table: 'response_sentiment',
    empties: { positive: 0, negative: 0, neutral: 0, unknown: 0 },
  },
  {
    endpoint: 'domain_citations',
    path: '/citations/domains-over-time',
    table: 'domain_citations',
    empties: {},
  },
  { endpoint: 'crawler_requests', path: '/analytics/crawlers/trend', table: 'crawler_requests', empties: {} },
  { endpoint: 'visitor_visits', path: '/analytics/visitors/trend', table: 'visitor_visits', empties: {} },
];

function dayOf(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, 10) : '';
}

function isColumnar(body: Json): body is { dates: unknown[]; series: Json[] } {
  return Array.isArray(body['dates']) && Array.isArray(body['series']);
}

/** Changes the points of any series body; a point that becomes `undefined` is left out. */
function mapPoints(body: unknown, change: (point: Json) => Json | undefined): unknown {
  if (Array.isArray(body)) return (body as Json[]).flatMap((point) => change(point) ?? []);
  const { timeSeries, ...rest } = body as { timeSeries: Json[] };
  return { ...rest, timeSeries: timeSeries.flatMap((point) => change(point) ?? []) };
}

export function withoutDays(body: unknown, ...days: readonly string[]): unknown {
  const keeps = (date: unknown): boolean => !days.includes(dayOf(date));
  const columns = body as Json;
  if (!isColumnar(columns)) return mapPoints(body, (point) => (keeps(point['date']) ? point : undefined));
  const isKept = columns.dates.map(keeps);
  const dates = columns.dates.filter((_, index) => isKept[index]);
  const series = columns.series.map((one) => ({
    ...one,
    data: (one['data'] as unknown[]).filter((_, index) => isKept[index]),
  }));
  return { ...columns, dates, series: dates.length === 0 ? [] : series };
}

/** Sets fields of the points of a day, where it has any. */
export function setDay(body: unknown, day: string, fields: Readonly<Json>): unknown {
  return mapPoints(body, (point) => (dayOf(point['date']) === day ? { ...point, ...fields } : point));
}
