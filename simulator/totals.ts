/** Counts for a set of answers; they add up over days, prompts, models and monitors. */
export interface Totals {
  responses: number;
  organicResponses: number;
  organicMentions: number;
  positive: number;
  negative: number;
  neutral: number;
  unknown: number;
  /** By brand: answers that name it, and the sum of its visibility scores (0 to 100 each). */
  mentions: Float64Array;
  scores: Float64Array;
  /** By domain: citations, citations with a rank, and the sum of these ranks. */
  citations: Float64Array;
  ranked: Float64Array;
  rankSums: Float64Array;
  /** 0 when nothing was ranked. */
  bestRank: number;
  worstRank: number;
}

export function emptyTotals(brands: number, domains: number): Totals {
  return {
    responses: 0,
    organicResponses: 0,
    organicMentions: 0,
    positive: 0,
    negative: 0,
    neutral: 0,
    unknown: 0,
    mentions: new Float64Array(brands),
    scores: new Float64Array(brands),
    citations: new Float64Array(domains),
    ranked: new Float64Array(domains),
    rankSums: new Float64Array(domains),
    bestRank: 0,
    worstRank: 0,
  };
}

function addArray(into: Float64Array, from: Float64Array): void {
  for (let index = 0; index < into.length; index += 1) into[index] = (into[index] ?? 0) + (from[index] ?? 0);
}

/** Includes one more rank in the best and worst rank of `into`; 0 means none. */
export function addRank(into: Totals, best: number, worst: number): void {
  if (best > 0 && (into.bestRank === 0 || best < into.bestRank)) into.bestRank = best;
  if (worst > into.worstRank) into.worstRank = worst;
}

/** Adds `from` to `into`. */
export function addTotals(into: Totals, from: Totals): void {
  into.responses += from.responses;
  into.organicResponses += from.organicResponses;
  into.organicMentions += from.organicMentions;
  into.positive += from.positive;
  into.negative += from.negative;
  into.neutral += from.neutral;
  into.unknown += from.unknown;
  addArray(into.mentions, from.mentions);
  addArray(into.scores, from.scores);
  addArray(into.citations, from.citations);
  addArray(into.ranked, from.ranked);
  addArray(into.rankSums, from.rankSums);
  addRank(into, from.bestRank, from.worstRank);
}

export function sum(values: Float64Array): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}
