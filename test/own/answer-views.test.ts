import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Connection } from '../../src/warehouse/connection.ts';
import { openMemoryDatabase, type Database } from '../../src/warehouse/database.ts';

const VIEWS = ['answers', 'cited_urls_by_prompt', 'prompt_precision', 'visibility_precision'];

let database: Database;
let connection: Connection;

/** `count` answers of a prompt on a day, of which the first `named` name the brand. */
async function addAnswers(
  prompt: string,
  { day, count, named, model = 'm' }: { day: string; count: number; named: number; model?: string },
): Promise<void> {
  await connection.run(
    `insert into own.responses select 'p', '${prompt}/${model}/${day}/' || i, '${day}', '${prompt}', '${model}', i < ${String(named)}, 'NEUTRAL', null
     from range(${String(count)}) t(i)`,
  );
}

// The last whole day is 2025-03-31, so the last 28 days begin on March 4, and the 28 before on February 4.
beforeAll(async () => {
  database = await openMemoryDatabase();
  connection = await database.connect();
  await connection.run(`
    create schema core; create schema meta; create schema own;
    create table core.projects (project_id varchar, name varchar);
    create table core.prompts (project_id varchar, prompt_id varchar, prompt varchar, type varchar);
    create table core.brands (project_id varchar, name varchar, domain varchar, relation varchar);
    create table meta.asked_days (endpoint varchar, project_id varchar, scope varchar, window_kind varchar, date date, asked_on date, reason varchar);
    create table own.responses (project_id varchar, id varchar, date date, prompt_id varchar, model varchar, mentioned_own_brand boolean, sentiment varchar, removed_at timestamp);
    create table own.responses_citations (project_id varchar, id varchar, position integer, url varchar, domain varchar, title varchar, rank bigint, removed_at timestamp);
    create table own.responses_competitor_mentions (project_id varchar, id varchar, position integer, value varchar, removed_at timestamp);
    insert into core.projects values ('p', 'Shop');
    insert into core.prompts values ('p', 'a', 'Best tea?', 'ORGANIC');
    insert into core.brands values ('p', 'Us', 'www.us.example', 'SELF'), ('p', 'Rival', 'rival.example', 'DIRECT_COMPETITOR'), ('p', 'Other', 'other.example', 'OTHER');
    insert into meta.asked_days select 'responses', 'p', 'project', null, d::date, date '2025-04-01', null
      from generate_series(date '2025-02-01', date '2025-03-31', interval '1 day') t(d);
    insert into meta.asked_days values ('responses', 'p', 'project', null, '2025-04-01', '2025-04-01', null), ('visibility', 'p', 'project', null, '2025-04-09', '2025-04-10', null);
  `);
  await addAnswers('a', { day: '2025-03-10', count: 40, named: 30 });
  await addAnswers('a', { day: '2025-02-10', count: 40, named: 10 });
  await addAnswers('b', { day: '2025-03-10', count: 25, named: 5 });
  await addAnswers('b', { day: '2025-02-10', count: 25, named: 4 });
  await addAnswers('c', { day: '2025-03-10', count: 10, named: 0 });
  // Of a day that was not over when it was asked.
  await addAnswers('a', { day: '2025-04-01', count: 7, named: 7 });
  // Nine more prompts of another model, one answer of two each.
  for (let index = 0; index < 10; index += 1)
    await addAnswers(`n${index}`, { day: '2025-03-20', count: 2, named: index < 5 ? 2 : 1, model: 'n' });
  await connection.run(`
    insert into own.responses values ('p', 'gone', '2025-03-10', 'a', 'm', true, null, timestamp '2025-03-20');
    insert into own.responses_citations values
      ('p', 'a/m/2025-03-10/0', 1, 'https://us.example/x', 'us.example', null, 3, null),
      ('p', 'a/m/2025-03-10/0', 2, 'https://us.example/x', 'us.example', null, 1, null),
      ('p', 'a/m/2025-03-10/39', 1, 'https://us.example/x', 'us.example', null, 4, null),
      ('p', 'a/m/2025-03-10/1', 1, 'https://blog.rival.example/y', 'blog.rival.example', 't', null, null),
      ('p', 'a/m/2025-03-10/2', 1, 'https://notrival.example/', 'notrival.example', 't', 2, null),
      ('p', 'a/m/2025-02-10/3', 1, 'https://old.example/', 'old.example', 't', 2, null),
      ('p', 'gone', 1, 'https://us.example/x', 'us.example', null, 1, null);
    insert into own.responses_competitor_mentions values
      ('p', 'a/m/2025-03-10/0', 2, 'Other', null), ('p', 'a/m/2025-03-10/0', 1, 'Rival', null);
  `);
  for (const name of VIEWS) {
    const sql = readFileSync(`config/own/views/${name}.sql`, 'utf8');
    await connection.run(`create view own.${name} as\n${sql}`);
  }
});
afterAll(() => database.close());

