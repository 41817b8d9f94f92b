import { promptVisibility, removedMonitors, responses, topPages } from './answer-list.ts';
import { listRoute } from './lists.ts';
import {
  DAY,
  FLAG,
  LIST,
  ONE_PROMPT,
  PERIOD,
  TEXT,
  TYPES,
  WINDOW,
  choice,
  integer,
  listOf,
} from './parameter-rules.ts';
import { hashText, mix, unit, uuidOf } from './random.ts';
import { badRequest, Refusal } from './refusal.ts';
import { prompts, topicOf, type Label } from './reference-answers.ts';
import { daysOf, factsOf, projectRoute, round, totalsOver } from './route.ts';
import type { ListEntry, Route, RouteRequest } from './route.ts';
import { groupingOf } from './series-answers.ts';
import { ACTION_TYPES } from './texts.ts';
import { bucketsOf, midnight } from './windows.ts';

const DAY_MS = 86_400_000;
const STATUSES = ['suggested', 'dismissed', 'todo', 'in_progress', 'done'];
/** The types that a person can ask for. */
const ASKED_TYPES = ACTION_TYPES.filter((type) => type !== 'SENTIMENT' && type !== 'CUSTOM');
const SEVERITIES = ['critical', 'high', 'medium', 'low'];
const ORDER = choice('asc', 'desc');

const MARKETS = [
  { languageCode: 'en-US', countryCode: 'US' },
  { languageCode: 'de-DE', countryCode: 'DE' },
  { languageCode: 'ja-JP', countryCode: 'JP' },
] as const;

const PERSONAS = [
  { name: 'Buyer', description: 'Compares prices', ageRange: '25-34', educationLevel: null },
  { name: 'Über-Expertin 🧪', description: '', ageRange: null, educationLevel: 'university' },
] as const;

function instant(ms: number): string {
  return new Date(ms).toISOString();
}

/** Every monitor that was not removed. Its figures are those of the window. */
function monitors(request: RouteRequest): readonly ListEntry[] {
  const { project, state } = request;
  const removed = removedMonitors(request);
  const total = factsOf(request).runningTotals(state.today);
  return project.monitors.flatMap((monitor, index) => {
    if (removed.has(index)) return [];
    const own = project.prompts.flatMap((prompt, at) => (prompt.monitor === index ? [at] : []));
    const totals = totalsOver(request, daysOf(request.window), { monitorId: monitor.id });
    const persona = PERSONAS[index % 3];
    return [
      {
        id: monitor.id,
        name: monitor.name,
        ...(index % 2 === 0 ? { description: null } : {}),
        active: true,
        models: project.models.map(({ model }) => model),
        ...(MARKETS[index % MARKETS.length] ?? MARKETS[0]),
        promptCount: own.length,
        responseCount: own.reduce((sum, at) => sum + (total.responses[at] ?? 0), 0),
        averageVisibility: totals.responses === 0 ? 0 : round((totals.scores[0] ?? 0) / totals.responses),
        responseCountInRange: totals.responses,
        personaName: persona?.name ?? null,
        personaDescription: persona?.description ?? null,
        personaAgeRange: persona?.ageRange ?? null,
        personaEducationLevel: persona?.educationLevel ?? null,
        createdAt: midnight(state.firstDay),
        updatedAt: midnight(state.today),
      },
    ];
  });
}

/** @throws Refusal (404) of a monitor that is unknown or was removed */
function monitorById(request: RouteRequest): unknown {
  const monitor = monitors(request).find(({ id }) => id === request.id);
  if (monitor !== undefined) return monitor;
  const message = `Monitor ${request.id} not found`;
  throw new Refusal(404, { code: 'MONITOR_NOT_FOUND', error: 'Not Found', message });
}

/** Labels of listed prompts, with how many bear them; one without prompts is not listed. */
function labels(request: RouteRequest, of: (prompt: number) => readonly Label[]): readonly ListEntry[] {
  const counts = new Map<string, { name: string; promptCount: number }>();
  const end = (request.state.today + 1) * DAY_MS;
  request.project.prompts.forEach((prompt, index) => {
    if (!prompt.listed || prompt.createdAt >= end || (prompt.deletedAt ?? end) < end) return;
    for (const { id, name } of of(index))
      counts.set(id, { name, promptCount: (counts.get(id)?.promptCount ?? 0) + 1 });
  });
  return [...counts].map(([id, rest]) => ({ id, ...rest }));
}

const TAGS = ['Priority', 'Q4 🎯', '__proto__'];

function tagsOf({ project, state }: RouteRequest) {
  return (prompt: number): Label[] =>
    TAGS.flatMap((name, index) =>
      unit(mix(state.seed, prompt), index) < 0.3 ? [{ id: uuidOf(`${project.id}/tag/${name}`), name }] : [],
    );
}

function personas({ project, state }: RouteRequest): readonly ListEntry[] {
  if (project.prompts.length === 0) return [];
  return PERSONAS.map((persona) => ({
    id: uuidOf(`${project.id}/persona/${persona.name}`),
    ...persona,
    createdAt: midnight(state.firstDay),
    updatedAt: midnight(state.today),
  }));
}

