import { dayFromNumber } from '../src/day.ts';
import {
  daysOf,
  filterOf,
  percent,
  round,
  showsEmpty,
  totalsOn,
  totalsOver,
  type RouteRequest,
} from './route.ts';
import { bucketsOf } from './windows.ts';

export function responseSentimentTimeSeries(request: RouteRequest): unknown {
  return bucketsOf(request.window, 'day').flatMap((bucket) => {
    const { responses, positive, negative, neutral, unknown } = totalsOn(request, bucket.start, {});
    const isHidden =
      responses === 0 && (request.project.prompts.length === 0 || !showsEmpty(request, bucket));
    return isHidden ? [] : [{ date: dayFromNumber(bucket.start), positive, negative, neutral, unknown }];
  });
}

export function sentimentDistribution(request: RouteRequest): unknown {
  const { positive, negative, neutral } = totalsOver(request, daysOf(request.window), {});
  const known = positive + negative + neutral;
  return [
    { sentiment: 'POSITIVE', count: positive },
    { sentiment: 'NEUTRAL', count: neutral },
    { sentiment: 'NEGATIVE', count: negative },
  ]
    .filter(({ count }) => count > 0)
    .map((row) => ({ ...row, percentage: percent(row.count, known) }));
}

const TOP_COMPETITORS = 20;
/** Share of the answers that mention an untracked competitor. */
const UNTRACKED_SHARE = 0.12;

/** Competitors by name: two brands with the same name are one row. */
export function responseCompetitors(request: RouteRequest): unknown {
  const totals = totalsOver(request, daysOf(request.window), {});
  const counts = new Map<string, number>();
  request.project.brands.forEach((brand, index) => {
    if (index === 0) return;
    counts.set(brand.name, (counts.get(brand.name) ?? 0) + (totals.mentions[index] ?? 0));
  });
  for (const name of request.project.untracked ?? []) {
    counts.set(name, Math.round(totals.responses * UNTRACKED_SHARE));
  }
  return [...counts]
    .filter(([, count]) => count > 0)
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .slice(0, TOP_COMPETITORS)
    .map(([competitor, count]) => ({
      competitor,
      count,
      percentage: round(percent(count, totals.responses)),
    }));
}

export function responseSummary(request: RouteRequest): unknown {
  const totals = totalsOver(request, daysOf(request.window), {});
  const totalBrandMentions = totals.mentions[0] ?? 0;
  return {
    totalResponses: totals.responses,
    totalBrandMentions,
    brandMentionRate: percent(totalBrandMentions, totals.responses),
  };
}

export function competitorHeatmap(request: RouteRequest): unknown {
  const { parameters, project } = request;
  const filter = filterOf(request);
  const byModel = project.models
    .filter(({ id }) => filter.models === undefined || filter.models.includes(id))
    .map(({ id }) => ({
      id,
      totals: totalsOver(request, daysOf(request.window), { ...filter, models: [id] }),
    }))
    .filter(({ totals }) => totals.responses > 0)
    .sort((a, b) => b.totals.responses - a.totals.responses || (a.id < b.id ? -1 : 1));
  const isSelfHidden = parameters.flag('excludeSelf', false);
  const isIgnoredHidden = parameters.flag('hideIgnoredBrands', true);
  const ranked = project.brands
    .map((brand, index) => ({
      brand,
      index,
      mentions: byModel.reduce((count, { totals }) => count + (totals.mentions[index] ?? 0), 0),
    }))
    .filter(({ brand, mentions }) => {
      if (mentions === 0 || (isSelfHidden && brand.relation === 'SELF')) return false;
      return !(isIgnoredHidden && brand.relation === 'IGNORED');
    })
    .sort((a, b) => b.mentions - a.mentions || a.index - b.index)
    .slice(0, parameters.integer('limit', 50));

  // No prototype: a brand may be called `__proto__`.
  const matrix = Object.create(null) as Record<string, Record<string, number>>;
  const shown: number[] = [];
  for (const { brand, index } of ranked) {
    const cells = Object.create(null) as Record<string, number>;
    for (const { id, totals } of byModel) {
      const mentions = totals.mentions[index] ?? 0;
      if (mentions === 0 && (index > 0 || id !== project.silentModel)) continue;
      cells[id] = round(percent(mentions, totals.responses));
    }
    matrix[brand.name] = cells;
  }
  for (const cells of Object.values(matrix)) shown.push(...Object.values(cells));
  return {
    models: byModel.map(({ id }) => id),
    competitors: ranked.map(({ brand: { name, domain, relation } }) => ({ name, domain, relation })),
    matrix,
    minVisibility: shown.length === 0 ? null : Math.min(...shown),
    maxVisibility: shown.length === 0 ? null : Math.max(...shown),
  };
}
