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
import type { Output, TableColumn, TableShape } from './table.ts';
import { commentOf, type Meaning, sourceOf } from '../warehouse/meaning.ts';

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
export type Catalogue = ReturnType<typeof openCatalogue>;

/** @param declared the user's own endpoints, which come after the others */
export function openCatalogue(declared: readonly Endpoint[] = []) {
  const asked = [...ASKED, ...declared];
  const all = [...ASKED, cmsDraft, ...declared];
  const byName = new Map(all.map((endpoint) => [endpoint.name, endpoint]));
  const tables = tablesOf(all);
  return {
    /** Everything that fills tables: the endpoints of runs, and the writing call, whose answers load in the same way. */
    all: all as readonly Endpoint[],
    /** Every endpoint that a run may request, in order. */
    asked: asked as readonly Endpoint[],
    /** @throws Error if no endpoint has the name: a bug, because names from outside are checked first */
    named: (name: string): Endpoint => {
      const endpoint = byName.get(name);
      if (endpoint === undefined) throw new Error(`there is no endpoint ${JSON.stringify(name)}`);
      return endpoint;
    },
    /** False for an endpoint that no longer exists; an archive may have its answers. */
    has: (name: string): boolean => byName.has(name),
    /** The endpoints that a person means by a name (hyphens are allowed) or by the end of an API path. */
    namesMeant: (name: string): string[] => {
      const plain = name.replaceAll('-', '_').toLowerCase();
      const tail = name.replace(/^\/*/, '/');
      const found = asked.filter((endpoint) => endpoint.name === plain);
      const meant = found.length > 0 ? found : asked.filter(({ path }) => path.endsWith(tail));
      return meant.map((endpoint) => endpoint.name);
    },
    /** Every table with its key columns, by its name in `meta`. */
    keys: new Map(
      tables.map(({ schema, name, key }) => [schema === 'core' ? name : `${schema}.${name}`, key]),
    ),
    tables,
  };
}

function required(name: string, type: TableColumn['type'], meaning: Meaning): TableColumn {
  return { name, type, meaning, isRequired: true };
}

const PROJECT = required('project_id', 'varchar', {
  meaning: 'Project id as the API reports it (core.projects.project_id).',
});

const SCOPE = [
  required('scope', 'varchar', {
    meaning: 'Filter the request carried: project (none), model, monitor, prompt or prompt_type.',
    divides: 'scopes',
  }),
  required('scope_id', 'varchar', { meaning: 'Value of that filter; the project id in scope project.' }),
];

/** The columns that all tables of a shape share, and the end of their comments. */
const SHAPES = {
  series: {
    columns: [
      PROJECT,
      required('grain', 'varchar', {
        meaning: 'Length of the period: day, week (starts on Monday) or month.',
        divides: 'grains',
      }),
      required('date', 'date', { meaning: 'First day of the period (UTC).' }),
      ...SCOPE,
    ],
    words: ', one row per period',
  },
  window: {
    columns: [
      PROJECT,
      required('window_kind', 'varchar', {
        meaning: 'Kind of window: month, last_7_days, last_28_days, last_90_days or day. Windows overlap.',
        divides: 'windows',
      }),
      required('window_start', 'date', { meaning: 'First day of the window (UTC). Part of the key.' }),
      required('window_end', 'date', {
        meaning:
          'Last day of the window (UTC), counted. Not part of the key: a month that is not over runs to the day of the sync.',
      }),
      ...SCOPE,
    ],
    words: ', one answer per whole window; windows add up to nothing',
  },
  dated: { columns: [PROJECT], words: '' },
  project: { columns: [PROJECT], words: '' },
  account: { columns: [], words: '' },
} as const satisfies Record<TableShape, { columns: readonly TableColumn[]; words: string }>;

/** The audit columns of every table. */
const AUDIT = [
  required('_run_id', 'varchar', {
    meaning:
      'Run that last changed this row (meta.runs.run_id). A row that came again unchanged keeps its older run.',
  }),
  required('_changed_at', 'timestamp', { meaning: 'Instant (UTC) at which this row last changed here.' }),
];

/** The tables that endpoints fill, by name. */
function tablesOf(endpoints: readonly Endpoint[]) {
  const tables = new Map<string, ReturnType<typeof tableOf>>();
  for (const endpoint of endpoints)
    for (const output of endpoint.outputs) {
      const table = tableOf(endpoint, output);
      // Several endpoints may fill one table; the first one defines its comment and its columns' meanings.
      const { columns, ...first } = tables.get(output.table) ?? table;
      const more = table.columns.filter(({ name }) => columns.every((known) => known.name !== name));
      tables.set(output.table, { ...first, columns: [...columns, ...more] });
    }
  const all = [...tables.values()].toSorted((one, other) => (one.name < other.name ? -1 : 1));
  return all.map((table) => ({ ...table, columns: [...table.columns, ...AUDIT] }));
}

const OWN = 'own.';

/** The table of one output, without the audit columns. */
function tableOf(endpoint: Endpoint, output: Output) {
  const { table, key, shape, about, declared, meanings } = output;
  const source = output.source ?? [sourceOf(endpoint)];
  const { columns, words } = SHAPES[shape];
  return {
    schema: table.startsWith(OWN) ? 'own' : 'core',
    name: table.startsWith(OWN) ? table.slice(OWN.length) : table,
    key,
    shape,
    endpoint: endpoint.name,
    readFrom: endpoint.readFrom,
    comment: commentOf({ meaning: `${about}${words}.`, source }),
    columns: [
      ...columns.map((column) => ({ ...column, meaning: meanings[column.name] ?? column.meaning })),
      ...declared.map((column) => ({ ...column, meaning: { source, ...column.meaning } })),
    ],
  };
}
