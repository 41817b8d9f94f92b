import { addDays, type Day } from '../src/day.ts';
import { analyticsModels } from './model-catalogue.ts';
import { hashText, mix, pick, unit, uuidOf } from './random.ts';
import { BRAND_QUESTIONS, COMPARISON_QUESTIONS, CRAWLER_KEYS, ORGANIC_QUESTIONS } from './texts.ts';
import { INTENTS } from './world.ts';
import type { PromptType, WorldDomain, WorldProject, WorldPrompt, WorldSettings } from './world.ts';

/** What distinguishes one project from another. */
export interface ProjectPlan {
  name: string;
  slug: string;
  brand: string;
  domain: string;
  topics: readonly [string, ...string[]];
  rivals: readonly (readonly [name: string, domain: string])[];
  media: readonly string[];
  /** Media that are cited in turn, one month each. */
  monthlyMedia?: readonly [even: string, odd: string];
  silentModel?: string;
  untracked?: readonly string[];
  monitors: readonly string[];
  models: readonly string[];
  /** Prompts that exist from the first day. */
  firstPrompts: number;
  /** Prompts that are added later, a few at a time. */
  laterPrompts: number;
  base: number;
  growth: number;
  actionsPerDay: number;
  traffic: number;
}

const DAY_MS = 86_400_000;

function questionOf(plan: ProjectPlan, index: number): { text: string; type: PromptType } {
  const topic = plan.topics[index % plan.topics.length] ?? plan.topics[0];
  const rival = plan.rivals[index % plan.rivals.length]?.[0] ?? plan.brand;
  const fill = (text: string): string =>
    text.replaceAll('{topic}', topic).replaceAll('{brand}', plan.brand).replaceAll('{rival}', rival);
  const round = index >= 60 ? ` (${Math.floor(index / 60) + 1})` : '';
  if (index % 6 === 4)
    return { text: fill(pick(BRAND_QUESTIONS, (index % 7) / 7)) + round, type: 'BRAND_SPECIFIC' };
  if (index % 6 === 5) {
    return { text: fill(pick(COMPARISON_QUESTIONS, (index % 5) / 5)) + round, type: 'COMPETITOR_COMPARISON' };
  }
  return {
    text: fill(ORGANIC_QUESTIONS[index % ORGANIC_QUESTIONS.length] ?? '{topic}') + round,
    type: 'ORGANIC',
  };
}

function createdDay(plan: ProjectPlan, index: number, settings: WorldSettings): Day {
  if (index < plan.firstPrompts) return settings.firstDay;
  const batch = Math.floor((index - plan.firstPrompts) / 3);
  return addDays(settings.firstDay, 24 + batch * 37 + (mix(settings.seed, batch) % 17));
}

function makePrompt(plan: ProjectPlan, index: number, settings: WorldSettings): WorldPrompt {
  const own = mix(mix(settings.seed, hashText(plan.slug)), index);
  const later = index >= plan.firstPrompts;
  const group = later ? Math.floor((index - plan.firstPrompts) / 3) : index;
  const createdAt =
    Date.parse(`${createdDay(plan, index, settings)}T08:00:00Z`) + Math.floor(unit(own, 1) * 3_600_000);
  const leaves = unit(own, 2) < 0.15;
  const { text, type } = questionOf(plan, index);
  return {
    id: uuidOf(`${plan.slug}/prompt/${index}`),
    text,
    type,
    isActive: unit(own, 3) > 0.06,
    languageCode: 'en',
    monitor: group % plan.monitors.length,
    volume: Math.round(unit(own, 4) ** 2 * 12_000),
    intent: type === 'BRAND_SPECIFIC' ? 'BRANDED' : pick(INTENTS, unit(own, 5)),
    difficulty: Math.round(unit(own, 6) * 1000) / 10,
    averageVisibility: Math.round(unit(own, 7) * 8000) / 100,
    createdAt,
    deletedAt: leaves ? createdAt + Math.floor(80 + unit(own, 8) * 300) * DAY_MS + 7_200_000 : undefined,
    listed: true,
    lookup: false,
  };
}

function makeDomains(plan: ProjectPlan): WorldDomain[] {
  const rivals = plan.rivals.map(([, domain], index) => ({
    domain,
    rate: 0.3 - index * 0.04,
    rank: 2 + index,
  }));
  const media = plan.media.map((domain, index) => ({
    domain,
    rate: 0.5 / (1 + index * 0.4),
    rank: 1 + (index % 6),
  }));
  const monthly = (plan.monthlyMedia ?? []).map((domain, index) => ({
    domain,
    rate: 0.1,
    rank: 4,
    months: index === 0 ? ('even' as const) : ('odd' as const),
  }));
  return [{ domain: plan.domain, rate: 0.35, rank: 3 }, ...rivals, ...media, ...monthly];
}

const RIVAL = 'DIRECT_COMPETITOR';
/** Of the rivals in the order of the plan; all others are ignored. */
const RELATIONS_BY_RANK = [RIVAL, RIVAL, RIVAL, RIVAL, 'OTHER'] as const;

/** A whole project from its plan; ids depend only on the plan, everything else also on the seed. */
export function makeProject(plan: ProjectPlan, settings: WorldSettings): WorldProject {
  const slugHash = hashText(plan.slug);
  return {
    id: uuidOf(`${plan.slug}/project`),
    name: plan.name,
    slug: plan.slug,
    monitors: plan.monitors.map((name) => ({
      id: uuidOf(`${plan.slug}/monitor/${name}`),
      name,
      nameInEvents: name,
    })),
    prompts: Array.from({ length: plan.firstPrompts + plan.laterPrompts }, (_, index) =>
      makePrompt(plan, index, settings),
    ),
    models: analyticsModels(plan.models),
    brands: [
      {
        id: uuidOf(`${plan.slug}/brand/self`),
        name: plan.brand,
        domain: plan.domain,
        relation: 'SELF',
        strength: plan.base,
      },
      ...plan.rivals.map(([name, domain], index) => ({
        id: uuidOf(`${plan.slug}/brand/${name}`),
        name,
        domain,
        relation: RELATIONS_BY_RANK[index] ?? ('IGNORED' as const),
        strength: plan.base + 0.5 - index * 0.45,
      })),
    ],
    domains: makeDomains(plan),
    silentModel: plan.silentModel,
    untracked: plan.untracked,
    crawlers: CRAWLER_KEYS.filter((_, index) => unit(slugHash, index) < 0.5).map((name) => ({
      name,
      perDay: plan.traffic * (0.2 + unit(slugHash, hashText(name))),
    })),
    referrers: [
      'chatgpt.com',
      'perplexity.ai',
      'gemini.google.com',
      'claude.ai',
      'copilot.microsoft.com',
    ].map((name, index) => ({ name, perDay: (plan.traffic / 6) * (1 / (1 + index * 0.7)) })),
    pages: [
      '/',
      '/pricing',
      '/about',
      ...plan.topics.flatMap((topic) => {
        const path = topic.toLowerCase().replaceAll(' ', '-');
        return [`/${path}`, `/guides/${path}`];
      }),
    ],
    connectionIds: [uuidOf(`${plan.slug}/connection/1`), uuidOf(`${plan.slug}/connection/2`)],
    actionTitles: plan.topics,
    actionsPerDay: plan.actionsPerDay,
    actionEffect: 1,
    responsesPerDay: 2,
    growth: plan.growth,
    gapShare: 0,
    gapStyle: undefined,
    repeatsGroups: false,
  };
}
