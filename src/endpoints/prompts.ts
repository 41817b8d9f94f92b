import { z } from 'zod';
import { defineEndpoint } from './endpoint.ts';
import {
  count,
  documentedPage,
  flag,
  id,
  expectedInstant,
  label,
  maybeMeasure,
  openEnum,
  pageFields,
  side,
} from './field.ts';
import { listItems, wholeBody } from './item.ts';
import { each, fields, type Table } from './table.ts';

const PAGE_SIZE = 100;

const prompt = z.object({
  id,
  prompt: label,
  type: side(openEnum('ORGANIC', 'BRAND_SPECIFIC', 'COMPETITOR_COMPARISON')),
  isActive: flag,
  languageCode: label,
  llmMonitorId: side(id),
  llmMonitor: side(z.object({ id, name: label })),
  amountOfResponses: count,
  volume: maybeMeasure,
  createdAt: expectedInstant,
  updatedAt: expectedInstant,
  intent: side(openEnum('BRANDED', 'INFORMATIONAL', 'NAVIGATIONAL', 'COMMERCIAL', 'TRANSACTIONAL')),
  averageVisibility: maybeMeasure,
  difficulty: maybeMeasure,
});
type Prompt = z.output<typeof prompt>;

const promptsTable: Table<Prompt> = {
  table: 'prompts',
  shape: 'project',
  key: { prompt_id: ({ id: promptId }) => promptId },
  columns: {
    ...fields('prompt', 'type', 'isActive', 'languageCode', 'amountOfResponses', 'volume', 'intent'),
    ...fields('averageVisibility', 'difficulty', 'createdAt', 'updatedAt'),
    monitor_id: (item) => item.llmMonitorId ?? item.llmMonitor?.id ?? null,
    removed_at: () => null,
  },
  vanished: 'mark_removed',
  volatile: ['updated_at'],
  ownedId: 'prompt_id',
};

interface Monitor {
  id: string;
  name: string | null;
}

/** Monitors as prompts name them. */
const monitorsTable: Table<Monitor> = {
  table: 'monitors',
  shape: 'project',
  key: { monitor_id: ({ id }) => id },
  columns: fields('name'),
  lastKnown: ['name'],
  ownedId: 'monitor_id',
};

/** Monitors as events name them: a past event may have the name of its day, so it does not rename a monitor that has prompts. */
export const monitorsOfEvents: Table<Monitor> = {
  ...monitorsTable,
  secondHand: { columns: ['name'], table: 'prompts' },
};

const monitors = each(({ llmMonitor, llmMonitorId }: Prompt) => {
  const monitorId = llmMonitor?.id ?? llmMonitorId;
  return monitorId === null ? [] : [{ id: monitorId, name: llmMonitor?.name ?? null }];
}, monitorsTable);

const listBody = z.object({ prompts: z.array(z.unknown()) });
const identified = z.object({ id });

/** All prompts of a project. A prompt that has left the list is marked as removed, never deleted. */
export const prompts = defineEndpoint({
  name: 'prompts',
  path: '/api/v1/prompts',
  cut: { kind: 'list' },
  scopes: { project: null },
  paging: {
    kind: 'number',
    size: PAGE_SIZE,
    pages: (body) => ({
      ...pageFields.parse(body),
      ids: listBody.parse(body).prompts.map((item) => identified.safeParse(item).data?.id ?? null),
      unknown: [],
    }),
  },
  params: () => [
    ['sortBy', 'createdAt'],
    ['sortOrder', 'asc'],
  ],
  body: listBody,
  documented: z.object({
    prompts: z.array(prompt),
    ...documentedPage,
  }),
  items: (body) => listItems(body.prompts, 'prompts'),
  item: prompt,
  outputs: [
    promptsTable,
    {
      table: 'prompt_snapshots',
      shape: 'project',
      key: { date: (_item, { syncDay }) => syncDay, prompt_id: (item) => item.id },
      columns: {
        ...fields('amountOfResponses', 'volume', 'averageVisibility', 'difficulty', 'isActive'),
        seen_at: (_item, { fetchedAt }) => fetchedAt,
      },
      isFirst: true,
    },
    monitors,
  ],
});

/** A prompt that only events mention. It is not on the list, so it counts as removed. */
export const promptLookup = defineEndpoint({
  name: 'prompt',
  path: '/api/v1/prompts/{id}',
  cut: {
    kind: 'lookup',
    mentions: { table: 'event_prompts', column: 'prompt_id', newest: 'occurred_at', list: 'prompts' },
  },
  scopes: { prompt: null },
  body: z.unknown(),
  items: wholeBody,
  item: prompt,
  outputs: [
    {
      ...promptsTable,
      columns: { ...promptsTable.columns, removed_at: (_item, { fetchedAt }) => fetchedAt },
      vanished: 'keep',
    },
    monitors,
  ],
  gone: {
    statuses: [404],
    row: ({ slice, fetchedAt }) => ({ prompt_id: slice.scopeId, removed_at: fetchedAt }),
  },
});
