import { describe, expect, test } from 'vitest';
import { endpointNamed } from '../../src/endpoints/catalogue.ts';
import { eventsBody } from '../support/documented-lists.ts';
import { rowsOf } from './rows-of.ts';

const at = (text: string): number => Date.parse(text);
const noAction = { action_id: null, action_type: null, action_status: null, action_title: null };
const noGroup = { monitor_id: null, monitor_name: null, prompt_count: null };

describe('events', () => {
  test('gives actions, prompt groups with their prompts, and the monitors that have a name', () => {
    expect(rowsOf('events')).toEqual({
      events: [
        {
          event_id: 'prompts_created:2026-03-02:monitor-1',
          date: '2026-03-02',
          type: 'prompts_created',
          occurred_at: at('2026-03-02T08:00:00Z'),
          ...noAction,
          monitor_id: 'monitor-1',
          monitor_name: null,
          prompt_count: 2,
        },
        {
          event_id: 'action:action-1',
          date: '2026-03-02',
          type: 'action',
          occurred_at: at('2026-03-02T10:00:00Z'),
          action_id: 'action-1',
          action_type: 'CONTENT_GAP',
          action_status: 'done',
          action_title: 'Write about “靴”',
          ...noGroup,
        },
        {
          event_id: 'prompts_deleted:2026-03-04:monitor-1',
          date: '2026-03-04',
          type: 'prompts_deleted',
          occurred_at: at('2026-03-04T11:00:00Z'),
          ...noAction,
          monitor_id: 'monitor-1',
          monitor_name: 'Shoes',
          prompt_count: 1,
        },
        {
          event_id: 'action:action-2',
          date: '2026-03-04',
          type: 'action',
          occurred_at: at('2026-03-04T12:00:00Z'),
          action_id: 'action-2',
          action_type: 'CUSTOM',
          action_status: 'done',
          action_title: '',
          ...noGroup,
        },
      ],
      event_prompts: [
        {
          event_id: 'prompts_created:2026-03-02:monitor-1',
          prompt_id: 'prompt-1',
          date: '2026-03-02',
          occurred_at: at('2026-03-02T08:00:00Z'),
        },
        {
          event_id: 'prompts_created:2026-03-02:monitor-1',
          prompt_id: 'prompt-2',
          date: '2026-03-02',
          occurred_at: at('2026-03-02T09:00:00Z'),
        },
        {
          event_id: 'prompts_deleted:2026-03-04:monitor-1',
          prompt_id: 'prompt-9',
          date: '2026-03-04',
          occurred_at: at('2026-03-04T11:00:00Z'),
        },
      ],
      monitors: [{ monitor_id: 'monitor-1', name: 'Shoes' }],
    });
  });

  test('counts a group that stands on every page once, from its earliest prompt on', () => {
    const [first] = eventsBody.events;
    const group = first?.items[0];
    const later = { ...group, occurredAt: '2026-03-02T09:00:00.000Z' };
    const page = (items: unknown[]): unknown => ({ ...eventsBody, events: [{ date: '2026-03-02', items }] });
    const rows = rowsOf('events', { bodies: [page([group]), page([later])] });
    expect(new Set(rows['events']?.map((row) => [row['prompt_count'], row['occurred_at']].join()))).toEqual(
      new Set([`2,${at('2026-03-02T08:00:00Z')}`]),
    );
  });

  test('gives nothing for a window without events', () => {
    const withoutEvents = { events: [], total: 0, page: 1, size: 200, totalPages: 0 };
    expect(rowsOf('events', { bodies: [withoutEvents] })).toEqual({});
  });

  test('counts actions alone for its pages, and an action without readable id as one', () => {
    const { paging } = endpointNamed('events');
    if (paging.kind !== 'number') throw new Error('events come by page number');
    const unreadable = { type: 'action', action: { id: 7 } };
    const items = [...(eventsBody.events[0]?.items ?? []), unreadable];
    const body = { ...eventsBody, totalPages: 3, events: [{ date: '2026-03-02', items }] };
    expect(paging.size).toBe(200);
    expect(paging.pages(body)).toEqual({ total: 2, totalPages: 3, ids: ['action-1', null] });
  });
});
