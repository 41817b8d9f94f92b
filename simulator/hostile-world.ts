import { addDays } from '../src/day.ts';
import { DEMO_PLANS } from './demo-plans.ts';
import { CATALOGUE } from './model-catalogue.ts';
import { emptyProject, keysOf } from './plain-worlds.ts';
import { makeProject } from './project-maker.ts';
import type { World, WorldBrand, WorldProject, WorldPrompt, WorldSettings } from './world.ts';

const BRANDS: readonly WorldBrand[] = [
  {
    id: 'self',
    name: 'Ünïcødé ☕️ & "Söhne"',
    domain: 'xn--ncd-joa6g.example',
    relation: 'SELF',
    strength: -0.3,
  },
  { id: '10', name: '10', domain: 'ten.example', relation: 'DIRECT_COMPETITOR', strength: 0.1 },
  { id: '2', name: '2', domain: 'two.example', relation: 'OTHER', strength: 0.4 },
  {
    id: '__proto__',
    name: '__proto__',
    domain: 'proto.example',
    relation: 'DIRECT_COMPETITOR',
    strength: -0.2,
  },
  { id: 'constructor', name: 'constructor', domain: null, relation: 'OTHER', strength: -0.5 },
  { id: 'twin-a', name: 'Twin', domain: 'twin-a.example', relation: 'DIRECT_COMPETITOR', strength: -0.1 },
  { id: 'twin-b', name: 'Twin', domain: 'twin-b.example', relation: 'OTHER', strength: -0.9 },
  { id: 'no-domain', name: '日本茶 🍵', domain: undefined, relation: undefined, strength: -0.7 },
  { id: 'no-relation', name: 'O\'Brien \\ "Co"', domain: 'obrien.example', relation: null, strength: -0.8 },
  { id: 'ignored', name: 'hasOwnProperty', domain: 'ignored.example', relation: 'IGNORED', strength: 0.2 },
];

/** Ids in the form of a UUID, but of no RFC version or variant. */
function oddId(kind: number, index: number): string {
  return `0000000${kind}-0000-0000-0000-${index.toString(16).padStart(12, '0')}`;
}

function hostilePrompt(prompt: WorldPrompt, index: number): WorldPrompt {
  const odd = { ...prompt, id: index % 2 === 0 ? oddId(1, index) : prompt.id };
  if (index % 5 === 0) return { ...odd, intent: null, difficulty: null, averageVisibility: null };
  if (index % 5 === 1) {
    return {
      ...odd,
      intent: undefined,
      difficulty: undefined,
      averageVisibility: undefined,
      text: `${odd.text}\n\t🤖 ';--`,
    };
  }
  return odd;
}

function ghostPrompt(base: WorldPrompt, index: number, settings: WorldSettings): WorldPrompt {
  const createdAt = Date.parse(`${addDays(settings.firstDay, 20 + index)}T10:00:00Z`);
  return {
    ...base,
    id: oddId(2, index),
    text: 'Known to events only',
    createdAt,
    deletedAt: undefined,
    listed: false,
    lookup: index === 0,
  };
}

function hostileProject(settings: WorldSettings): WorldProject {
  const plain = makeProject(
    { ...DEMO_PLANS[1], slug: 'hostile-one', firstPrompts: 12, laterPrompts: 60 },
    settings,
  );
  const prompts = plain.prompts.map((prompt, index) => hostilePrompt(prompt, index));
  const ghosts = prompts.slice(0, 3).map((prompt, index) => ghostPrompt(prompt, index, settings));
  return {
    ...plain,
    id: 'hostile:project/1',
    name: `Robert'); DROP TABLE "projects";-- \\ 🧨`,
    monitors: plain.monitors.map((monitor, index) => ({
      id: index === 1 ? oddId(3, index) : monitor.id,
      name: index === 1 ? 'Émoji 🧪 "monitor"' : monitor.name,
      nameInEvents: index === 1 ? null : monitor.name,
    })),
    prompts: [...prompts, ...ghosts],
    models: [
      { id: 'openai_gpt-5', provider: 'openai', model: 'gpt-5' },
      { id: 'open_ai__gpt_4o_mini_search', provider: 'open_ai_', model: 'gpt_4o_mini_search' },
      { id: 'unlisted_model_x', provider: 'unlisted', model: 'model_x' },
      { id: 'google_ai_overview', provider: 'google', model: 'ai_overview' },
    ],
    brands: [...BRANDS],
    domains: [
      ...plain.domains,
      { domain: '__proto__', rate: 0.2, rank: 4 },
      { domain: '127.0.0.1:8080', rate: 0.1, rank: 9 },
    ],
    referrers: [...plain.referrers, { name: '(direct) / none', perDay: 3 }, { name: '10', perDay: 2 }],
    pages: [...plain.pages, "/search?q='x'&y=%F0%9F%8D%B5", '/über-uns', '/a,b;"c"'],
    actionTitles: [
      'line one\nline two',
      "it's; DROP TABLE events;--",
      'tab\tand "quotes"',
      'emoji 🎯 \u2028 end',
    ],
    actionsPerDay: 5.4,
    actionEffect: 0.02,
    gapShare: 0.12,
    gapStyle: 'mixed',
    repeatsGroups: true,
    cutsLists: true,
  };
}

/** Everything that the API allows and that breaks a careless client. */
export function hostileWorld(settings: WorldSettings): World {
  const second = {
    ...makeProject({ ...DEMO_PLANS[2], slug: 'hostile-two', firstPrompts: 6 }, settings),
    name: '',
  };
  const projects = [hostileProject(settings), second, emptyProject('hostile-empty')];
  return {
    name: 'hostile',
    organization: { id: 'org 1', name: 'Org "ünder" test', slug: 'org-1' },
    keys: keysOf('hostile', projects).map((key) => ({ ...key, hidesPermission: true })),
    projects,
    models: CATALOGUE.map((model) => (model.id === 'openai_gpt-5' ? { ...model, deprecated: true } : model)),
    arrival: [0.45, 0.95, 0.985],
  };
}
