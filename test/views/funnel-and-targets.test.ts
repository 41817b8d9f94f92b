import { it } from 'vitest';
import { openWorld } from './world.ts';
import { table } from '../support/table.ts';

it('crawler_visitor_funnel finds a vendor by key or by name, and keeps what it does not know', async () => {
  await using world = await openWorld('2025-06-02');
  const date = '2025-06-01';
  await world.insert(
    'core.crawler_requests',
    Object.entries({
      'openai-gptbot': 10,
      GPTBot: 5,
      'OAI-SearchBot': 3,
      'openai-chatgpt-user': 2,
      newbot: 7,
    }).map(([crawler, requests]) => ({ date, crawler, requests })),
  );
  await world.insert('core.visitor_visits', [
    { date, referrer: 'chatgpt.com', visits: 4 },
    { date, referrer: 'www.perplexity.ai', visits: 1 },
  ]);
  await world.gives(
    `select vendor, is_known_vendor as known, training_requests_count as training, search_requests_count as search,
             user_requests_count as asked, other_requests_count as other, crawler_requests_count as requests, ai_visits_count as visits
           from crawler_visitor_funnel order by vendor`,
    table(
      'vendor known training search asked other requests visits',
      ['OpenAI', true, 15, 3, 2, null, 20, 4],
      ['Perplexity', true, null, null, null, null, null, 1],
      ['newbot', false, null, null, null, 7, 7, null],
    ),
  );
});

it('crawler_visitor_funnel knows every vendor by a key that no other has', async () => {
  await using world = await openWorld();
  await world.gives('select source_kind, source_key from ai_vendors group by all having count(*) > 1', []);
});

it('targets say how far off a goal is; a step is no trend that goes on', async () => {
  await using world = await openWorld('2025-06-01');
  const target = { project: 'p', measure: 'citations', by: '2025-07-28' };
  await world.insert('meta.settings', [
    {
      name: 'targets',
      value: JSON.stringify([
        { ...target, goal: 45 },
        { ...target, goal: 35, measure: 'visibility' },
        { ...target, goal: 1, measure: 'ai_visits' },
        { ...target, goal: 90, measure: 'share_of_voice' },
      ]),
    },
  ]);
  // Without any noise nothing would be typical, and no change clear.
  const earlier = (age: number): number => (age >= 56 && age % 14 < 7 ? 1 : 0);
  const dates = Array.from({ length: 200 }, (_, index) => new Date(Date.UTC(2025, 4, 31 - index)));
  const rows = dates.map((date, age) => ({ date: date.toISOString().slice(0, 10), age }));
  await world.insert(
    'core.citation_ranks',
    rows.map(({ date, age }) => ({ date, total_citations: age < 28 ? 40 : 30 + earlier(age) })),
  );
  await world.insert(
    'core.visibility',
    rows.map(({ date }) => ({ date, visibility: 30 })),
  );
  await world.insert(
    'core.share_of_voice',
    rows.map(({ date, age }) => ({
      date,
      total_responses: 10,
      brand_mentions: age < 28 ? 8 : 2 + earlier(age),
    })),
  );
  await world.gives(
    'select measure, value, distance, projected_value as projected, is_reached as reached, is_on_course as course from targets order by measure',
    table(
      'measure value distance projected reached course',
      ['ai_visits', null, null, null, null, null],
      ['citations', 40, 5, 40, false, false],
      ['share_of_voice', 80, 10, 80, false, false],
      ['visibility', 30, 5, 30, false, false],
    ),
  );
});

it('the dimensions have every project, model, monitor and brand, models that only figures name too', async () => {
  await using world = await openWorld();
  await world.insert('core.organizations', [{ organization_id: 'o', name: 'Holding' }]);
  await world.insert('core.projects', [{ organization_id: 'o', name: 'Shop' }]);
  await world.insert('core.models', [{ model_id: 'gpt', label: 'GPT', deprecated: true }]);
  await world.insert('core.visibility', [
    { date: '2025-06-01', scope: 'model', scope_id: 'new', visibility: 1 },
  ]);
  await world.insert('core.monitors', [{ monitor_id: 'm', name: 'Shoes' }]);
  await world.insert('core.prompts', [
    { prompt_id: 'a', monitor_id: 'm', is_active: true },
    { prompt_id: 'b', monitor_id: 'm', is_active: false },
  ]);
  await world.insert('core.brands', [{ brand_id: 'b', name: 'Us', relation: 'SELF' }]);
  await world.gives('select project_id, project_name, organization_name from projects', [
    { project_id: 'p', project_name: 'Shop', organization_name: 'Holding' },
  ]);
  await world.gives(
    'select model_id, model_name, is_known_model, is_deprecated_model from models order by model_id',
    [
      { model_id: 'gpt', model_name: 'GPT', is_known_model: true, is_deprecated_model: true },
      { model_id: 'new', model_name: null, is_known_model: false, is_deprecated_model: false },
    ],
  );
  await world.gives('select monitor_name, prompts_count, active_prompts_count from monitors', [
    { monitor_name: 'Shoes', prompts_count: 2, active_prompts_count: 1 },
  ]);
  await world.gives('select brand_name, is_own_brand from brands', [
    { brand_name: 'Us', is_own_brand: true },
  ]);
});
