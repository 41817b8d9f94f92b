-- One row per key that a table holds twice: nothing but this check keeps keys unique, the tables have no index.
(select 'core.organizations' as place, concat_ws(' | ', organization_id) as offender
 from core.organizations group by organization_id having count(*) > 1 limit 5)
union all
(select 'core.projects' as place, concat_ws(' | ', project_id) as offender
 from core.projects group by project_id having count(*) > 1 limit 5)
union all
(select 'core.api_keys' as place, concat_ws(' | ', api_key_id) as offender
 from core.api_keys group by api_key_id having count(*) > 1 limit 5)
union all
(select 'core.models' as place, concat_ws(' | ', model_id) as offender
 from core.models group by model_id having count(*) > 1 limit 5)
union all
(select 'core.monitors' as place, concat_ws(' | ', project_id, monitor_id) as offender
 from core.monitors group by project_id, monitor_id having count(*) > 1 limit 5)
union all
(select 'core.prompts' as place, concat_ws(' | ', project_id, prompt_id) as offender
 from core.prompts group by project_id, prompt_id having count(*) > 1 limit 5)
union all
(select 'core.prompt_snapshots' as place, concat_ws(' | ', project_id, date, prompt_id) as offender
 from core.prompt_snapshots group by project_id, date, prompt_id having count(*) > 1 limit 5)
union all
(select 'core.brands' as place, concat_ws(' | ', project_id, brand_id) as offender
 from core.brands group by project_id, brand_id having count(*) > 1 limit 5)
union all
(select 'core.visibility' as place, concat_ws(' | ', project_id, grain, date, scope, scope_id) as offender
 from core.visibility group by project_id, grain, date, scope, scope_id having count(*) > 1 limit 5)
union all
(select 'core.sentiment' as place, concat_ws(' | ', project_id, grain, date, scope, scope_id) as offender
 from core.sentiment group by project_id, grain, date, scope, scope_id having count(*) > 1 limit 5)
union all
(select 'core.share_of_voice' as place, concat_ws(' | ', project_id, grain, date, scope, scope_id) as offender
 from core.share_of_voice group by project_id, grain, date, scope, scope_id having count(*) > 1 limit 5)
union all
(select 'core.brand_visibility' as place, concat_ws(' | ', project_id, grain, date, scope, scope_id, brand_id) as offender
 from core.brand_visibility group by project_id, grain, date, scope, scope_id, brand_id having count(*) > 1 limit 5)
union all
(select 'core.domain_citations' as place, concat_ws(' | ', project_id, grain, date, scope, scope_id, domain) as offender
 from core.domain_citations group by project_id, grain, date, scope, scope_id, domain having count(*) > 1 limit 5)
union all
(select 'core.citation_ranks' as place, concat_ws(' | ', project_id, grain, date, scope, scope_id) as offender
 from core.citation_ranks group by project_id, grain, date, scope, scope_id having count(*) > 1 limit 5)
union all
(select 'core.response_sentiment' as place, concat_ws(' | ', project_id, grain, date, scope, scope_id) as offender
 from core.response_sentiment group by project_id, grain, date, scope, scope_id having count(*) > 1 limit 5)
union all
(select 'core.crawler_requests' as place, concat_ws(' | ', project_id, grain, date, scope, scope_id, crawler) as offender
 from core.crawler_requests group by project_id, grain, date, scope, scope_id, crawler having count(*) > 1 limit 5)
union all
(select 'core.visitor_visits' as place, concat_ws(' | ', project_id, grain, date, scope, scope_id, referrer) as offender
 from core.visitor_visits group by project_id, grain, date, scope, scope_id, referrer having count(*) > 1 limit 5)
union all
(select 'core.competitor_heatmap' as place, concat_ws(' | ', project_id, window_kind, window_start, scope, scope_id, competitor_name, competitor_domain, model_id) as offender
 from core.competitor_heatmap group by project_id, window_kind, window_start, scope, scope_id, competitor_name, competitor_domain, model_id having count(*) > 1 limit 5)
