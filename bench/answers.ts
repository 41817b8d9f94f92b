import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import type { Figure } from './figure.ts';
import { viewFigures } from './scenarios.ts';

const VIEWS = 'config/own/views';
/** 200,000 answers of half a year to 150 prompts by four models, with a million citations and 600,000 names of brands. */
const TABLES = `
create schema core; create schema meta; create schema own;
create table core.projects as select 'p' as project_id, 'Shop' as name;
create table core.prompts as
  select 'p' as project_id, 'prompt-' || i as prompt_id, 'question ' || i as prompt, 'ORGANIC' as type from range(150) t(i);
create table core.brands as
  select 'p' as project_id, 'b' || i as name, 'd' || i || '.example' as domain,
    case when i = 0 then 'SELF' when i < 6 then 'DIRECT_COMPETITOR' else 'OTHER' end as relation
  from range(30) t(i);
create table meta.asked_days as
  select 'responses' as endpoint, 'p' as project_id, 'project' as scope, null::varchar as window_kind, cast(d as date) as date,
    date '2025-12-01' as asked_on, null::varchar as reason
  from generate_series(date '2025-06-01', date '2025-11-30', interval '1 day') t(d);
create table own.responses as
  select 'p' as project_id, uuid()::varchar as id, date '2025-06-01' + cast(i % 183 as integer) as date, 'prompt-' || (i % 150) as prompt_id,
    'question ' || (i % 150) as prompt, 'ORGANIC' as prompt_type, 'Monitor' as monitor_name, 'model ' || (i % 4) as model,
    hash(i) % 3 = 0 as mentioned_own_brand, 'POSITIVE' as sentiment, 42.5 as visibility_score, 5 as citations_count,
    null::timestamp as removed_at
  from range(200000) t(i);
create table own.responses_citations as
  select project_id, id, k as position, 'https://d' || (hash(id, k) % 900) || '.example/page/' || (hash(id, k) % 5000) as url,
    'd' || (hash(id, k) % 900) || '.example' as domain, 'Title' as title, k as rank, null::timestamp as removed_at
  from own.responses, range(1, 6) r(k);
create table own.responses_competitor_mentions as
  select project_id, id, k as position, 'brand ' || (hash(id, k) % 30) as value, null::timestamp as removed_at
  from own.responses, range(1, 4) r(k);`;

/** The ready-made views of answers, each read whole. */
export async function answersScenario(): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'answerlake-bench-'));
  const path = join(folder, 'answers.duckdb');
  try {
    const instance = await DuckDBInstance.create(path);
    const connection = await instance.connect();
    await connection.run(TABLES);
    for (const file of readdirSync(VIEWS))
      await connection.run(
        `create view own.${basename(file, '.sql')} as\n${readFileSync(join(VIEWS, file), 'utf8')}`,
      );
    connection.closeSync();
    instance.closeSync();
    return await viewFigures(path, 'own');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
