-- Question: Which AI vendors fetch our pages, for what, and which of them send visitors?
-- Words: visitors sent by ChatGPT, Perplexity, Gemini or Copilot; referrals; how many people came from assistants
-- Grain: one row per project and vendor, last 28 final days
-- Key: project_id, vendor
-- Columns: project_id, project_name, vendor, is_known_vendor, training_requests_count, search_requests_count,
--   user_requests_count, other_requests_count, ai_visits_count, visits_per_100_user_requests
-- Caveat: a vendor is found through main.ai_vendors; crawlers that it lacks keep their own name. A fetched page does not
--   lead to a visit of the same day, or of the same person.
select
  f.project_id,
  f.project_name,
  f.vendor,
  bool_or(f.is_known_vendor) as is_known_vendor,
  cast(sum(f.training_requests_count) as bigint) as training_requests_count,
  cast(sum(f.search_requests_count) as bigint) as search_requests_count,
  cast(sum(f.user_requests_count) as bigint) as user_requests_count,
  cast(sum(f.other_requests_count) as bigint) as other_requests_count,
  cast(sum(f.ai_visits_count) as bigint) as ai_visits_count,
  100.0 * sum(f.ai_visits_count) / nullif(sum(f.user_requests_count), 0) as visits_per_100_user_requests
from main.crawler_visitor_funnel f
cross join main.sync_settings s
where f.date > s.sync_day - s.lookback_days - 28 and f.date <= s.sync_day - s.lookback_days
group by f.project_id, f.project_name, f.vendor
order by f.project_name, ai_visits_count desc nulls last, f.vendor;