union all
(select 'core.domain_citation_totals' as place, concat_ws(' | ', project_id, window_kind, window_start, scope, scope_id, domain) as offender
 from core.domain_citation_totals group by project_id, window_kind, window_start, scope, scope_id, domain having count(*) > 1 limit 5)
union all
(select 'core.citation_totals' as place, concat_ws(' | ', project_id, window_kind, window_start, scope, scope_id) as offender
 from core.citation_totals group by project_id, window_kind, window_start, scope, scope_id having count(*) > 1 limit 5)
union all
(select 'core.llm_sources' as place, concat_ws(' | ', project_id, window_kind, window_start, scope, scope_id, llm) as offender
 from core.llm_sources group by project_id, window_kind, window_start, scope, scope_id, llm having count(*) > 1 limit 5)
union all
(select 'core.share_of_voice_comparison' as place, concat_ws(' | ', project_id, window_kind, window_start, scope, scope_id) as offender
 from core.share_of_voice_comparison group by project_id, window_kind, window_start, scope, scope_id having count(*) > 1 limit 5)
union all
(select 'core.crawler_top_pages' as place, concat_ws(' | ', project_id, window_kind, window_start, scope, scope_id, request_path) as offender
 from core.crawler_top_pages group by project_id, window_kind, window_start, scope, scope_id, request_path having count(*) > 1 limit 5)
union all
(select 'core.sentiment_distribution' as place, concat_ws(' | ', project_id, window_kind, window_start, scope, scope_id, sentiment) as offender
 from core.sentiment_distribution group by project_id, window_kind, window_start, scope, scope_id, sentiment having count(*) > 1 limit 5)
union all
(select 'core.competitor_mentions' as place, concat_ws(' | ', project_id, window_kind, window_start, scope, scope_id, competitor) as offender
 from core.competitor_mentions group by project_id, window_kind, window_start, scope, scope_id, competitor having count(*) > 1 limit 5)
union all
(select 'core.response_summary' as place, concat_ws(' | ', project_id, window_kind, window_start, scope, scope_id) as offender
 from core.response_summary group by project_id, window_kind, window_start, scope, scope_id having count(*) > 1 limit 5)
union all
(select 'core.events' as place, concat_ws(' | ', project_id, event_id) as offender
 from core.events group by project_id, event_id having count(*) > 1 limit 5)
union all
(select 'core.event_prompts' as place, concat_ws(' | ', project_id, event_id, prompt_id) as offender
 from core.event_prompts group by project_id, event_id, prompt_id having count(*) > 1 limit 5)
union all
(select 'core.cms_drafts' as place, concat_ws(' | ', publish_record_id) as offender
 from core.cms_drafts group by publish_record_id having count(*) > 1 limit 5)
union all
(select 'meta.runs' as place, concat_ws(' | ', run_id) as offender
 from meta.runs group by run_id having count(*) > 1 limit 5)
union all
(select 'meta.slices' as place, concat_ws(' | ', endpoint, project_id, scope, scope_id, grain, window_kind, window_start, if(window_kind is null, window_end, null)) as offender
 from meta.slices group by endpoint, project_id, scope, scope_id, grain, window_kind, window_start, if(window_kind is null, window_end, null) having count(*) > 1 limit 5)
union all
(select 'meta.drift' as place, concat_ws(' | ', endpoint, path, kind) as offender
 from meta.drift group by endpoint, path, kind having count(*) > 1 limit 5)
union all
(select 'meta.limits' as place, concat_ws(' | ', base_url, endpoint, organization_id) as offender
 from meta.limits group by base_url, endpoint, organization_id having count(*) > 1 limit 5)
union all
(select 'meta.settings' as place, concat_ws(' | ', name) as offender
 from meta.settings group by name having count(*) > 1 limit 5)
union all
(select 'meta.expected_series' as place, concat_ws(' | ', endpoint, project_id, scope, scope_id, grain) as offender
 from meta.expected_series group by endpoint, project_id, scope, scope_id, grain having count(*) > 1 limit 5);
