import { it } from 'vitest';
import { days, openWorld, setTargets } from './world.ts';

it('crawler_visitor_funnel finds a vendor by key or by name, and keeps what it does not know', async () => {
  await using world = await openWorld('2025-06-02');
  const date = '2025-06-01';
  await world.insert('core.crawler_requests', [
    { date, crawler: 'openai-gptbot', requests: 10 },
    { date, crawler: 'GPTBot', requests: 5 },
    { date, crawler: 'OAI-SearchBot', requests: 3 },
    { date, crawler: 'openai-chatgpt-user', requests: 2 },
    { date, crawler: 'newbot', requests: 7 },
  ]);
  await world.insert('core.visitor_visits', [
    { date, referrer: 'chatgpt.com', visits: 4 },
    { date, referrer: 'www.perplexity.ai', visits: 1 },
  ]);
  await world.gives(
    `select vendor, is_known_vendor, training_requests_count, search_requests_count,
             user_requests_count, other_requests_count, crawler_requests_count, ai_visits_count
           from crawler_visitor_funnel order by vendor`,
    [
      ['OpenAI', true, 15, 3, 2, null, 20, 4],
      ['Perplexity', true, null, null, null, null, null, 1],
      ['newbot', false, null, null, null, 7, 7, null],
    ],
  );
});

it('crawler_visitor_funnel knows every vendor by a key that no other has', async () => {
  await using world = await openWorld();
  await world.gives('select source_kind, source_key from ai_vendors group by all having count(*) > 1', []);
});

it('targets say how far off a goal is; a step is no trend that goes on', async () => {
  await using world = await openWorld('2025-06-01');
  const goals = { citations: 45, visibility: 35, ai_visits: 1, share_of_voice: 90 };
  await setTargets(world, '2025-07-28', goals);
  // Without any noise nothing would be typical, and no change clear; the step is 28 days old.
  const level = (day: number, after: number, before: number): number =>
    day >= 172 ? after : before + (day < 144 && day % 14 < 7 ? 1 : 0);
  const dates = days('2024-11-13', 200);
  await world.daily('core.citation_ranks', dates, (day) => ({ total_citations: level(day, 40, 30) }));
  await world.daily('core.visibility', dates, () => ({ visibility: 30 }));
  const mentions = (day: number) => ({ total_responses: 10, brand_mentions: level(day, 8, 2) });
  await world.daily('core.share_of_voice', dates, mentions);
  await world.gives(
    'select measure, value, distance, projected_value, is_reached, is_on_course from targets order by measure',
    [
      ['ai_visits', null, null, null, null, null],
      ['citations', 40, 5, 40, false, false],
      ['share_of_voice', 80, 10, 80, false, false],
      ['visibility', 30, 5, 30, false, false],
    ],
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
    ['p', 'Shop', 'Holding'],
  ]);
  await world.gives(
    'select model_id, model_name, is_known_model, is_deprecated_model from models order by model_id',
    [
      ['gpt', 'GPT', true, true],
      ['new', null, false, false],
    ],
  );
  await world.gives('select monitor_name, prompts_count, active_prompts_count from monitors', [
    ['Shoes', 2, 1],
  ]);
  await world.gives('select brand_name, is_own_brand from brands', [['Us', true]]);
});
