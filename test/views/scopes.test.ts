import { it } from 'vitest';
import { openWorld, slice } from './world.ts';
import type { World } from './world.ts';
import { table } from '../support/table.ts';

const WHOLE = { scope: 'project', scope_id: 'p' };
const MODEL = { scope: 'model', scope_id: 'm' };
const MONITOR = { scope: 'monitor', scope_id: 'n' };

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
  const cells: readonly (readonly [object, string, string, number, number])[] = [
    [WHOLE, '2025-05-01', '2025-05-31', 50, 20],
    [WHOLE, '2025-06-01', '2025-06-30', 55, 25],
    [MONITOR, '2025-05-01', '2025-05-31', 5, 30],
  ];
  await world.insert(
    'core.competitor_heatmap',
    cells.flatMap(([scope, window_start, window_end, own, rival]) =>
      [
        { competitor_name: 'Older name', competitor_domain: 'acme.test', visibility: own },
        { competitor_name: 'Rival', competitor_domain: 'rival.test', visibility: rival },
      ].map((cell) => ({
        ...cell,
        ...scope,
        window_kind: 'month',
        window_start,
        window_end,
        model_id: 'm',
      })),
    ),
  );
  const columns = 'scope, scope_id, scope_name, window_start, model_name, gap_points as gap';
  const rival = "where competitor_name = 'Rival' order by scope, window_start";
  const monitor = {
    ...MONITOR,
    scope_name: 'Monitor N',
    window_start: '2025-05-01',
    model_name: 'Model M',
  };
  const whole = { ...WHOLE, scope_name: 'Shop', model_name: 'Model M' };
  await world.gives(`select ${columns} from competitor_heatmap_latest ${rival}`, [
    { ...monitor, gap: -25 },
    { ...whole, window_start: '2025-06-01', gap: 30 },
  ]);
  await world.gives(
    `select ${columns}, change_points as change, days_in_window as days from competitor_heatmap_trend ${rival}`,
    [
      { ...monitor, gap: -25, change: null, days: 31 },
      { ...whole, window_start: '2025-05-01', gap: 30, change: null, days: 31 },
      { ...whole, window_start: '2025-06-01', gap: 30, change: 5, days: 30 },
    ],
  );
});

it('domain views find new and lost domains, shares and the period before within one scope', async () => {
  await using world = await openShop();
  const may = { window_kind: 'month', window_start: '2025-05-01', window_end: '2025-05-31' };
  const june = { window_kind: 'month', window_start: '2025-06-01', window_end: '2025-06-30' };
  await world.insert(
    'core.domain_citation_totals',
    [
      { ...WHOLE, ...may, domain: 'acme.test', total: 7 },
      { ...WHOLE, ...june, domain: 'acme.test', total: 9 },
      { ...MODEL, ...may, domain: 'rival.test', total: 3 },
      { ...MODEL, ...june, domain: 'acme.test', total: 3 },
    ].map((row) => ({ ...row, percentage: 100 })),
  );
  await world.insert('core.citation_totals', [{ ...MODEL, ...june, total_citations: 30 }]);
  await world.gives(
    `select scope, scope_name as name, domain, is_own_domain as own, domain_status as status, window_end as last,
           citations_count as citations, citations_change as change, window_citations_count as total
         from cited_domains where window_start = '2025-06-01' order by scope, domain`,
    table(
      'scope name domain own status last citations change total',
      ['model', 'Model M', 'acme.test', true, 'new', '2025-06-30', 3, null, 30],
      ['model', 'Model M', 'rival.test', false, 'lost', '2025-06-30', null, null, 30],
      ['project', 'Shop', 'acme.test', true, 'kept', '2025-06-30', 9, 2, null],
    ),
  );

  await world.insert('core.domain_citations', [
    { ...WHOLE, date: '2025-06-01', domain: 'acme.test', citations: 10 },
    { ...WHOLE, date: '2025-06-01', domain: 'rival.test', citations: 30 },
    { ...WHOLE, date: '2025-06-02', domain: 'acme.test', citations: 12 },
    { ...MODEL, date: '2025-06-02', domain: 'acme.test', citations: 2 },
    { ...MODEL, date: '2025-06-02', domain: 'rival.test', citations: 2 },
  ]);
  await world.insert('meta.slices', [
    slice('domain_citations', '2025-06-01..2025-06-02', { ...MODEL, sync_day: '2025-06-02' }),
    slice('domain_citations', '2025-06-01..2025-06-02', { ...WHOLE, sync_day: '2025-07-20' }),
  ]);
  await world.gives(
    `select scope, date, own_citations_share_pct as own, citations_change as change, is_whole_day as whole, is_final as final
         from domain_citation_trend where domain = 'acme.test' order by scope, date`,
    [
      { scope: 'model', date: '2025-06-02', own: 50, change: null, whole: false, final: false },
      { scope: 'project', date: '2025-06-01', own: 25, change: null, whole: true, final: true },
      { scope: 'project', date: '2025-06-02', own: 100, change: 2, whole: true, final: true },
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
    `select prompt, prompt_type as type, monitor_name as monitor, date, visibility, sentiment, organic_responses as responses,
           organic_brand_mentions as mentions, share_of_voice_pct as share, is_whole_day as whole, is_final as final
         from prompt_days order by date`,
    table(
      'prompt type monitor date visibility sentiment responses mentions share whole final',
      ['Best shop?', 'ORGANIC', 'Monitor N', '2025-06-01', 40, 80, 20, 5, 25, true, true],
      ['Best shop?', 'ORGANIC', 'Monitor N', '2025-06-02', null, null, 10, 5, 50, true, true],
      ['Best shop?', 'ORGANIC', 'Monitor N', '2025-07-20', 44, null, null, null, null, false, false],
    ),
  );
});
