import * as citations from './citations.ts';
import { competitorHeatmap } from './competitor-heatmap.ts';
import { type CoreTable, nameInMeta, tablesOf } from './core-tables.ts';
import { cmsDraft } from './drafts.ts';
import type { Endpoint } from './endpoint.ts';
import { events } from './events.ts';
import { promptLookup, prompts } from './prompts.ts';
import { models, validate, validateV1 } from './reference.ts';
import * as responses from './responses.ts';
import { shareOfVoice, shareOfVoiceComparison } from './share-of-voice.ts';
import { crawlerRequests, crawlerTopPages, visitorVisits } from './traffic.ts';
import { brandVisibility, sentiment, visibility } from './visibility.ts';

/** Every endpoint of a run, in request order. */
const ASKED: readonly Endpoint[] = [
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

/** All endpoints; names become endpoints here. */
export interface Catalogue {
  /** Everything that fills tables: the endpoints of runs, and the writing call, whose answers load in the same way. */
  all: readonly Endpoint[];
  /** Every endpoint that a run may request, in order. */
  asked: readonly Endpoint[];
  /** @throws Error if no endpoint has the name: a bug, because names from outside are checked first */
  named: (name: string) => Endpoint;
  /** False for an endpoint that no longer exists; an archive may have its answers. */
  has: (name: string) => boolean;
  /** The endpoints that a person means by a name (hyphens are allowed) or by the end of an API path. */
  namesMeant: (name: string) => string[];
  /** Every table with its key columns, by its name in `meta`. */
  keys: ReadonlyMap<string, readonly string[]>;
  /** The same tables as declared. */
  tables: readonly CoreTable[];
}

/** @param declared the user's own endpoints, which come after the others */
export function openCatalogue(declared: readonly Endpoint[] = []): Catalogue {
  const asked = [...ASKED, ...declared];
  const all = [...ASKED, cmsDraft, ...declared];
  const byName = new Map(all.map((endpoint) => [endpoint.name, endpoint]));
  const tables = tablesOf(all);
  return {
    all,
    asked,
    named: (name) => {
      const endpoint = byName.get(name);
      if (endpoint === undefined) throw new Error(`there is no endpoint ${JSON.stringify(name)}`);
      return endpoint;
    },
    has: (name) => byName.has(name),
    namesMeant: (name) => {
      const plain = name.replaceAll('-', '_').toLowerCase();
      const tail = name.replace(/^\/*/, '/');
      const found = asked.filter((endpoint) => endpoint.name === plain);
      const meant = found.length > 0 ? found : asked.filter(({ path }) => path.endsWith(tail));
      return meant.map((endpoint) => endpoint.name);
    },
    keys: new Map(tables.map((table) => [nameInMeta(table), table.key])),
    tables,
  };
}
