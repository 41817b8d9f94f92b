import { describe, expect, it } from 'vitest';
import { openDemoWorld } from './demo-world.ts';
import { readExamples } from '../../src/guide/examples.ts';

const EXAMPLES = readExamples();
// Planted in the first project of the demo world.
const SILENT_MODEL = 'perplexity_sonar';
const LOST_DOMAIN = 'brewweekly.example';
const NEW_DOMAIN = 'beanreview.example';

// What a season of 90 days and one sync day need not have; planted worlds prove them.
const UNPLANTED = [
  'actions_that_moved_visibility',
  'targets_on_course',
  'competitors_that_overtook_us',
  'days_out_of_the_ordinary',
  'prompts_that_moved',
  'slow_decline',
  'which_prompts_moved_visibility',
  'same_basket_of_prompts',
];
const ALLOWED = ['VARCHAR', 'BIGINT', 'INTEGER', 'DOUBLE', 'BOOLEAN', 'DATE', 'TIMESTAMP'];

const { rows, id } = await openDemoWorld();

/** Rows of one question about the first project, which has the planted facts. */
async function planted(name: string, where = 'true'): Promise<Record<string, unknown>[]> {
  const sql = EXAMPLES.find((each) => each.name === name)?.sql ?? '';
  return await rows(`select * from (${sql}) where project_id = '${id}' and (${where})`);
}

describe.each(EXAMPLES)('$name', ({ name, sql, columns, key }) => {
  it(`the question ${name} returns the documented columns and grain, and finds something`, async () => {
    await rows(`create or replace temp table found as ${sql}`);
    const described = await rows('describe found');
    expect(described.map((column) => column['column_name'])).toEqual(columns);
    expect(described.filter((column) => !ALLOWED.includes(String(column['column_type'])))).toEqual([]);
    const [found] = await rows(
      `select count(*) as rows, count(distinct (${key.join(', ')}, '')) as keys from found`,
    );
    expect(found?.['keys']).toBe(found?.['rows']);
    expect(Number(found?.['rows']) > 0 || UNPLANTED.includes(name)).toBe(true);
  });

  it(`the question ${name} runs on main alone, and orders its rows`, () => {
    expect(sql).not.toMatch(/\b(?:from|join) (detail|core|meta)\./);
    expect(sql).toMatch(/\norder by .*(\nlimit \d+)?$/);
  });
});

it('a model that names competitors and never the brand is found', async () => {
  const silent = {
    model_id: SILENT_MODEL,
    own_visibility_pct: 0,
    competitors_named_count: expect.any(Number),
  };
  expect(await planted('models_that_never_mention_us')).toMatchObject([silent]);
});

it('the gap to the strongest competitor is widest where the brand is never named', async () => {
  const [worst] = await planted('gap_to_strongest_competitor');
  expect(worst).toMatchObject({ model_id: SILENT_MODEL, own_visibility_pct: 0 });
  expect(worst?.['gap_points']).toBe(-Number(worst?.['strongest_visibility_pct']));
});

it('one domain is lost and one new in June', async () => {
  const rows = await planted('new_and_lost_domains');
  expect(rows.map((row) => [row['domain'], row['domain_status'], row['month_start']])).toEqual([
    [LOST_DOMAIN, 'lost', '2026-06-01'],
    [NEW_DOMAIN, 'new', '2026-06-01'],
  ]);
  expect(rows[0]).toMatchObject({ citations_count: null, previous_citations_count: expect.any(Number) });
});

it('the five restated days of June are found, without the days before and after', async () => {
  const rows = await planted('restated_since_monthly_report', `table_name = 'visibility'`);
  expect(rows.map((row) => [row['date'], row['column_name']])).toEqual(
    [20, 21, 22, 23, 24].map((day) => [`2026-06-${day}`, 'visibility']),
  );
});

it('every day of the last sixty is answered for, the last seven not yet settled', async () => {
  const rows = await planted('days_to_trust');
  expect(rows).toHaveLength(60);
  expect(rows.filter((row) => row['trust'] === 'may still change').map((row) => row['date'])).toEqual(
    ['13', '12', '11', '10', '09', '08'].map((day) => `2026-07-${day}`),
  );
});
