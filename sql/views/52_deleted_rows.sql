-- One row per row that a view of days lost: with changed_at, all that a reader of changes needs.
{% from "changes.sql" import deletions, json_key, same_series %}
{% set series = [["project_id", "d.project_id"], ["grain", "d.grain"], ["date", "d.date"], ["scope", "d.scope"], ["scope_id", "d.scope_id"]] %}
{% set day = [["project_id", "d.project_id"], ["date", "d.date"]] %}
{% set scope_day = [["project_id", "d.project_id"], ["scope", "d.scope"], ["scope_id", "d.scope_id"], ["date", "d.date"]] %}
{% macro exists_in(table, condition="true") -%}
exists (select 1 from core.{{ table }} v where {{ same_series("v", "d") }} and v.date = d.date and {{ condition }})
{%- endmacro %}
create view main.deleted_rows as
with roles as (
  select
    b.project_id,
    b.brand_id,
    coalesce(b.relation = 'IGNORED', false) as is_ignored,
    max(r.changed_at) as changed_at
  from core.brands b
  join meta.restatements r
    on r.table_name = 'brands' and r.old like '%"relation":%'
    and json_extract_string(r.key, '$.project_id') = b.project_id and json_extract_string(r.key, '$.brand_id') = b.brand_id
  where b.relation in ('IGNORED', 'SELF')
  group by b.project_id, b.brand_id, b.relation
),
-- A brand that is ignored, or your own, from now on leaves views that had it.
left_out as (
  select v.project_id, v.grain, v.scope, v.scope_id, v.brand_id, v.date, r.changed_at as deleted_at, r.is_ignored
  from roles r
  join core.brand_visibility v on v.project_id = r.project_id and v.brand_id = r.brand_id
),
gone_brands as (
  select d.project_id, d.grain, d.scope, d.scope_id, d.brand_id, d.date, d.deleted_at
  from {{ deletions("brand_visibility", "brand_id") }} d
  where not exists (
    select 1
    from core.brand_visibility v
    where v.project_id = d.project_id and v.grain = d.grain and v.scope = d.scope and v.scope_id = d.scope_id and v.brand_id = d.brand_id
      and v.date = d.date
  )
),
traffic as (
  {% for table, part, kind in [["crawler_requests", "crawler", "crawler"], ["visitor_visits", "referrer", "visitor"]] %}
  select d.project_id, d.date, '{{ kind }}' as source_kind, d.{{ part }} as source, d.deleted_at
  from {{ deletions(table, part) }} d
  where d.grain = 'day' and d.scope = 'project'
  {{ "union all" if not loop.last }}
  {% endfor %}
),
vendors as (
  select t.project_id, t.date, coalesce(a.vendor, t.source) as vendor, max(t.deleted_at) as deleted_at
  from traffic t
  left join main.ai_vendors a
    on a.source_kind = t.source_kind
    and a.source_key = regexp_replace(regexp_replace(lower(t.source), '^www[.]', ''), '[^a-z0-9]', '', 'g')
  group by t.project_id, t.date, coalesce(a.vendor, t.source)
),
gone as (
  {% for view, table, has_grain, condition in [
    ["visibility_with_events", "visibility", false, "d.grain = 'day'"],
    ["sentiment_with_events", "sentiment", false, "d.grain = 'day'"],
    ["share_of_voice_trend", "share_of_voice", true, "true"],
    ["citation_rank_trend", "citation_ranks", true, "true"]
  ] %}
  {% for schema, key, rows in forms(series if has_grain else scope_day) %}
  select '{{ schema }}' as schema_name, '{{ view }}' as view_name, {{ json_key(key) }} as key, d.project_id, d.date, d.deleted_at
  from {{ deletions(table) }} d
  where {{ condition }} and {{ rows }} and not {{ exists_in(table) }}
  union all
  {% endfor %}
  {% endfor %}
  {% for schema, key, rows in forms(series, ["domain", "d.domain"]) %}
  select '{{ schema }}', 'domain_citation_trend', {{ json_key(key) }}, d.project_id, d.date, d.deleted_at
  from {{ deletions("domain_citations", "domain") }} d
  where {{ rows }} and not {{ exists_in("domain_citations", "v.domain = d.domain") }}
  union all
  {% endfor %}
  {% for view, column, condition in [
    ["brand_visibility_trend", "brand_id", "false"],
    ["brand_mention_share", "brand_id", "d.is_ignored"],
    ["competitor_gap", "competitor_brand_id", "true"]
  ] %}
  {% for schema, key, rows in forms(series, [column, "d.brand_id"]) %}
  select '{{ schema }}', '{{ view }}', {{ json_key(key) }}, d.project_id, d.date, max(d.deleted_at)
  from (
    select * from gone_brands
    {% if condition != "false" %}
    union all
    select d.project_id, d.grain, d.scope, d.scope_id, d.brand_id, d.date, d.deleted_at from left_out d where {{ condition }}
    {% endif %}
  ) d
  where {{ rows }}
  group by d.project_id, d.grain, d.date, d.scope, d.scope_id, d.brand_id
  union all
  {% endfor %}
  {% endfor %}
  select s.schema_name, d.view_name, d.key, d.project_id, d.date, d.deleted_at
  from (
    select 'sentiment_split' as view_name, {{ json_key(day) }} as key, d.project_id, d.date, d.deleted_at
    from {{ deletions("response_sentiment") }} d
    where d.grain = 'day' and d.scope = 'project' and not {{ exists_in("response_sentiment") }}
    union all
    select
      'ai_traffic', {{ json_key(day.concat([["source_kind", "d.source_kind"], ["source", "d.source"]])) }}, d.project_id, d.date, d.deleted_at
    from traffic d
    where not exists (
      select 1
      from detail.ai_traffic v
      where v.project_id = d.project_id and v.date = d.date and v.source_kind = d.source_kind and v.source = d.source
    )
    union all
    select 'crawler_visitor_funnel', {{ json_key(day.concat([["vendor", "d.vendor"]])) }}, d.project_id, d.date, d.deleted_at
    from vendors d
    where not exists (
      select 1 from detail.crawler_visitor_funnel v where v.project_id = d.project_id and v.date = d.date and v.vendor = d.vendor
    )
    union all
    select
      'landing_page_days',
      {{ json_key([["project_id", "d.project_id"], ["landing_page", "d.scope_id"], ["date", "d.date"], ["source", "d.referrer"]]) }}, d.project_id, d.date,
      d.deleted_at
    from {{ deletions("visitor_visits", "referrer") }} d
    where d.grain = 'day' and d.scope = 'page' and not {{ exists_in("visitor_visits", "v.referrer = d.referrer") }}
    {% for view, scope, id in [["prompt_days", "prompt", "prompt_id"], ["model_kpis", "model", "model_id"], ["monitor_kpis", "monitor", "monitor_id"]] %}
    union all
    select
      '{{ view }}', {{ json_key([["project_id", "d.project_id"], [id, "d.scope_id"], ["date", "d.date"]]) }}, d.project_id, d.date,
      max(d.deleted_at)
    from (
      {% for table in ["visibility", "sentiment", "share_of_voice"] %}
      select * from {{ deletions(table) }} {{ table }}
      {{ "union all" if not loop.last }}
      {% endfor %}
    ) d
    where d.grain = 'day' and d.scope = '{{ scope }}'
      {% for table in ["visibility", "sentiment", "share_of_voice"] %}
      and not {{ exists_in(table) }}
      {% endfor %}
    group by d.project_id, d.scope_id, d.date
    {% endfor %}
  ) d
  cross join (values ('detail'), ('main')) s (schema_name)
)
select schema_name, view_name, key, project_id, date, deleted_at from gone;

comment on view main.deleted_rows is 'Rows of views of days that went: the API withdrew them, or their brand is ignored or your own from now on. A row that came back is not here. Delete these first, then put in the rows with a newer changed_at. One row per schema, view and key. Source: meta.restatements.';
comment on column main.deleted_rows.schema_name is 'main or detail: where the view had the row.';
comment on column main.deleted_rows.view_name is 'View that had the row.';
comment on column main.deleted_rows.key is 'Key of the row as a JSON object: the columns that no two rows of the view share.';
{{ comments("deleted_rows", "project_id, date = period") }}
comment on column main.deleted_rows.deleted_at is 'Instant (UTC) at which it went here: the start of that run.';
