import { dayFromNumber, type Grain } from '../src/day.ts';
import { daysOf, filterOf, percent, round, showsEmpty, totalsOver, type RouteRequest } from './route.ts';
import type { Totals } from './totals.ts';
import { bucketsOf, midnight } from './windows.ts';

/** Of `week`, `WEEKLY` or `month`; everything else is a day. */
export function groupingOf(text: string | undefined): Grain {
  const grain = (['week', 'month'] as const).find((one) => text?.toLowerCase().startsWith(one));
  return grain ?? 'day';
}

function valueSeries(request: RouteRequest, value: (totals: Totals) => number | null): unknown {
  const filter = filterOf(request);
  return bucketsOf(request.window, groupingOf(request.parameters.text('range'))).flatMap((bucket) => {
    const point = value(totalsOver(request, bucket.days, filter));
    return point === null && !showsEmpty(request, bucket)
      ? []
      : [{ date: dayFromNumber(bucket.start), value: point }];
  });
}

/** Mean visibility score of the brand of the project over all answers, 0 to 100. */
export function visibilityTimeSeries(request: RouteRequest): unknown {
  return valueSeries(request, (totals) =>
    totals.responses === 0 ? null : round((totals.scores[0] ?? 0) / totals.responses),
  );
}

/** Share of positive answers among those with a known sentiment, 0 to 100; neutral ones count half. */
export function sentimentTimeSeries(request: RouteRequest): unknown {
  return valueSeries(request, (totals) => {
    const known = totals.positive + totals.negative + totals.neutral;
    return known === 0 ? null : round(((totals.positive + totals.neutral / 2) / known) * 100);
  });
}

interface Share {
  totalResponses: number;
  brandMentions: number;
  shareOfVoice: number;
}

function shareOf(totals: Totals): Share {
  return {
    totalResponses: totals.organicResponses,
    brandMentions: totals.organicMentions,
    shareOfVoice: percent(totals.organicMentions, totals.organicResponses),
  };
}

export function shareOfVoiceTimeSeries(request: RouteRequest): unknown {
  const filter = filterOf(request);
  let previous: number | null = null;
  return bucketsOf(request.window, groupingOf(request.parameters.text('range'))).flatMap((bucket) => {
    const totals = totalsOver(request, bucket.days, filter);
    if (totals.responses === 0 && !showsEmpty(request, bucket)) return [];
    const share = shareOf(totals);
    const point = {
      date: midnight(bucket.start),
      ...share,
      previousPeriodShareOfVoice: previous,
      change: previous === null ? null : share.shareOfVoice - previous,
    };
    previous = share.shareOfVoice;
    return [point];
  });
}

export function shareOfVoiceComparison(request: RouteRequest): unknown {
  const filter = filterOf(request);
  const { start, end } = request.window;
  const current = shareOf(totalsOver(request, daysOf(request.window), filter));
  const length = end - start + 1;
  const before = { start: start - length, end: start - 1 };
  const previous = shareOf(totalsOver(request, daysOf(before), filter));
  const change = current.shareOfVoice - previous.shareOfVoice;
  return { current, previous, change, changePercent: percent(change, previous.shareOfVoice) };
}

const DEFAULT_BRAND_ROWS = 100;

export function brandVisibilityOverTime(request: RouteRequest): unknown {
  const { parameters, project } = request;
  const filter = filterOf(request);
  const relations = parameters.list('relation');
  const rows: unknown[] = [];
  for (const bucket of bucketsOf(request.window, groupingOf(parameters.text('granularity')))) {
    const totals = totalsOver(request, bucket.days, filter);
    if (totals.responses === 0) continue;
    project.brands.forEach((brand, index) => {
      if (relations !== undefined && !relations.includes(brand.relation ?? '')) return;
      const mentions = totals.mentions[index] ?? 0;
      rows.push({
        date: dayFromNumber(bucket.start),
        brand: { id: brand.id, name: brand.name, domain: brand.domain, relation: brand.relation },
        averageVisibility: round((totals.scores[index] ?? 0) / totals.responses),
        mentionCount: mentions,
        totalResponses: totals.responses,
        visibilityPercentage: percent(mentions, totals.responses),
      });
    });
  }
  const offset = parameters.integer('offset', 0);
  return rows.slice(offset, offset + parameters.integer('limit', DEFAULT_BRAND_ROWS));
}
