import type { AnalyticsModel, CatalogueModel } from './world.ts';

function model(
  provider: readonly [id: string, name: string],
  name: readonly [id: string, label: string],
  flags: { search?: boolean; deprecated?: boolean } = {},
): CatalogueModel {
  const search = flags.search ?? false;
  return {
    id: `${provider[0]}_${name[0]}`,
    label: name[1],
    provider: provider[0],
    providerName: provider[1],
    modelName: name[0],
    apiIdentifier: name[0].replaceAll('_', '-'),
    description: `${name[1]} by ${provider[1]}${search ? ', with web search' : ''}`,
    searchEnabled: search,
    liveSearch: search,
    deprecated: flags.deprecated ?? false,
  };
}

const OPENAI = ['openai', 'OpenAI'] as const;
const GOOGLE = ['google', 'Google'] as const;

/** The models that the service lists, including deprecated ones. */
export const CATALOGUE: readonly CatalogueModel[] = [
  model(OPENAI, ['gpt-5', 'GPT-5'], { search: true }),
  model(OPENAI, ['gpt-4o', 'GPT-4o'], { deprecated: true }),
  model(['anthropic', 'Anthropic'], ['claude-sonnet-4-5', 'Claude Sonnet 4.5'], { search: true }),
  model(GOOGLE, ['gemini-2.5-pro', 'Gemini 2.5 Pro'], { search: true }),
  model(GOOGLE, ['ai_overview', 'AI Overviews'], { search: true }),
  model(['perplexity', 'Perplexity'], ['sonar', 'Sonar'], { search: true }),
  model(['xai', 'xAI'], ['grok-4', 'Grok 4'], { search: true }),
];

/** The models with these ids, as analytics names them. */
export function analyticsModels(ids: readonly string[]): AnalyticsModel[] {
  return CATALOGUE.filter((entry) => ids.includes(entry.id)).map((entry) => ({
    id: entry.id,
    provider: entry.provider,
    model: entry.modelName,
  }));
}
