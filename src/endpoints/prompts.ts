import { z } from 'zod';
import { defineEndpoint, type Output, type OutputRow, type RowContext } from './endpoint.ts';
import { monitorsOutput } from './entity-outputs.ts';
import {
  count,
  flag,
  id,
  expectedInstant,
  label,
  listItems,
  maybeMeasure,
  oneRow,
  openEnum,
  orNull,
  wholeBody,
} from './field.ts';

const PAGE_SIZE = 100;

const prompt = z.object({
  id,
  prompt: z.string(),
  type: openEnum('ORGANIC', 'BRAND_SPECIFIC', 'COMPETITOR_COMPARISON').nullish().transform(orNull),
  isActive: flag,
  languageCode: label,
  llmMonitorId: id.nullish().transform(orNull),
  llmMonitor: z.object({ id, name: label }).nullish(),
  amountOfResponses: count,
  volume: maybeMeasure,
  createdAt: expectedInstant,
  updatedAt: expectedInstant,
  intent: openEnum('BRANDED', 'INFORMATIONAL', 'NAVIGATIONAL', 'COMMERCIAL', 'TRANSACTIONAL')
    .nullish()
    .transform(orNull),
  averageVisibility: maybeMeasure,
  difficulty: maybeMeasure,
});
type Prompt = z.output<typeof prompt>;

const promptsOutput: Output = {
  table: 'prompts',
  shape: 'project',
  key: ['prompt_id'],
  columns: [
    'prompt',
    'type',
    'is_active',
    'language_code',
    'monitor_id',
    'amount_of_responses',
    'volume',
    'intent',
    'average_visibility',
    'difficulty',
    'created_at',
    'updated_at',
    'removed_at',
  ],
  vanished: 'mark_removed',
  volatile: ['updated_at'],
};

const snapshotsOutput: Output = {
  table: 'prompt_snapshots',
  shape: 'project',
  key: ['date', 'prompt_id'],
  columns: ['amount_of_responses', 'volume', 'average_visibility', 'difficulty', 'is_active'],
  vanished: 'keep',
};

function promptRow(item: Prompt, removedAt: number | null): OutputRow {
  return {
    table: 'prompts',
    values: {
      prompt_id: item.id,
      prompt: item.prompt,
      type: item.type,
      is_active: item.isActive,
      language_code: item.languageCode,
      monitor_id: item.llmMonitorId ?? item.llmMonitor?.id ?? null,
      amount_of_responses: item.amountOfResponses,
      volume: item.volume,
      intent: item.intent,
      average_visibility: item.averageVisibility,
      difficulty: item.difficulty,
      created_at: item.createdAt,
      updated_at: item.updatedAt,
      removed_at: removedAt,
    },
  };
}

function monitorRows(item: Prompt): readonly OutputRow[] {
  const monitorId = item.llmMonitor?.id ?? item.llmMonitorId;
  if (monitorId === null) return [];
  return oneRow('monitors', { monitor_id: monitorId, name: item.llmMonitor?.name ?? null });
}

const pageEnvelope = z.object({ total: z.number().int(), totalPages: z.number().int() });

/** All prompts of a project; who is not on the list any more is marked, never deleted. */
export const prompts = defineEndpoint({
  name: 'prompts',
  path: '/api/v1/prompts',
  cut: { kind: 'list' },
  scopes: { project: null },
  paging: {
    kind: 'number',
    size: PAGE_SIZE,
    pages: (body) => {
      const { total, totalPages } = pageEnvelope.parse(body);
      return {
        total,
        totalPages,
        ids: idsOf(z.object({ prompts: z.array(z.unknown()) }).parse(body).prompts),
      };
    },
  },
  params: () => [
    ['sortBy', 'createdAt'],
    ['sortOrder', 'asc'],
  ],
  body: z.object({ prompts: z.array(z.unknown()) }),
  documented: z.object({
    prompts: z.array(prompt),
    total: z.number(),
    page: z.number(),
    size: z.number(),
    totalPages: z.number(),
  }),
  items: (body) => listItems(body.prompts, 'prompts'),
  item: prompt,
  rows: (item, { syncDay }) => [
    promptRow(item, null),
    ...oneRow('prompt_snapshots', {
      date: syncDay,
      prompt_id: item.id,
      amount_of_responses: item.amountOfResponses,
      volume: item.volume,
      average_visibility: item.averageVisibility,
      difficulty: item.difficulty,
      is_active: item.isActive,
    }),
    ...monitorRows(item),
  ],
  outputs: [promptsOutput, snapshotsOutput, monitorsOutput],
});

/** One prompt that only an event knows; it is off the list, so it counts as removed. */
export const promptLookup = defineEndpoint({
  name: 'prompt',
  path: '/api/v1/prompts/{id}',
  cut: { kind: 'lookup' },
  scopes: { prompt: null },
  params: () => [],
  answeredStatuses: [404],
  body: z.unknown(),
  items: wholeBody,
  item: prompt,
  rows: (item, { fetchedAt }) => [promptRow(item, fetchedAt), ...monitorRows(item)],
  goneRows: goneRow,
  outputs: [{ ...promptsOutput, vanished: 'keep' }, monitorsOutput],
});

function goneRow({ slice, fetchedAt }: RowContext): readonly OutputRow[] {
  const nothing = Object.fromEntries(promptsOutput.columns.map((column) => [column, null]));
  return oneRow('prompts', { ...nothing, prompt_id: slice.scopeId, removed_at: fetchedAt });
}

function idsOf(list: readonly unknown[]): readonly (string | null)[] {
  return list.map((item) => z.object({ id }).safeParse(item).data?.id ?? null);
}
