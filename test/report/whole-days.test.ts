import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { SQL_FOLDER } from '../../src/warehouse/sql.ts';
import { action, days, openWorld, slice, window } from '../views/world.ts';

function reportSql(name: string): string {
  const text = readFileSync(join(SQL_FOLDER, 'report', `${name}.sql`), 'utf8');
  return text.replaceAll('{{project}}', 'true').replace(/;\s*$/, '');
}

it('the report leaves out bursts of actions that are not judged, and counts them by reason', async () => {
  await using world = await openWorld('2025-06-20');
  await world.daily('core.visibility', days('2024-10-01', 262), (day) => ({
    visibility: 40 + ((day * day * 31 + day * 17) % 101) / 8,
  }));
  await world.insert('core.events', [
    action('no days before', '2024-10-03'),
    action('known', '2025-05-10'),
    action('no days after', '2025-06-17'),
  ]);
  expect(await world.rows(reportSql('impact'))).toMatchObject([
    { titles: 'Action known', judged_count: 1, not_judged: '1 too few days with figures, 1 too recent' },
  ]);
});

it('the line of a model breaks on a day of which it has hours only, while the project has it whole', async () => {
  await using world = await openWorld('2025-06-11');
  const model = { scope: 'model', scope_id: 'm' };
  await world.daily('core.visibility', days('2025-06-01', 10), () => ({ visibility: 40 }));
  await world.daily('core.visibility', days('2025-06-01', 10), () => ({ visibility: 50, ...model }));
  await world.insert('meta.slices', [
    slice('visibility', '2025-06-01..2025-06-10', { sync_day: '2025-06-11' }),
    slice('visibility', '2025-06-01..2025-06-10', { sync_day: '2025-06-10', ...model }),
  ]);
  const lines = await world.rows(
    `select kind, figures from (${reportSql('lines')}) where kind = 'model' or name = 'visibility'`,
  );
  expect(lines).toEqual([
    { kind: 'measure', figures: Array(10).fill(40) },
    { kind: 'model', figures: [...Array<number>(9).fill(50), null] },
  ]);
});

it('a prompt that left the list is not among the most visible ones', async () => {
  await using world = await openWorld('2025-06-11');
  await world.insert('core.prompts', [
    { prompt_id: 'gone', prompt: 'gone', removed_at: '2025-03-01T02:00:00Z' },
    { prompt_id: 'there', prompt: 'there' },
  ]);
  const seen = { average_visibility: 90, is_active: true };
  await world.insert('core.prompt_snapshots', [
    { date: '2025-02-28', prompt_id: 'gone', ...seen },
    { date: '2025-06-11', prompt_id: 'there', ...seen },
  ]);
  expect(await world.rows(`select label from (${reportSql('prompts')})`)).toEqual([{ label: 'there' }]);
});

it.each([
  ['domains', 'core.domain_citation_totals', { domain: 'a.example', total: 5 }],
  ['pages', 'core.crawler_top_pages', { request_path: '/a', requests: 5 }],
])('%s are those of a window that is still asked for, not of one that was given up', async (...of) => {
  const [name, table, row] = of;
  await using world = await openWorld('2025-06-11');
  await world.insert(table, [
    { ...row, ...window('last_28_days', '2025-01-01..2025-01-28') },
    { ...row, ...window('month', '2025-05-01..2025-05-31') },
  ]);
  expect(await world.rows(`select window_start from (${reportSql(name)})`)).toEqual([
    { window_start: '2025-05-01' },
  ]);
});

it('two models of one label are told apart by their ids, and no cell holds the larger figure of both', async () => {
  await using world = await openWorld('2025-06-11');
  const models = ['plain', 'search'];
  for (const model_id of models) await world.insert('core.models', [{ model_id, label: 'GPT' }]);
  const cell = {
    ...window('month', '2025-05-01..2025-05-31'),
    competitor_name: 'Rival',
    competitor_domain: '',
  };
  const cells = models.map((model_id, index) => ({ ...cell, model_id, visibility: 10 + index }));
  await world.insert('core.competitor_heatmap', cells);
  const ofModel = { visibility: 50, scope: 'model' };
  for (const scope_id of models)
    await world.daily('core.visibility', days('2025-06-01', 3), () => ({ ...ofModel, scope_id }));
  await world.daily('core.visibility', days('2025-06-01', 3), () => ({ visibility: 50 }));
  const both = ['GPT (plain)', 'GPT (search)'];
  expect(await world.rows(`select models, cells from (${reportSql('heatmap')})`)).toEqual([
    { models: both, cells: [10, 11] },
  ]);
  const lines = await world.rows(`select name from (${reportSql('lines')}) where kind = 'model' order by 1`);
  expect(lines.map(({ name }) => name)).toEqual(both);
});
