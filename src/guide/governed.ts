/** Where the figures of a governed figure stand, one row a day. */
export interface GovernedSource {
  /** View of `main`. */
  view: string;
  /** What to add up; of a mean, the figure of the day. */
  numerator: string;
  /** What to divide the sum by; left out: a mean divides by its days, a sum by nothing. */
  denominator?: string;
  /** The denominator stands on every row of a day and counts once: the same as something that adds up over the rows. */
  once?: string;
  /** Of a net figure: what both of its shares count together. */
  spread?: string;
}

/** What a figure can be told by, besides project and time. */
export const PARTS = ['model', 'brand'] as const;
export type Part = (typeof PARTS)[number];

/**
 * One figure with the one right way to compute it for more than a day. `mean`: each day counts once. `share`: sum through
 * sum, in percent. `net`: a difference of two shares. `weighted`: a mean by weight. `sum`: adds up.
 */
export interface Governed {
  name: string;
  label: string;
  unit: string;
  description: string;
  kind: 'mean' | 'share' | 'net' | 'weighted' | 'sum';
  source: GovernedSource;
  /** Where the same stands by part. */
  parts: Partial<Record<Part, GovernedSource>>;
  /** The measure of `detail.typical_changes` that tells how far its mean strays. */
  measure?: string;
  /** What people also call it. */
  synonyms: readonly string[];
}

/** Columns that name a part. */
export const PART_COLUMNS: Readonly<Record<Part, { id: string; name: string }>> = {
  model: { id: 'model_id', name: 'model_name' },
  brand: { id: 'brand_id', name: 'brand_name' },
};

const KPIS = 'daily_kpis';
const MODELS = 'model_kpis';

function mean(column: string): Pick<Governed, 'source' | 'parts'> {
  return {
    source: { view: KPIS, numerator: column },
    parts: { model: { view: MODELS, numerator: column } },
  };
}

function sumOf(column: string, byModel = false): Pick<Governed, 'source' | 'parts' | 'kind'> {
  return {
    kind: 'sum',
    source: { view: KPIS, numerator: column },
    parts: byModel ? { model: { view: MODELS, numerator: column } } : {},
  };
}

// A day without mentions that are known must not count in the denominator.
const ORGANIC = {
  numerator: 'organic_brand_mentions',
  denominator: 'case when organic_brand_mentions is not null then organic_responses end',
};

/** Own share of what all rows of a day have in common, and the share of each brand. */
function ofBrands({
  view,
  numerator,
  denominator,
  once,
}: Required<Omit<GovernedSource, 'spread'>>): Pick<Governed, 'source' | 'parts'> {
  const rest = { view, denominator, once };
  return {
    source: { ...rest, numerator: `case when is_own_brand then ${numerator} end` },
    parts: { brand: { ...rest, numerator } },
  };
}

