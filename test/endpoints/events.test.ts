import { expect, test } from 'vitest';
import { endpointNamed } from '../../src/endpoints/catalogue.ts';
import { eventsBody } from '../fixtures/events.ts';
import { at } from '../support/fixture.ts';
import { rowsOf } from './rows-of.ts';

test('the events endpoint counts a group that is on every page once, from its earliest prompt', () => {
  const [first] = eventsBody.events;
  const group = first?.items[0];
  const later = { ...group, occurredAt: '2026-03-02T09:00:00.000Z' };
  const page = (items: unknown[]): unknown => ({ ...eventsBody, events: [{ date: '2026-03-02', items }] });
  const rows = rowsOf('events', { bodies: [page([group]), page([later])] });
  expect(new Set(rows['events']?.map((row) => [row['prompt_count'], row['occurred_at']].join()))).toEqual(
    new Set([`2,${at('2026-03-02T08:00:00Z')}`]),
  );
});

test('the events endpoint gives nothing for a window without events', () => {
  const withoutEvents = { events: [], total: 0, page: 1, size: 200, totalPages: 0 };
  expect(rowsOf('events', { bodies: [withoutEvents] })).toEqual({});
});

test('the events endpoint counts only actions for its pages, including an action whose id cannot be read', () => {
  const { paging } = endpointNamed('events');
  if (paging.kind !== 'number') throw new Error('events come by page number');
  const unreadable = { type: 'action', action: { id: 7 } };
  const items = [...(eventsBody.events[0]?.items ?? []), unreadable];
  const body = { ...eventsBody, totalPages: 3, events: [{ date: '2026-03-02', items }] };
  expect(paging.size).toBe(200);
  const { ids, ...counts } = paging.pages(body);
  expect(counts).toMatchObject({ total: 2, totalPages: 3 });
  expect(ids).toEqual([expect.stringMatching(/^action-1 /), null]);
});