/** The named columns of some rows, figures to two decimals. */
async function rowsOf(from: string, columns: string): Promise<unknown[][]> {
  const rows = await connection.rows(`select ${columns.replaceAll(' ', ', ')} from own.${from} order by 1`);
  const rounded = (value: unknown): unknown =>
    typeof value === 'number' ? Math.round(value * 100) / 100 : value;
  return rows.map((row) => Object.values(row).map(rounded));
}

it('prompt_precision gives the rate of a prompt with Wilson, the answers that 10 points need, and Newcombe’s change', async () => {
  const columns =
    'prompt_id answers named named_pct low high answers_needed answers_before change change_low change_high verdict';
  // Computed by hand from the textbook formulas (Wilson with z = 1.96; Newcombe's square-and-add).
  expect(await rowsOf("prompt_precision where period = 'last_28_days' and model = 'm'", columns)).toEqual([
    ['a', 40, 30, 75, 59.81, 85.81, 70, 40, 50, 28.51, 65.29, 'changed'],
    ['b', 25, 5, 20, 8.86, 39.13, 60, 25, 4, -17.73, 25.4, 'no change seen'],
    ['c', 10, 0, 0, 0, 27.75, 16, 0, null, null, null, 'too few'],
  ]);
});

it('months of prompt_precision are whole, and each is compared with the one before', async () => {
  const columns = 'period_start period_end answers answers_before project_name prompt verdict';
  expect(await rowsOf("prompt_precision where period = 'month' and prompt_id = 'a'", columns)).toEqual([
    ['2025-02-01', '2025-02-28', 40, 0, 'Shop', 'Best tea?', 'too few'],
    ['2025-03-01', '2025-03-31', 40, 40, 'Shop', 'Best tea?', 'changed'],
  ]);
});

it('visibility_precision gives these prompts their interval, and prompts like these one from 10 prompts on', async () => {
  const columns =
    'model answers prompts prompts_naming these_pct these_low these_high like_these_pct like_these_low like_these_high';
  expect(await rowsOf("visibility_precision where period = 'last_28_days'", columns)).toEqual([
    ['all', 95, 13, 12, 52.63, 44.08, 61.19, 65, 43.16, 81.95],
    ['m', 75, 3, 2, 46.67, 37.31, 56.02, null, null, null],
    // 20 answers of 10 prompts: 5 rates of 1 and 5 of 0.5, standard deviation 0.2635, t of 9 degrees 2.262.
    ['n', 20, 10, 10, 75, 54.5, 95.5, 75, 52.33, 89.13],
  ]);
});

it('cited_urls_by_prompt counts a URL once an answer, and answers that are gone or older not at all', async () => {
  const columns =
    'url relation answers answers_citing citing_pct low high best_rank mean_rank first_cited answers_citing_and_naming_us';
  expect(await rowsOf('cited_urls_by_prompt', columns)).toEqual([
    ['https://blog.rival.example/y', 'competitor', 40, 1, 2.5, 0.44, 12.88, null, null, '2025-03-10', 1],
    ['https://notrival.example/', 'other', 40, 1, 2.5, 0.44, 12.88, 2, 2, '2025-03-10', 1],
    ['https://us.example/x', 'own', 40, 2, 5, 1.38, 16.5, 1, 2.5, '2025-03-10', 1],
  ]);
});

it('answers has a row for each answer, with whom it names and whether it cites the own domain; columns that the table lacks are left out', async () => {
  const shown = 'id project_name mentioned_own_brand brands_named cites_own_domain is_removed';
  const some = "answers where id in ('gone', 'a/m/2025-03-10/0', 'a/m/2025-03-10/1')";
  expect(await rowsOf(some, shown)).toEqual([
    ['a/m/2025-03-10/0', 'Shop', true, 'Rival, Other', true, false],
    ['a/m/2025-03-10/1', 'Shop', true, null, false, false],
    ['gone', 'Shop', true, null, true, true],
  ]);
  const all = await connection.rows('from own.answers');
  expect(all).toHaveLength(40 + 40 + 25 + 25 + 10 + 7 + 20 + 1);
  const names =
    'project_id project_name id date prompt_id model mentioned_own_brand sentiment removed_at brands_named cites_own_domain is_removed';
  expect(Object.keys(all[0] ?? {})).toEqual(names.split(' '));
});
