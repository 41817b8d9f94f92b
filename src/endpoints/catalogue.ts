import * as citations from './citations.ts';
import { competitorHeatmap } from './competitor-heatmap.ts';
import { cmsDraft } from './drafts.ts';
import type { Endpoint } from './endpoint.ts';
import { events } from './events.ts';
import { promptLookup, prompts } from './prompts.ts';
import { models, validate, validateV1 } from './reference.ts';
import * as responses from './responses.ts';
import { shareOfVoice, shareOfVoiceComparison } from './share-of-voice.ts';
import { crawlerRequests, crawlerTopPages, visitorVisits } from './traffic.ts';
import { brandVisibility, sentiment, visibility } from './visibility.ts';

/** Every endpoint that a run may ask, in the order in which it asks. */
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
  citations.domainCitations,
  citations.citationRanks,
  responses.responseSentiment,
  crawlerRequests,
  visitorVisits,
  competitorHeatmap,
  citations.domainCitationTotals,
  citations.citationRankTotals,
  citations.llmSources,
  shareOfVoiceComparison,
  crawlerTopPages,
  responses.sentimentDistribution,
  responses.competitorMentions,
  responses.responseSummary,
];

/** Everything that fills tables: the catalogue and the call that writes. */
const all: readonly Endpoint[] = [...catalogue, cmsDraft];
const byName = new Map(all.map((endpoint) => [endpoint.name, endpoint]));

/** Every table of `core` with its key columns, by name. */
export const coreKeys: ReadonlyMap<string, readonly string[]> = new Map(
  all
    .flatMap(({ outputs }) => outputs.map((output) => [output.table, output.key] as const))
    .sort(([a], [b]) => (a < b ? -1 : 1)),
);

/** An endpoint of the catalogue, or the call that writes, whose answers load in the same way. @throws Error when no endpoint has the name: a bug, because names from outside are checked first */
export function endpointNamed(name: string): Endpoint {
  const endpoint = byName.get(name);
  if (endpoint === undefined) throw new Error(`there is no endpoint ${JSON.stringify(name)}`);
  return endpoint;
}

/** True for the name of an endpoint whose answers load; an archive may have answers of an endpoint that no longer exists. */
export function hasEndpoint(name: string): boolean {
  return byName.has(name);
}

export const ENDPOINT_NAMES: readonly string[] = catalogue.map((endpoint) => endpoint.name);

/** The catalogue names that a person means by an endpoint's name (hyphens are allowed) or by the end of an API path. */
export function namesMeant(name: string): string[] {
  const plain = name.replaceAll('-', '_').toLowerCase();
  if (ENDPOINT_NAMES.includes(plain)) return [plain];
  const tail = name.replace(/^\/*/, '/');
  return catalogue.filter(({ path }) => path.endsWith(tail)).map((endpoint) => endpoint.name);
}
