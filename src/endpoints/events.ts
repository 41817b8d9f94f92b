import { z } from 'zod';
import { defineEndpoint, type Item, type OutputRow } from './endpoint.ts';
import { monitorsOutput } from './entity-outputs.ts';
import { day, id, instant, isObject, label, maybeText, oneRow, openEnum } from './field.ts';
import { dates } from './request-parameters.ts';

const PAGE_SIZE = 200;

const action = z.object({
  type: z.literal('action'),
  occurredAt: instant,
  action: z.object({
    id,
    type: openEnum(
      'WEBSITE_PERFORMANCE',
      'WEBSITE_HEALTH',
      'CONTENT_GAP',
      'SENTIMENT',
      'REDDIT_SOCIAL',
      'SETUP',
      'UNTRACKED_PAGE',
      'UNTAPPED_PAGE',
      'OFFSITE_MENTION',
      'CUSTOM',
    ),
    status: openEnum('done'),
    title: label,
  }),
});

const promptGroup = z.object({
  type: z.enum(['prompts_created', 'prompts_deleted']),
  occurredAt: instant,
  monitor: z.object({ id, name: maybeText }),
  prompts: z.array(z.object({ id, occurredAt: instant })),
});

const item = z.object({ date: day, event: z.discriminatedUnion('type', [action, promptGroup]) });
type EventItem = z.output<typeof item>;

const envelope = z.object({
  events: z.array(z.unknown()),
  total: z.number().int(),
  totalPages: z.number().int(),
});

function* eventItems(body: { events: readonly unknown[] }): Generator<Item> {
  for (const [dayIndex, eventDay] of body.events.entries()) {
    const path = `events[${dayIndex}]`;
    if (!isObject(eventDay) || !Array.isArray(eventDay['items'])) {
      yield { path, value: eventDay, problem: 'expected a day with a list of items' };
      continue;
    }
    for (const [index, event] of (eventDay['items'] as unknown[]).entries()) {
      yield { path: `${path}.items[${index}]`, value: { date: eventDay['date'], event } };
    }
  }
}

const NO_ACTION = { action_id: null, action_type: null, action_status: null, action_title: null };
const NO_GROUP = { monitor_id: null, monitor_name: null, prompt_count: null };

function eventRows({ date, event }: EventItem): readonly OutputRow[] {
  if (event.type === 'action') {
    return oneRow('events', {
      event_id: `action:${event.action.id}`,
      date,
      type: event.type,
      occurred_at: event.occurredAt,
      action_id: event.action.id,
      action_type: event.action.type,
      action_status: event.action.status,
      action_title: event.action.title,
      ...NO_GROUP,
    });
  }
  // Not occurredAt: it moves as the day fills.
  const eventId = `${event.type}:${date}:${event.monitor.id}`;
  return [
    ...oneRow('events', {
      event_id: eventId,
      date,
      type: event.type,
      occurred_at: event.occurredAt,
      ...NO_ACTION,
      monitor_id: event.monitor.id,
      monitor_name: event.monitor.name,
      prompt_count: event.prompts.length,
    }),
    ...event.prompts.map((prompt) => ({
      table: 'event_prompts',
      values: { event_id: eventId, prompt_id: prompt.id, date, occurred_at: prompt.occurredAt },
    })),
    ...oneRow('monitors', { monitor_id: event.monitor.id, name: event.monitor.name }),
  ];
}

/** A group that comes more than once counts each of its prompts once and begins with the earliest. */
function mergeGroups(rows: readonly OutputRow[]): readonly OutputRow[] {
  const groups = new Map<unknown, { prompts: Set<unknown>; occurredAt: number }>();
  for (const { table, values } of rows) {
    if (table !== 'event_prompts') continue;
    const occurredAt = Number(values['occurred_at']);
    const group = groups.get(values['event_id']) ?? { prompts: new Set(), occurredAt };
    group.prompts.add(values['prompt_id']);
    groups.set(values['event_id'], { ...group, occurredAt: Math.min(group.occurredAt, occurredAt) });
  }
  return rows.map((row) => {
    const group = row.table === 'events' ? groups.get(row.values['event_id']) : undefined;
    if (group === undefined) return row;
    const occurredAt = Math.min(group.occurredAt, Number(row.values['occurred_at']));
    return { ...row, values: { ...row.values, prompt_count: group.prompts.size, occurred_at: occurredAt } };
  });
}

/** Completed actions and prompt groups by UTC day. */
export const events = defineEndpoint({
  name: 'events',
  path: '/api/v2/events',
  cut: { kind: 'dated' },
  scopes: { project: null },
  paging: {
    kind: 'number',
    size: PAGE_SIZE,
    pages: (body) => {
      const { total, totalPages, events: days } = envelope.parse(body);
      return { total, totalPages, ids: [...eventItems({ events: days })].flatMap(actionId) };
    },
  },
  params: dates,
  body: envelope,
  documented: z.object({
    events: z.array(z.object({ date: z.string(), items: z.array(item.shape.event) })),
    total: z.number(),
    page: z.number(),
    size: z.number(),
    totalPages: z.number(),
  }),
  items: eventItems,
  item,
  rows: eventRows,
  combine: mergeGroups,
  outputs: [
    {
      table: 'events',
      shape: 'dated',
      key: ['event_id'],
      columns: [
        'date',
        'type',
        'occurred_at',
        'action_id',
        'action_type',
        'action_status',
        'action_title',
        'monitor_id',
        'monitor_name',
        'prompt_count',
      ],
      vanished: 'delete',
    },
    {
      table: 'event_prompts',
      shape: 'dated',
      key: ['event_id', 'prompt_id'],
      columns: ['date', 'occurred_at'],
      vanished: 'delete',
    },
    monitorsOutput,
  ],
});

const actionEvent = z.object({ event: z.object({ type: z.literal('action') }) });
const identified = z.object({ event: z.object({ action: z.object({ id }) }) });

/** The action's id (null when it cannot be read); nothing for a prompt group, which is not counted. */
function actionId({ value }: Item): readonly (string | null)[] {
  if (!actionEvent.safeParse(value).success) return [];
  return [identified.safeParse(value).data?.event.action.id ?? null];
}
