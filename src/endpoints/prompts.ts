import { z } from 'zod';
import * as column from './column.ts';
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
import { each, type Read, type Table } from './table.ts';

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

const NO_MEANS = { averages: false } as const;
const promptId = column.key('Prompt id.', {}, ({ id }: Prompt) => id);

function monitorId({ llmMonitor, llmMonitorId }: Prompt): string | null {
  return llmMonitorId ?? llmMonitor?.id ?? null;
}

function removedAt(read: Read<Prompt>) {
  const meaning =
    'Instant (UTC) at which it was first missing from the list; NULL while it is listed. Ours, not reported.';
  return column.instant(meaning, {}, read);
}

const promptsTable: Table<Prompt> = {
  table: 'prompts',
  shape: 'project',
  about:
    'Tracked prompts; a prompt that left the list stays here with removed_at. Prompts that only events mention come from GET v1 prompts/{id}',
  key: { prompt_id: promptId },
  columns: {
    prompt: column.text('Text of the prompt; NULL when the API no longer knows it.'),
    type: column.text('ORGANIC, BRAND_SPECIFIC or COMPETITOR_COMPARISON.'),
    isActive: column.flag('True when it is asked at present.'),
    languageCode: column.text('Language.'),
    monitor_id: column.text('Monitor it belongs to (core.monitors).', {}, monitorId),
    amountOfResponses: column.count('Responses so far, over all time: a running total.', {
      adds: 'not over days',
    }),
    volume: column.measure('Weighted search volume over all keywords.'),
    intent: column.text('BRANDED, INFORMATIONAL, NAVIGATIONAL, COMMERCIAL or TRANSACTIONAL.'),
    averageVisibility: column.measure(
      'Average visibility over all responses, scale as the API reports it.',
      NO_MEANS,
    ),
    difficulty: column.measure('Weighted average keyword difficulty.', NO_MEANS),
    createdAt: column.instant('Instant (UTC) of creation.'),
    updatedAt: column.instant(
      'Instant (UTC) of the last change; moves without a visible change and does not count as one.',
    ),
    removed_at: removedAt(() => null),
  },
  vanished: 'mark_removed',
  volatile: ['updated_at'],
  ownedId: 'prompt_id',
};

interface Monitor {
  id: string;
  name: string | null;
}

/** Monitors as named by prompts. */
const monitorsTable: Table<Monitor> = {
  table: 'monitors',
  shape: 'project',
  about: 'Monitors, as seen in prompts and events; last known name',
  source: ['GET v1 prompts', 'GET v2 events'],
  key: { monitor_id: column.key('Monitor id.', {}, ({ id }) => id) },
  columns: { name: column.text('Last known name; NULL when never reported.') },
  lastKnown: ['name'],
  ownedId: 'monitor_id',
};

/** Monitors as named by events: a past event may have an old name, so it does not rename a monitor that has prompts. */
export const monitorsOfEvents: Table<Monitor> = {
  ...monitorsTable,
  secondHand: { columns: ['name'], table: 'prompts' },
};

const monitors = each(({ llmMonitor, llmMonitorId }: Prompt) => {
  const known = llmMonitor?.id ?? llmMonitorId;
  return known === null ? [] : [{ id: known, name: llmMonitor?.name ?? null }];
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
    names: ['page', 'size'],
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
      about:
        'State of every listed prompt on each day of a sync, as the first list of the day told it: the history that the prompt list itself lacks',
      key: {
        date: column.day('Day of the sync (UTC).', {}, (_item, { syncDay }) => syncDay),
        prompt_id: promptId,
      },
      columns: {
        amountOfResponses: column.count('Responses so far, over all time: a running total.', {
          adds: 'never',
          averages: true,
          instead: 'take differences between days',
        }),
        volume: column.measure('Weighted search volume.', { adds: 'not over days' }),
        averageVisibility: column.measure('Average visibility over all responses.', NO_MEANS),
        difficulty: column.measure('Weighted average keyword difficulty.', NO_MEANS),
        isActive: column.flag('True when it was asked on that day.'),
        seen_at: column.instant(
          'Instant (UTC) of the answer: the figures are those of that moment.',
          {},
          (_item, { fetchedAt }) => fetchedAt,
        ),
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
      columns: { ...promptsTable.columns, removed_at: removedAt((_item, { fetchedAt }) => fetchedAt) },
      vanished: 'keep',
    },
    monitors,
  ],
  gone: {
    statuses: [404],
    row: ({ slice, fetchedAt }) => ({ prompt_id: slice.scopeId, removed_at: fetchedAt }),
  },
});
