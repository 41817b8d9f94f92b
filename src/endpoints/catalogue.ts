import {
  citationRanks,
  citationRankTotals,
  domainCitations,
  domainCitationTotals,
  llmSources,
} from './citations.ts';
import { competitorHeatmap } from './competitor-heatmap.ts';
import { cmsDraft } from './drafts.ts';
import type { Endpoint } from './endpoint.ts';
import { events } from './events.ts';
import { promptLookup, prompts } from './prompts.ts';
import { models, validate, validateV1 } from './reference.ts';
import {
  competitorMentions,
  responseSentiment,
  responseSummary,
  sentimentDistribution,
} from './responses.ts';
import { shareOfVoice, shareOfVoiceComparison } from './share-of-voice.ts';
import { crawlerRequests, crawlerTopPages, visitorVisits } from './traffic.ts';
import { brandVisibility, sentiment, visibility } from './visibility.ts';

/** Every endpoint that a run may ask, in its order. */
export const catalogue: readonly Endpoint[] = [
  validate,
  validateV1,
  models,
  prompts,
  promptLookup,
  events,
  visibility,
  sentiment,
  shareOfVoice,
  brandVisibility,
  domainCitations,
  citationRanks,
  responseSentiment,
  crawlerRequests,
  visitorVisits,
  competitorHeatmap,
  domainCitationTotals,
  citationRankTotals,
  llmSources,
  shareOfVoiceComparison,
  crawlerTopPages,
  sentimentDistribution,
  competitorMentions,
  responseSummary,
];

/** Whatever fills tables: the catalogue and the writing call. */
const all: readonly Endpoint[] = [...catalogue, cmsDraft];
const byName = new Map(all.map((endpoint) => [endpoint.name, endpoint]));

/** Every table of `core` with its key columns, by name. */
export const coreKeys: ReadonlyMap<string, readonly string[]> = new Map(
  all
    .flatMap(({ outputs }) => outputs.map((output) => [output.table, output.key] as const))
    .sort(([a], [b]) => (a < b ? -1 : 1)),
);

/** An endpoint of the catalogue or the writing call, whose answers load alike. @throws Error when no endpoint bears the name (a bug: names from outside are checked before) */
export function endpointNamed(name: string): Endpoint {
  const endpoint = byName.get(name);
  if (endpoint === undefined) throw new Error(`no endpoint is called ${JSON.stringify(name)}`);
  return endpoint;
}

/** The endpoints a person means by `name`: its name, with hyphens too, or the end of its path. */
export function endpointsMeant(name: string): readonly Endpoint[] {
  const plain = name.replaceAll('-', '_').toLowerCase();
  const exact = catalogue.find((endpoint) => endpoint.name === plain);
  if (exact !== undefined) return [exact];
  const tail = name.replace(/^\/+/, '');
  return catalogue.filter((endpoint) => endpoint.path === `/${tail}` || endpoint.path.endsWith(`/${tail}`));
}
