import { it } from 'vitest';
import { openWorld, slice, window, type World } from './world.ts';

const WHOLE = { scope: 'project', scope_id: 'p' };
const MODEL = { scope: 'model', scope_id: 'm' };
const MONITOR = { scope: 'monitor', scope_id: 'n' };
const MAY = window('month', '2025-05-01..2025-05-31');
const JUNE = window('month', '2025-06-01..2025-06-30');

async function openShop(): Promise<World> {
  const world = await openWorld('2025-07-20');
  await world.insert('core.projects', [{ name: 'Shop' }]);
  await world.insert('core.models', [{ model_id: 'm', label: 'Model M' }]);
  await world.insert('core.monitors', [{ monitor_id: 'n', name: 'Monitor N' }]);
  await world.insert('core.brands', [
    { brand_id: 'own', name: 'Acme', domain: 'https://www.acme.test', relation: 'SELF' },
    { brand_id: 'rival', name: 'Rival', domain: 'rival.test', relation: 'DIRECT_COMPETITOR' },
  ]);
  return world;
}

it('heatmap views know your brand by its domain, with the newest window and the one before of each scope', async () => {
  await using world = await openShop();
  const cell = (competitor_domain: string, visibility: number, where: object): Record<string, unknown> => {
    const competitor_name = competitor_domain === 'acme.test' ? 'Older name' : 'Rival';
    return { competitor_domain, competitor_name, visibility, model_id: 'm', ...where };
  };
  for (const [own, rival, where] of [
    [50, 20, { ...WHOLE, ...MAY }],
    [55, 25, { ...WHOLE, ...JUNE }],
    [5, 30, { ...MONITOR, ...MAY }],
  ] as const)
    await world.insert('core.competitor_heatmap', [
      cell('acme.test', own, where),
      cell('rival.test', rival, where),
    ]);
  const columns = 'scope_id, scope_name, window_start, model_name, gap_points';
  const rival = "where competitor_name = 'Rival' order by scope, window_start";
  await world.gives(`select ${columns} from competitor_heatmap_latest ${rival}`, [
    ['n', 'Monitor N', '2025-05-01', 'Model M', -25],
    ['p', 'Shop', '2025-06-01', 'Model M', 30],
  ]);
  await world.gives(
    `select ${columns}, change_points, days_in_window from competitor_heatmap_trend ${rival}`,
    [
      ['n', 'Monitor N', '2025-05-01', 'Model M', -25, null, 31],
      ['p', 'Shop', '2025-05-01', 'Model M', 30, null, 31],
      ['p', 'Shop', '2025-06-01', 'Model M', 30, 5, 30],
    ],
  );
});

it('cited_domains finds new and lost domains, and the period before, within one scope', async () => {
  await using world = await openShop();
  await world.insert('core.domain_citation_totals', [
    { ...WHOLE, ...MAY, domain: 'acme.test', total: 7 },
    { ...WHOLE, ...JUNE, domain: 'acme.test', total: 9 },
    { ...MODEL, ...MAY, domain: 'rival.test', total: 3 },
    { ...MODEL, ...JUNE, domain: 'acme.test', total: 3 },
  ]);
  await world.insert('core.citation_totals', [{ ...MODEL, ...JUNE, total_citations: 30 }]);
  await world.gives(
    `select scope, scope_name, domain, is_own_domain, domain_status, window_end,
           citations_count, citations_change, window_citations_count
         from cited_domains where window_start = '2025-06-01' order by scope, domain`,
    [
      ['model', 'Model M', 'acme.test', true, 'new', '2025-06-30', 3, null, 30],
      ['model', 'Model M', 'rival.test', false, 'lost', '2025-06-30', null, null, 30],
      ['project', 'Shop', 'acme.test', true, 'kept', '2025-06-30', 9, 2, null],
    ],
  );
});

it('prompt_days puts visibility, sentiment and share of voice of a prompt side by side', async () => {
  await using world = await openShop();
  await world.insert('core.prompts', [
    { prompt_id: 'q', prompt: 'Best shop?', type: 'ORGANIC', monitor_id: 'n' },
  ]);
  const prompt = { scope: 'prompt', scope_id: 'q' };
  await world.insert('core.visibility', [
    { ...prompt, date: '2025-06-01', visibility: 40 },
    { ...prompt, date: '2025-07-20', visibility: 44 },
    { ...WHOLE, date: '2025-06-01', visibility: 70 },
    { ...prompt, date: '2025-06-01', grain: 'month', visibility: 41 },
  ]);
  await world.insert('core.share_of_voice', [
    { ...prompt, date: '2025-06-01', total_responses: 20, brand_mentions: 5, share_of_voice: 25 },
    { ...prompt, date: '2025-06-02', total_responses: 10, brand_mentions: 5, share_of_voice: 50 },
  ]);
  await world.insert('core.sentiment', [{ ...prompt, date: '2025-06-01', sentiment: 80 }]);
  await world.insert(
    'meta.slices',
    ['visibility', 'sentiment', 'share_of_voice'].map((endpoint) =>
      slice(endpoint, '2025-06-01..2025-07-20', prompt),
    ),
  );
  await world.gives(
    `select prompt, prompt_type, monitor_name, date, visibility, sentiment, organic_responses,
           organic_brand_mentions, share_of_voice_pct, is_whole_day, is_final
         from prompt_days order by date`,
    [
      ['Best shop?', 'ORGANIC', 'Monitor N', '2025-06-01', 40, 80, 20, 5, 25, true, true],
      ['Best shop?', 'ORGANIC', 'Monitor N', '2025-06-02', null, null, 10, 5, 50, true, true],
      ['Best shop?', 'ORGANIC', 'Monitor N', '2025-07-20', 44, null, null, null, null, false, false],
    ],
  );
});
