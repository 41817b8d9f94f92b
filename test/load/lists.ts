import { addDays } from '../../src/day.ts';
import type { ArchivedAnswer } from '../../src/slice.ts';
import { promptBody } from '../fixtures/prompt.ts';
import { answerOf, WEEK, type AnswerChanges } from '../support/answers.ts';

/** Points of a series, a value for each day from 2 March on; undefined leaves a day out. */
export function week(
  values: readonly unknown[],
  changes: AnswerChanges = {},
  endpoint = 'visibility',
): ArchivedAnswer {
  const body = values.flatMap((value, day) =>
    value === undefined ? [] : [{ date: addDays(WEEK.start, day), value }],
  );
  return answerOf(endpoint, body, changes);
}

/** A whole list of prompts, each with what differs from the documented one. */
export function promptList(...prompts: readonly object[]): ArchivedAnswer {
  const list = prompts.map((prompt) => ({ ...promptBody, ...prompt }));
  return answerOf('prompts', { prompts: list, total: list.length, page: 1, size: 100, totalPages: 1 });
}

/** An action that was completed on a day. */
export function action(id: string, day: string, type = 'action'): object {
  const occurredAt = `${day}T10:00:00Z`;
  return { type, occurredAt, action: { id, type: 'CUSTOM', status: 'done', title: id } };
}

/** Prompts that a monitor got on a day. */
export function promptGroup(monitor: { id: string; name: string }, day: string, promptId: string): object {
  const occurredAt = `${day}T08:00:00Z`;
  return { type: 'prompts_created', occurredAt, monitor, prompts: [{ id: promptId, occurredAt }] };
}

export function eventList(
  byDay: Readonly<Record<string, readonly object[]>>,
  changes: AnswerChanges = {},
): ArchivedAnswer {
  const events = Object.entries(byDay).map(([date, items]) => ({ date, items }));
  return answerOf('events', { events, total: 0, page: 1, size: 200, totalPages: 1 }, changes);
}

/** A day of a share of voice of so many mentions in ten responses. */
export function share(day: number, brandMentions: number, more: object = {}): object {
  const figures = { totalResponses: 10, brandMentions, shareOfVoice: brandMentions * 10 };
  return { date: `2026-03-0${String(day)}`, ...figures, change: null, ...more };
}
