-- Question: What is tracked in each project, and since when?
-- Grain: one row per project
-- Key: project_id
-- Columns: project_id, project_name, organization_name, first_date, last_whole_date, monitors_count,
--   active_prompts_count, competitors_count, models_count
-- Caveat: competitors are brands that are neither own nor ignored; models are those with figures in the newest heatmap
--   that the model list still asks. A prompt without a monitor is in no count.
with asked as (
  select distinct h.project_id, h.model_id
  from main.competitor_heatmap_latest h
  join main.models m on m.model_id = h.model_id
  where not m.is_deprecated_model
)
select
  p.project_id,
  p.project_name,
  p.organization_name,
  p.first_date,
  p.last_whole_date,
  (select count(*) from main.monitors m where m.project_id = p.project_id) as monitors_count,
  cast((select sum(m.active_prompts_count) from main.monitors m where m.project_id = p.project_id) as bigint) as active_prompts_count,
  (
    select count(*)
    from main.brands b
    where b.project_id = p.project_id and not b.is_own_brand and coalesce(b.relation, 'OTHER') <> 'IGNORED'
  ) as competitors_count,
  (select count(*) from asked a where a.project_id = p.project_id) as models_count
from main.projects p
order by p.project_name, p.project_id;
