import { z } from 'zod';
import * as column from './column.ts';
import { defineEndpoint, type PageCount } from './endpoint.ts';
import {
  day,
  documentedPage,
  id,
  isObject,
  label,
  maybe,
  openEnum,
  own,
  pageFields,
  side,
  sideInstant,
  sideText,
} from './field.ts';
import type { Item } from './item.ts';
import { monitorsOfEvents } from './prompts.ts';
import { each, type Row } from './table.ts';
import type { TableRows } from './table-rows.ts';
import { DAY_MS, dayNumber } from '../day.ts';
import { jsonOf } from '../redact.ts';

const PAGE_SIZE = 200;

const action = z.object({
  type: z.literal('action'),
  occurredAt: sideInstant,
  action: z.object({
    id,
    type: side(
      openEnum(
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
    ),
    status: side(openEnum('done')),
    title: label,
  }),
});

const identified = z.object({ id });
const GROUPS: readonly string[] = ['prompts_created', 'prompts_deleted'];

const promptGroup = z.object({
  type: z.enum(['prompts_created', 'prompts_deleted']),
  occurredAt: sideInstant,
  // A deleted monitor may be null or have no id.
  monitor: z.object({ id: maybe(z.string()), name: sideText }).nullish(),
  prompts: z.array(z.object({ id, occurredAt: sideInstant })),
});

const item = z.object({ date: day, event: z.discriminatedUnion('type', [action, promptGroup]) });
type EventItem = z.output<typeof item>;

const envelope = z.object({ events: z.array(z.unknown()) });

function* eventItems(body: { events: readonly unknown[] }): Generator<Item> {
  for (const [dayIndex, eventDay] of body.events.entries()) {
    const path = `events[${dayIndex}]`;
    if (!isObject(eventDay) || !Array.isArray(eventDay['items'])) {
      yield { path: () => path, value: eventDay, problem: 'expected a day with a list of items' };
      continue;
    }
    const items: readonly unknown[] = eventDay['items'];
    for (const [index, event] of items.entries())
      yield* partsOf({ path: () => `${path}.items[${index}]`, value: { date: eventDay['date'], event } });
  }
}

/** An event, and separately the prompts of its group that have no id. */
function* partsOf(item: Item & { value: { date: unknown; event: unknown } }): Generator<Item> {
  const { date, event } = item.value;
  const prompts: unknown = own(event, 'prompts');
  const list: readonly unknown[] = Array.isArray(prompts) ? prompts : [];
  const odd = list.filter((prompt) => !identified.safeParse(prompt).success);
  const rest = list.filter((prompt) => !odd.includes(prompt));
  yield odd.length === 0 || !isObject(event)
    ? item
    : { ...item, value: { date, event: { ...event, prompts: rest } } };
  const path = (): string => `${item.path()}.prompts`;
  for (const prompt of odd) yield { path, value: { date, prompt }, problem: 'expected a prompt with an id' };
}

/** The completed action; undefined for a prompt group. */
function actionOf({ event }: EventItem): z.output<typeof action>['action'] | undefined {
  return event.type === 'action' ? event.action : undefined;
}

const REQUIRED = { isRequired: true } as const;

/** The column of a field of the action. */
function ofAction(name: keyof z.output<typeof action>['action'], meaning: string) {
  const read = (found: EventItem) => actionOf(found)?.[name] ?? null;
  return { [`action_${name}`]: column.text(`${meaning}; NULL for prompt groups.`, {}, read) };
}

/** The prompt group; undefined for an action. */
function groupOf({ event }: EventItem): z.output<typeof promptGroup> | undefined {
  return event.type === 'action' ? undefined : event;
}

function eventId({ date, event }: EventItem): string {
  switch (event.type) {
    case 'action':
      return `action:${event.action.id}`;
    case 'prompts_created':
    case 'prompts_deleted':
      // No occurredAt here: it changes as the day fills up.
      return `${event.type}:${date}:${event.monitor?.id ?? ''}`;
    default:
      return event satisfies never;
  }
}

function promptsOf(found: EventItem) {
  const prompts = groupOf(found)?.prompts ?? [];
  return prompts.map((prompt) => ({
    ...prompt,
    eventId: eventId(found),
    date: found.date,
    occurredAt: prompt.occurredAt ?? occurredAt(found),
  }));
}

/** Falls back to the start of the day for an unreadable instant. */
function occurredAt({ date, event }: EventItem): number {
  return event.occurredAt ?? dayNumber(date) * DAY_MS;
}

function monitorsOf(found: EventItem) {
  const { id: monitorId = null, name = null } = groupOf(found)?.monitor ?? {};
  return monitorId === null || monitorId === '' ? [] : [{ id: monitorId, name }];
}

/** If an action was completed again, only its later day counts. */
function newestActions(events: TableRows): TableRows {
  const instants = events.columns.get('occurred_at') ?? [];
  const newest = new Map<unknown, number>();
  for (const [index, id] of events.columns.get('action_id')?.entries() ?? [])
    newest.set(id, Math.max(Number(instants[index]), newest.get(id) ?? -Infinity));
  return events.where('action_id', (id, index) => id === null || newest.get(id) === instants[index]);
}

/** A repeated group counts each of its prompts once, and starts at its earliest prompt. */
function mergeGroups(events: TableRows, sides: readonly TableRows[]): TableRows {
  const all = sides.find(({ table }) => table === 'event_prompts')?.all() ?? [];
  const groups = new Map<unknown, Row[]>();
  for (const row of all) groups.set(row['event_id'], [...(groups.get(row['event_id']) ?? []), row]);
  const [instants = [], counts = []] = ['occurred_at', 'prompt_count'].map((name) =>
    events.columns.get(name),
  );
  for (const [index, eventId] of events.columns.get('event_id')?.entries() ?? []) {
    const prompts = groups.get(eventId);
    if (prompts === undefined) continue;
    counts[index] = new Set(prompts.map((prompt) => prompt['prompt_id'])).size;
    const starts = prompts.map((prompt) => Number(prompt['occurred_at']));
    instants[index] = starts.reduce((one, other) => Math.min(one, other), Number(instants[index]));
  }
  return events;
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
    names: ['page', 'size'],
    pages: (body) => ({
      ...pageFields.parse(body),
      ...countedOf([...eventItems(envelope.parse(body))]),
    }),
  },
  body: envelope,
  documented: z.object({
    events: z.array(z.object({ date: z.string(), items: z.array(item.shape.event) })),
    ...documentedPage,
  }),
  items: eventItems,
  item,
  combine: ([rows, ...sides]) => [mergeGroups(newestActions(rows), sides), ...sides],
  outputs: [
    {
      table: 'events',
      shape: 'dated',
      about:
        'Dated project events: completed actions, and prompts created or deleted (one event per day and monitor)',
      key: { event_id: column.key('action:<action id> or <type>:<date>:<monitor id>.', {}, eventId) },
      columns: {
        date: column.day('Day (UTC), the join key of the API.', REQUIRED),
        type: column.key(
          'action, prompts_created or prompts_deleted.',
          REQUIRED,
          ({ event }: EventItem) => event.type,
        ),
        occurred_at: column.instant(
          'Instant (UTC) of the action, or of the earliest prompt of the group (moves while the day fills).',
          REQUIRED,
          occurredAt,
        ),
        ...ofAction('id', 'Action id'),
        ...ofAction('type', 'Type of the action, for example CONTENT_GAP'),
        ...ofAction('status', 'done is the only value in events'),
        ...ofAction('title', 'Title of the action'),
        monitor_id: column.text(
          'Monitor of the prompt group; NULL for actions.',
          {},
          (found: EventItem) => monitorsOf(found)[0]?.id ?? null,
        ),
        monitor_name: column.text(
          'Name of the monitor as reported with the event; may be NULL.',
          {},
          (found: EventItem) => groupOf(found)?.monitor?.name ?? null,
        ),
        prompt_count: column.count(
          'Prompts in the group; NULL for actions.',
          { adds: 'over events' },
          (found: EventItem) => groupOf(found)?.prompts.length ?? null,
        ),
      },
      ownedId: 'action_id',
      movable: 'action_id',
    },
    each(promptsOf, {
      table: 'event_prompts',
      shape: 'dated',
      about: 'Prompts that a prompt event created or deleted',
      key: {
        eventId: column.key('Event (core.events).'),
        prompt_id: column.key('Prompt id.', {}, ({ id }) => id),
      },
      columns: {
        date: column.day('UTC day that the event is filed under, the join key.', REQUIRED),
        occurredAt: column.instant('Instant (UTC) at which the prompt was created or deleted.', REQUIRED),
      },
    }),
    each(monitorsOf, monitorsOfEvents),
  ],
});

/** The entries that the total counts, and those of unknown kinds; it does not count prompt groups. */
function countedOf(items: readonly Item[]): Pick<PageCount, 'ids' | 'unknown'> {
  const ids: (string | null)[] = [];
  const unknown: string[] = [];
  for (const { value } of items) {
    const event = own(value, 'event');
    const kind = own(event, 'type');
    // An action that was completed twice is two entries.
    const completed = jsonOf([own(value, 'date'), own(event, 'occurredAt')]);
    const actionId = identified.safeParse(own(event, 'action')).data?.id;
    if (kind === 'action') ids.push(actionId === undefined ? null : `${actionId} ${completed}`);
    else if (typeof kind === 'string' && !GROUPS.includes(kind)) unknown.push(jsonOf(event));
  }
  return { ids, unknown };
}
