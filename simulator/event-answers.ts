import { dayFromNumber } from '../src/day.ts';
import type { CompletedAction } from './actions.ts';
import { unit } from './random.ts';
import { daysOf, factsOf, pageOf, type RouteRequest } from './route.ts';

const DAY_MS = 86_400_000;

interface EventItem {
  type: string;
  occurredAt: string;
  [field: string]: unknown;
}

type ListedAction = Pick<CompletedAction, 'id' | 'type' | 'title' | 'occurredAt'>;

/** Instants after this one are still in the future; in a world with late data it is noon of the last day. */
function endOfKnown(request: RouteRequest): number {
  const { today, world } = request.state;
  return (today + (world.arrival.length > 0 ? 0.5 : 1)) * DAY_MS;
}

function actionsIn(request: RouteRequest): ListedAction[] {
  const { project, parameters } = request;
  if (parameters.text('promptId') !== undefined) return [];
  const monitorId = parameters.text('llmMonitorId');
  const until = endOfKnown(request);
  const made = [...daysOf(request.window)].flatMap((day) =>
    factsOf(request)
      .actions.on(day)
      .filter((action) => monitorId === undefined || project.monitors[action.monitor]?.id === monitorId),
  );
  const given = monitorId === undefined ? givenCompletions(request) : [];
  return [...made, ...given]
    .filter(({ occurredAt }) => occurredAt < until)
    .sort((a, b) => a.occurredAt - b.occurredAt);
}

function givenCompletions({ project, state, window }: RouteRequest): ListedAction[] {
  const today = dayFromNumber(state.today);
  return (project.completions ?? []).flatMap((one) => {
    const { actionId: id, title, occurredAt, listedSince = today, listedUntil = today } = one;
    const day = Math.floor(occurredAt / DAY_MS);
    const isListed = listedSince <= today && today <= listedUntil && window.start <= day && day <= window.end;
    return isListed ? [{ id, type: 'CUSTOM', title, occurredAt }] : [];
  });
}

function actionItem({ id, type, title, occurredAt }: ListedAction): EventItem {
  return {
    type: 'action',
    occurredAt: new Date(occurredAt).toISOString(),
    action: { id, type, status: 'done', title },
  };
}

type PromptChange = 'prompts_created' | 'prompts_deleted';

/** One item per kind of change, monitor and day. */
function promptGroups(request: RouteRequest): EventItem[] {
  const { project, parameters, window } = request;
  const monitorId = parameters.text('llmMonitorId');
  const promptId = parameters.text('promptId');
  const until = endOfKnown(request);
  const groups = new Map<
    string,
    { type: PromptChange; monitor: number; prompts: { id: string; at: number }[] }
  >();
  for (const prompt of project.prompts) {
    if (promptId !== undefined && prompt.id !== promptId) continue;
    if (monitorId !== undefined && project.monitors[prompt.monitor]?.id !== monitorId) continue;
    const changes: [PromptChange, number | undefined][] = [
      ['prompts_created', prompt.createdAt],
      ['prompts_deleted', prompt.deletedAt],
    ];
    for (const [type, at] of changes) {
      const day = at === undefined ? -1 : Math.floor(at / DAY_MS);
      if (at === undefined || at >= until || day < window.start || day > window.end) continue;
      const key = `${type}|${day}|${prompt.monitor}`;
      const group = groups.get(key) ?? { type, monitor: prompt.monitor, prompts: [] };
      group.prompts.push({ id: prompt.id, at });
      groups.set(key, group);
    }
  }
  return [...groups.values()].flatMap(({ type, monitor, prompts }) => {
    prompts.sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));
    const known = project.monitors[monitor];
    const item: EventItem = {
      type,
      occurredAt: new Date(prompts[0]?.at ?? 0).toISOString(),
      monitor:
        known?.isNullInEvents === true ? null : { id: known?.id ?? '', name: known?.nameInEvents ?? null },
      prompts: prompts.map(({ id, at }) => ({ id, occurredAt: new Date(at).toISOString() })),
    };
    const isRepeated = project.repeatsGroups && unit(request.state.seed, prompts[0]?.at ?? 0) < 0.4;
    return isRepeated ? [item, item] : [item];
  });
}

/** Completed actions of the page and all prompt groups of the window, by UTC day. */
export function events(request: RouteRequest): unknown {
  const actions = pageOf(request, actionsIn(request), 200);
  const items = [...promptGroups(request), ...actions.items.map(actionItem)];
  items.sort((a, b) => (a.occurredAt < b.occurredAt ? -1 : a.occurredAt > b.occurredAt ? 1 : 0));
  const byDay = new Map<string, EventItem[]>();
  for (const item of items) {
    const date = dayFromNumber(Math.floor(Date.parse(item.occurredAt) / DAY_MS));
    const ofDay = byDay.get(date);
    if (ofDay === undefined) byDay.set(date, [item]);
    else ofDay.push(item);
  }
  return {
    events: [...byDay].map(([date, ofDay]) => ({ date, items: ofDay })),
    ...actions.counters,
  };
}
