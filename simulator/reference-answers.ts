import { Refusal } from './refusal.ts';
import { pageOf, type OpenRequest, type RouteRequest } from './route.ts';
import { uuidOf } from './random.ts';
import type { WorldProject, WorldPrompt } from './world.ts';

const DAY_MS = 86_400_000;

function reference({ id, name, slug }: { id: string; name: string; slug: string }): Record<string, string> {
  return { id, name, slug };
}

/** What the key is, and which projects it reaches. */
export function validation({ state, version, key, project }: OpenRequest): unknown {
  const own =
    key?.projectId === undefined ? project : state.world.projects.find(({ id }) => id === key.projectId);
  const listsProjects = key?.type === 'organization' && project === undefined;
  return {
    valid: true,
    keyType: key?.type,
    ...(own === undefined ? {} : { project: reference(own) }),
    organization: reference(state.world.organization),
    apiKey: {
      id: key?.id,
      name: key?.name,
      ...(version === 'v1' && key?.hidesPermission === true ? {} : { permission: 'FULL' }),
      createdAt: new Date(state.firstDay * DAY_MS).toISOString(),
      lastUsedAt: new Date(state.now()).toISOString(),
    },
    availableProjects: listsProjects ? state.world.projects.map(reference) : null,
  };
}

export function models({ state }: OpenRequest): unknown {
  return { models: state.world.models, total: state.world.models.length };
}

function isListed(prompt: WorldPrompt, today: number): boolean {
  const end = (today + 1) * DAY_MS;
  return (
    prompt.listed && prompt.createdAt < end && (prompt.deletedAt === undefined || prompt.deletedAt >= end)
  );
}

function updatedAt(prompt: WorldPrompt, today: number): string {
  const midnight = today * DAY_MS + 3_600_000;
  return new Date(Math.max(prompt.createdAt, midnight)).toISOString();
}

function promptBody(request: RouteRequest, prompt: WorldPrompt): Record<string, unknown> {
  const { project, state } = request;
  const monitor = project.monitors[prompt.monitor];
  const totals = state.facts(project).runningTotals(state.today);
  const index = project.prompts.indexOf(prompt);
  const responses = totals.responses[index] ?? 0;
  const { averageVisibility } = prompt;
  return {
    id: prompt.id,
    prompt: prompt.text,
    type: prompt.type,
    isActive: prompt.isActive,
    languageCode: prompt.languageCode,
    llmMonitorId: monitor?.id,
    llmMonitor: { id: monitor?.id, name: monitor?.name },
    amountOfResponses: responses,
    volume: prompt.volume,
    createdAt: new Date(prompt.createdAt).toISOString(),
    updatedAt: updatedAt(prompt, state.today),
    intent: prompt.intent,
    averageVisibility:
      typeof averageVisibility === 'number'
        ? Math.round((100 * (totals.scores[index] ?? 0)) / Math.max(1, responses)) / 100
        : averageVisibility,
    difficulty: prompt.difficulty,
  };
}

type SortValue = (prompt: WorldPrompt, today: number) => string;

const byCreation: SortValue = ({ createdAt }) => new Date(createdAt).toISOString();

/** What prompts are sorted by. */
export const SORT_VALUES: Readonly<Record<string, SortValue>> = {
  createdAt: byCreation,
  updatedAt,
  isActive: ({ isActive }) => String(isActive),
  type: ({ type }) => type,
  intent: ({ intent }) => intent ?? '',
};

function listedPrompts(project: WorldProject, today: number): WorldPrompt[] {
  return project.prompts.filter((prompt) => isListed(prompt, today));
}

export interface Label {
  id: string;
  name: string;
}

/** The topic of a prompt, by its index. */
export function topicOf(project: WorldProject, prompt: number): Label {
  const titles = project.actionTitles;
  const name = titles[prompt % titles.length] ?? titles[0];
  return { id: uuidOf(`${project.id}/topic/${name}`), name };
}

export function prompts(request: RouteRequest): unknown {
  const { parameters, project, state } = request;
  const monitorId = parameters.text('llmMonitorId');
  const words = parameters.text('query')?.toLowerCase();
  const isActive = parameters.text('isActive');
  const types = parameters.list('types');
  const topics = parameters.list('topicIds');
  const valueOf = SORT_VALUES[parameters.text('sortBy') ?? ''] ?? byCreation;
  const sign = parameters.text('sortOrder') === 'asc' ? 1 : -1;
  const found = listedPrompts(project, state.today)
    .filter(
      (prompt) =>
        (monitorId === undefined || project.monitors[prompt.monitor]?.id === monitorId) &&
        (words === undefined || prompt.text.toLowerCase().includes(words)) &&
        (isActive === undefined || String(prompt.isActive) === isActive) &&
        (types === undefined || types.includes(prompt.type)) &&
        (topics === undefined || topics.includes(topicOf(project, project.prompts.indexOf(prompt)).id)),
    )
    .map((prompt) => ({ prompt, value: valueOf(prompt, state.today) }))
    .sort((a, b) => {
      if (a.value !== b.value) return a.value < b.value ? -sign : sign;
      return a.prompt.id < b.prompt.id ? -1 : 1;
    });
  const { items, counters } = pageOf(request, found, 20);
  return { prompts: items.map(({ prompt }) => promptBody(request, prompt)), ...counters };
}

/** @throws Refusal (404) when the prompt is unknown or gone for good */
export function promptById(request: RouteRequest): unknown {
  const { project, state, id } = request;
  const prompt = project.prompts.find((one) => one.id === id && (isListed(one, state.today) || one.lookup));
  if (prompt === undefined) {
    throw new Refusal(404, { error: 'Not Found', message: `Prompt ${id} not found`, details: {} });
  }
  return promptBody(request, prompt);
}
