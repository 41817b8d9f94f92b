-- One row per part of a file: two files with the same rows here hold the same facts and the same coverage.
-- Left out on purpose: runs, and when or by which run an unchanged slice was asked again.
select 'core.organizations' as part, count(*) as rows, cast(bit_xor(hash(_run_id, _changed_at, organization_id)) as varchar) as digest
from core.organizations
union all
select 'core.projects' as part, count(*) as rows, cast(bit_xor(hash(_run_id, _changed_at, project_id)) as varchar) as digest
from core.projects
union all
select 'core.api_keys' as part, count(*) as rows, cast(bit_xor(hash(_run_id, _changed_at, api_key_id)) as varchar) as digest
from core.api_keys
union all
select 'core.models' as part, count(*) as rows, cast(bit_xor(hash(_run_id, _changed_at, model_id)) as varchar) as digest
from core.models
union all
select 'core.monitors' as part, count(*) as rows, cast(bit_xor(hash(_run_id, _changed_at, project_id, monitor_id)) as varchar) as digest
from core.monitors
union all
select 'core.prompts' as part, count(*) as rows, cast(bit_xor(hash(_run_id, _changed_at, project_id, prompt_id)) as varchar) as digest
from core.prompts
union all
select 'core.prompt_snapshots' as part, count(*) as rows, cast(bit_xor(hash(_run_id, _changed_at, project_id, date, prompt_id)) as varchar) as digest
from core.prompt_snapshots
union all
select 'core.brands' as part, count(*) as rows, cast(bit_xor(hash(_run_id, _changed_at, project_id, brand_id)) as varchar) as digest
from core.brands
union all
select 'core.visibility' as part, count(*) as rows, cast(bit_xor(hash(_run_id, _changed_at, project_id, grain, date, scope, scope_id)) as varchar) as digest
from core.visibility
union all
select 'core.sentiment' as part, count(*) as rows, cast(bit_xor(hash(_run_id, _changed_at, project_id, grain, date, scope, scope_id)) as varchar) as digest
from core.sentiment
union all
select 'core.share_of_voice' as part, count(*) as rows, cast(bit_xor(hash(_run_id, _changed_at, project_id, grain, date, scope, scope_id)) as varchar) as digest
from core.share_of_voice
union all
select 'core.brand_visibility' as part, count(*) as rows, cast(bit_xor(hash(_run_id, _changed_at, project_id, grain, date, scope, scope_id, brand_id)) as varchar) as digest
from core.brand_visibility
union all
select 'core.domain_citations' as part, count(*) as rows, cast(bit_xor(hash(_run_id, _changed_at, project_id, grain, date, scope, scope_id, domain)) as varchar) as digest
from core.domain_citations
union all
select 'core.citation_ranks' as part, count(*) as rows, cast(bit_xor(hash(_run_id, _changed_at, project_id, grain, date, scope, scope_id)) as varchar) as digest
from core.citation_ranks
union all
select 'core.response_sentiment' as part, count(*) as rows, cast(bit_xor(hash(_run_id, _changed_at, project_id, grain, date, scope, scope_id)) as varchar) as digest
from core.response_sentiment
union all
select 'core.crawler_requests' as part, count(*) as rows, cast(bit_xor(hash(_run_id, _changed_at, project_id, grain, date, scope, scope_id, crawler)) as varchar) as digest
from core.crawler_requests
union all
select 'core.visitor_visits' as part, count(*) as rows, cast(bit_xor(hash(_run_id, _changed_at, project_id, grain, date, scope, scope_id, referrer)) as varchar) as digest
from core.visitor_visits
union all
select 'core.competitor_heatmap' as part, count(*) as rows, cast(bit_xor(hash(_run_id, _changed_at, project_id, window_kind, window_start, scope, scope_id, competitor_name, competitor_domain, model_id)) as varchar) as digest
from core.competitor_heatmap
union all
select 'core.domain_citation_totals' as part, count(*) as rows, cast(bit_xor(hash(_run_id, _changed_at, project_id, window_kind, window_start, scope, scope_id, domain)) as varchar) as digest
from core.domain_citation_totals
union all
select 'core.citation_totals' as part, count(*) as rows, cast(bit_xor(hash(_run_id, _changed_at, project_id, window_kind, window_start, scope, scope_id)) as varchar) as digest
from core.citation_totals
union all
select 'core.llm_sources' as part, count(*) as rows, cast(bit_xor(hash(_run_id, _changed_at, project_id, window_kind, window_start, scope, scope_id, llm)) as varchar) as digest
from core.llm_sources
union all
select 'core.share_of_voice_comparison' as part, count(*) as rows, cast(bit_xor(hash(_run_id, _changed_at, project_id, window_kind, window_start, scope, scope_id)) as varchar) as digest
from core.share_of_voice_comparison
union all
select 'core.crawler_top_pages' as part, count(*) as rows, cast(bit_xor(hash(_run_id, _changed_at, project_id, window_kind, window_start, scope, scope_id, request_path)) as varchar) as digest
from core.crawler_top_pages
union all
select 'core.sentiment_distribution' as part, count(*) as rows, cast(bit_xor(hash(_run_id, _changed_at, project_id, window_kind, window_start, scope, scope_id, sentiment)) as varchar) as digest
from core.sentiment_distribution
union all
select 'core.competitor_mentions' as part, count(*) as rows, cast(bit_xor(hash(_run_id, _changed_at, project_id, window_kind, window_start, scope, scope_id, competitor)) as varchar) as digest
from core.competitor_mentions
union all
select 'core.response_summary' as part, count(*) as rows, cast(bit_xor(hash(_run_id, _changed_at, project_id, window_kind, window_start, scope, scope_id)) as varchar) as digest
from core.response_summary
union all
select 'core.events' as part, count(*) as rows, cast(bit_xor(hash(_run_id, _changed_at, project_id, event_id)) as varchar) as digest
from core.events
union all
select 'core.event_prompts' as part, count(*) as rows, cast(bit_xor(hash(_run_id, _changed_at, project_id, event_id, prompt_id)) as varchar) as digest
from core.event_prompts
union all
select 'core.cms_drafts' as part, count(*) as rows, cast(bit_xor(hash(_run_id, _changed_at, publish_record_id)) as varchar) as digest
from core.cms_drafts
union all
-- By series, not by slice: the same days asked again in other windows cover nothing new.
select 'meta.slices', count(*), cast(bit_xor(hash(
  endpoint, project_id, scope, scope_id, grain, window_kind, first_day, last_day, last_sync, troubles, cut_off
)) as varchar)
from (
  select
    endpoint, project_id, scope, scope_id, grain, window_kind,
    min(window_start) as first_day,
    max(coalesce(covered_end, window_end)) as last_day,
    max(sync_day) as last_sync,
    count(*) filter (where status in ('failed', 'suspicious')) as troubles,
    bool_or(truncated) as cut_off
  from meta.slices
  group by endpoint, project_id, scope, scope_id, grain, window_kind
)
union all
select 'meta.settings', count(*), cast(bit_xor(hash(name, value)) as varchar)
from meta.settings where name not like 'published%'
union all
select 'meta.expected_series', count(*), cast(bit_xor(hash(endpoint, project_id, scope, scope_id, grain, start_date)) as varchar)
from meta.expected_series
union all
select 'meta.restatements', count(*), null from meta.restatements
union all
select 'meta.rejects', count(*), cast(count(replayed_at) as varchar) from meta.rejects
union all
select 'meta.drift', count(*), null from meta.drift
union all
select 'meta.vanishing', count(*), null from meta.vanishing
order by part;