/** The governed figures: what `metric` answers, and what the semantic files describe. */
export const GOVERNED: readonly Governed[] = [
  {
    name: 'visibility',
    label: 'Visibility score',
    unit: 'score, 0 to 100',
    description:
      'Visibility score of your own brand as the API computes it; each day counts once. Not the share of answers that name the brand (own_visibility_pct).',
    kind: 'mean',
    ...mean('visibility'),
    measure: 'visibility',
    synonyms: ['visibility score', 'ai visibility'],
  },
  {
    name: 'sentiment',
    label: 'Sentiment score',
    unit: 'score, as the API reports it',
    description: 'Sentiment score towards your own brand; each day counts once.',
    kind: 'mean',
    ...mean('sentiment'),
    measure: 'sentiment',
    synonyms: ['sentiment score', 'tone'],
  },
  {
    name: 'share_of_voice_pct',
    label: 'Share of voice',
    unit: 'percent of organic answers',
    description:
      'Organic answers that name your own brand, per 100 organic answers, of all days together. The trade’s share of voice among brands is brand_mention_share_pct.',
    kind: 'share',
    source: { view: KPIS, ...ORGANIC },
    parts: { model: { view: MODELS, ...ORGANIC } },
    synonyms: ['share of voice', 'sov', 'mention rate'],
  },
  {
    name: 'own_visibility_pct',
    label: 'Share of answers that name the brand',
    unit: 'percent of answers',
    description:
      'Answers to prompts of every type that name your own brand, per 100 answers, of all days together; by brand: those that name each brand. Not the score called visibility.',
    kind: 'share',
    ...ofBrands({
      view: 'brand_visibility_trend',
      numerator: 'visibility_pct * all_responses / 100.0',
      denominator: 'all_responses',
      once: 'case when is_own_brand then all_responses end',
    }),
    synonyms: ['mention share of answers', 'presence', 'brand presence'],
  },
  {
    name: 'brand_mention_share_pct',
    label: 'Share of brand mentions',
    unit: 'percent of mentions',
    description:
      'Mentions of your own brand per 100 mentions of all brands that are not ignored, of all days together; by brand: of each brand. What the trade calls share of voice among brands.',
    kind: 'share',
    ...ofBrands({
      view: 'brand_mention_share',
      numerator: 'mention_count',
      denominator: 'all_mention_count',
      once: 'mention_count',
    }),
    synonyms: ['share of voice among brands', 'competitive share of voice', 'mention share'],
  },
  {
    name: 'net_sentiment_known_pct',
    label: 'Net sentiment',
    unit: 'points, -100 to 100',
    description:
      'Positive less negative answers per 100 answers with a known sentiment, of all days together.',
    kind: 'net',
    source: {
      view: KPIS,
      numerator:
        'case when known_count > 0 then coalesce(positive_count, 0) - coalesce(negative_count, 0) end',
      denominator: 'known_count',
      spread: 'case when known_count > 0 then coalesce(positive_count, 0) + coalesce(negative_count, 0) end',
    },
    parts: {},
    synonyms: ['net sentiment', 'sentiment balance'],
  },
  {
    name: 'organic_responses',
    label: 'Organic answers',
    unit: 'answers',
    description: 'Answers to organic prompts.',
    ...sumOf('organic_responses', true),
    synonyms: ['answers', 'responses'],
  },
  {
    name: 'organic_brand_mentions',
    label: 'Organic answers that name the brand',
    unit: 'answers',
    description: 'Answers to organic prompts that name your own brand.',
    ...sumOf('organic_brand_mentions', true),
    synonyms: ['brand mentions', 'mentions'],
  },
  {
    name: 'citations',
    label: 'Citations',
    unit: 'citations',
    description: 'Citations of all domains in the answers.',
    ...sumOf('citations_count'),
    measure: 'citations',
    synonyms: ['cited sources'],
  },
  {
    name: 'average_citation_rank',
    label: 'Average citation rank',
    unit: 'rank, 1 is best',
    description:
      'Mean rank in the lists of citations, weighted by the citations that have a rank; no position in the answer.',
    kind: 'weighted',
    source: {
      view: 'citation_rank_trend',
      numerator: 'average_citation_rank * ranked_citations_count',
      denominator: 'case when average_citation_rank is not null then ranked_citations_count end',
    },
    parts: {},
    synonyms: ['citation position'],
  },
  {
    name: 'crawler_requests',
    label: 'AI crawler requests',
    unit: 'requests',
    description: 'Requests of AI crawlers to the tracked site.',
    ...sumOf('crawler_requests_count'),
    measure: 'crawler_requests',
    synonyms: ['bot traffic', 'crawls'],
  },
  {
    name: 'ai_visits',
    label: 'Visits from AI assistants',
    unit: 'visits',
    description: 'Visits that AI assistants sent to the tracked site.',
    ...sumOf('ai_visits_count'),
    measure: 'ai_visits',
    synonyms: ['ai referrals', 'ai traffic'],
  },
  {
    name: 'actions_completed',
    label: 'Actions completed',
    unit: 'actions',
    description: 'Actions that were completed.',
    ...sumOf('actions_completed'),
    synonyms: ['tasks done', 'content actions'],
  },
];