/** Actions as they stand today: what will be done in the next weeks is open, and one in eight was dismissed instead of done. */
function actions(request: RouteRequest): readonly ListEntry[] {
  const { project, state, parameters } = request;
  const asked = parameters.list('status') ?? STATUSES.filter((status) => status !== 'dismissed');
  const start = parameters.day('startDate');
  if (start !== undefined && !asked.includes('dismissed'))
    throw badRequest('querystring/startDate is only allowed with status=dismissed', {
      parameter: 'startDate',
    });
  const dismissedSince = (start ?? state.today - 14) * DAY_MS;
  const found: ListEntry[] = [];
  for (let day = state.firstDay; day <= state.today + 35; day += 1) {
    for (const { id, type, title, occurredAt } of factsOf(request).actions.on(day)) {
      const key = hashText(id);
      const createdAt = occurredAt - (6 + Math.floor(unit(key, 1) * 29)) * DAY_MS;
      if (createdAt >= (state.today + 1) * DAY_MS) continue;
      const left = day - state.today;
      const isOver = left <= 0;
      const isDismissed = isOver && unit(key, 2) < 0.125;
      const open = left > 14 ? 'suggested' : left > 5 ? 'todo' : 'in_progress';
      const status = isDismissed ? 'dismissed' : isOver ? 'done' : open;
      const severity = unit(key, 3) < 0.1 ? null : (SEVERITIES[key % SEVERITIES.length] ?? null);
      if (!asked.includes(status) || (isDismissed && occurredAt < dismissedSince)) continue;
      if (parameters.list('type')?.includes(type) === false) continue;
      if (parameters.list('severity')?.includes(severity ?? '') === false) continue;
      const prompt = project.prompts[key % project.prompts.length];
      found.push({
        id,
        projectId: project.id,
        type,
        status,
        severity,
        title,
        description: `Because of ${title}`,
        reasoning: '',
        geoImpact: null,
        data: type === 'CONTENT_GAP' ? { type, promptId: prompt?.id } : { type, pages: [title] },
        createdAt: instant(createdAt),
        updatedAt: instant(Math.min(occurredAt, state.today * DAY_MS)),
        completedAt: status === 'done' ? instant(occurredAt) : null,
        dismissedAt: isDismissed ? instant(occurredAt) : null,
      });
    }
  }
  return found;
}

function mentions(request: RouteRequest): readonly ListEntry[] {
  const filter = { monitorId: request.parameters.text('llmMonitorId') };
  return bucketsOf(request.window, groupingOf(request.parameters.text('range'))).flatMap((bucket) => {
    const totals = totalsOver(request, bucket.days, filter);
    if (totals.responses === 0) return [];
    const [own = 0, ...others] = totals.mentions;
    const competitorMentions = others.reduce((sum, count) => sum + count, 0);
    return [{ date: midnight(bucket.start), brandMentions: own, competitorMentions }];
  });
}

const PAGES = { page: integer(1), size: integer(1, 100) };

/** The service's known offers beyond the documented endpoints. */
export const OWN_ROUTES: readonly Route[] = [
  listRoute({
    endpoint: 'responses',
    rows: 'responses',
    pages: {},
    rules: {
      ...ONE_PROMPT,
      from: { kind: 'instant' },
      until: { kind: 'instant' },
      sortBy: choice('createdAt', 'visibilityScore', 'sentimentScore'),
      sortOrder: ORDER,
      models: LIST,
      sentiment: listOf(['POSITIVE', 'NEGATIVE', 'NEUTRAL']),
      mentionedOurBrand: FLAG,
      query: TEXT,
      promptTypes: TYPES,
    },
    entries: responses,
  }),
  // Bare and without a total: that it is cut off shows by its size alone.
  listRoute({
    endpoint: 'monitors',
    rules: { ...WINDOW, ...PAGES },
    entries: (request) => {
      const size = request.parameters.integer('size', 100);
      const page = request.parameters.integer('page', 1);
      return monitors(request).slice((page - 1) * size, page * size);
    },
  }),
  projectRoute({ endpoint: 'monitors/{id}', rules: WINDOW, answer: monitorById }),
  listRoute({
    endpoint: 'topics',
    rows: 'topics',
    entries: (request) => labels(request, (prompt) => [topicOf(request.project, prompt)]),
  }),
  listRoute({ endpoint: 'tags', rows: 'tags', entries: (request) => labels(request, tagsOf(request)) }),
  listRoute({ endpoint: 'personas', rows: 'personas', entries: personas }),
  listRoute({
    endpoint: 'actions',
    rows: 'actions',
    pages: { maxSize: 200 },
    rules: {
      status: listOf(STATUSES),
      type: listOf(ASKED_TYPES),
      severity: listOf(SEVERITIES),
      startDate: DAY,
    },
    entries: actions,
  }),
  listRoute({
    endpoint: 'prompt-visibility-time-series',
    rows: 'timeSeries',
    rules: { ...WINDOW, range: PERIOD, limit: integer(1), promptId: TEXT, models: LIST },
    entries: (request) =>
      promptVisibility(request, bucketsOf(request.window, groupingOf(request.parameters.text('range')))),
  }),
  listRoute({
    version: 'v1',
    endpoint: 'responses/mentions-time-series',
    rules: { ...WINDOW, range: PERIOD, llmMonitorId: TEXT },
    entries: mentions,
  }),
  listRoute({
    version: 'v1',
    endpoint: 'citations/top-pages',
    rules: {
      ...WINDOW,
      ...ONE_PROMPT,
      model: TEXT,
      promptTypes: TYPES,
      limit: integer(1, 100),
      domains: LIST,
    },
    entries: topPages,
  }),
  projectRoute({
    endpoint: 'prompts',
    rules: { ...PAGES, topicIds: LIST, sortBy: choice('createdAt', 'updatedAt'), sortOrder: ORDER },
    answer: prompts,
  }),
];
