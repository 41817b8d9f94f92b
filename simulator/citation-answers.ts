import type { Grain } from '../src/day.ts';
import { badRequest } from './refusal.ts';
import {
  daysOf,
  factsOf,
  filterOf,
  percent,
  round,
  showsEmpty,
  totalsOver,
  versionOn,
  type RouteRequest,
} from './route.ts';
import { groupingOf } from './series-answers.ts';
import { sum, type Totals } from './totals.ts';
import { bucketsOf, midnight, type Bucket } from './windows.ts';

/** `range` and `granularity` mean the same and must agree. */
function citationGrouping(request: RouteRequest): Grain {
  const range = request.parameters.text('range');
  const granularity = request.parameters.text('granularity');
  if (range !== undefined && granularity !== undefined && range.toLowerCase() !== granularity) {
    throw badRequest('range and granularity must match', { range, granularity });
  }
  return groupingOf(range ?? granularity);
}

/** Indexes of the domains that pass the filter of the request. */
function askedDomains(request: RouteRequest): number[] {
  const asked = request.parameters.list('domains');
  return request.project.domains.flatMap(({ domain }, index) =>
    asked === undefined || asked.includes(domain) ? [index] : [],
  );
}

/** Sets the domains that were not asked for to zero. */
function onlyDomains(totals: Totals, kept: readonly number[]): Totals {
  const keep = (values: Float64Array): Float64Array =>
    values.map((value, index) => (kept.includes(index) ? value : 0));
  return {
    ...totals,
    citations: keep(totals.citations),
    ranked: keep(totals.ranked),
    rankSums: keep(totals.rankSums),
  };
}

interface BucketTotals {
  bucket: Bucket;
  totals: Totals;
}

function bucketTotals(request: RouteRequest): BucketTotals[] {
  const filter = filterOf(request);
  const kept = askedDomains(request);
  const isCut = kept.length < request.project.domains.length;
  return bucketsOf(request.window, citationGrouping(request)).flatMap((bucket) => {
    const totals = totalsOver(request, bucket.days, filter);
    if (totals.responses === 0 && (request.project.domains.length === 0 || !showsEmpty(request, bucket)))
      return [];
    return [{ bucket, totals: isCut ? onlyDomains(totals, kept) : totals }];
  });
}

export function domainsOverTime(request: RouteRequest): unknown {
  const { parameters, project } = request;
  const buckets = bucketTotals(request);
  const isSelfIncluded = parameters.flag('includeSelf', false);
  const totalCitations = buckets.reduce((total, { totals }) => total + sum(totals.citations), 0);
  const rows = project.domains.flatMap(({ domain }, index) => {
    const data = buckets.map(({ totals }) => totals.citations[index] ?? 0);
    const total = data.reduce((a, b) => a + b, 0);
    if (total === 0 && !(isSelfIncluded && index === 0 && buckets.length > 0)) return [];
    const ranked = buckets.reduce((count, { totals }) => count + (totals.ranked[index] ?? 0), 0);
    const rankSum = buckets.reduce((count, { totals }) => count + (totals.rankSums[index] ?? 0), 0);
    const averageRank = ranked === 0 ? 0 : round(rankSum / ranked, 4);
    return [
      {
        isOwn: index === 0,
        series: { domain, data, total, percentage: percent(total, totalCitations), averageRank },
      },
    ];
  });
  rows.sort((a, b) => b.series.total - a.series.total || (a.series.domain < b.series.domain ? -1 : 1));
  const limit = parameters.integer('domainLimit', 10);
  const top = rows.filter((row, index) => index < limit || (isSelfIncluded && row.isOwn));
  return {
    dates: buckets.map(({ bucket }) => midnight(bucket.start)),
    series: top.map((row) => row.series),
    totalCitations,
  };
}

export function rankAnalysis(request: RouteRequest): unknown {
  let ranked = 0;
  let rankSum = 0;
  const kept = askedDomains(request);
  const isCut = kept.length < request.project.domains.length;
  const timeSeries = bucketTotals(request).map(({ bucket, totals }) => {
    const bucketRanked = sum(totals.ranked);
    const bucketSum = sum(totals.rankSums);
    ranked += bucketRanked;
    rankSum += bucketSum;
    const ranks = kept
      .filter((index) => (totals.ranked[index] ?? 0) > 0)
      .map((index) => (totals.rankSums[index] ?? 0) / (totals.ranked[index] ?? 1));
    const best = isCut ? Math.floor(Math.min(...ranks)) : totals.bestRank;
    const worst = isCut ? Math.ceil(Math.max(...ranks)) : totals.worstRank;
    return {
      date: midnight(bucket.start),
      totalCitations: sum(totals.citations),
      averageRank: bucketRanked === 0 ? null : round(bucketSum / bucketRanked, 4),
      bestRank: bucketRanked === 0 ? null : best,
      worstRank: bucketRanked === 0 ? null : worst,
      citationsWithRank: bucketRanked,
    };
  });
  return { timeSeries, overallAverageRank: ranked === 0 ? null : round(rankSum / ranked, 4) };
}

export function llmSources(request: RouteRequest): unknown {
  const filter = filterOf(request);
  const kept = askedDomains(request);
  const rows = request.project.models.flatMap(({ id, provider, model }) => {
    if (filter.models !== undefined && !filter.models.includes(id)) return [];
    const own = { ...filter, models: [id] };
    const totals = onlyDomains(totalsOver(request, daysOf(request.window), own), kept);
    const totalCitations = sum(totals.citations);
    if (totalCitations === 0) return [];
    const marks = new Uint8Array(request.project.prompts.length);
    for (const day of daysOf(request.window)) {
      factsOf(request).markCited(marks, day, {
        filter: own,
        version: versionOn(request, day),
        domains: kept,
      });
    }
    const uniquePrompts = marks.reduce((count, mark) => count + mark, 0);
    const uniqueDomains = totals.citations.filter((count) => count > 0).length;
    return [{ llm: id, provider, model, totalCitations, uniqueDomains, uniquePrompts }];
  });
  rows.sort((a, b) => b.totalCitations - a.totalCitations || (a.llm < b.llm ? -1 : 1));
  return rows.slice(0, request.parameters.integer('limit', 20));
}
