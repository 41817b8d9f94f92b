-- One row per project and brand.
create view main.brands as
select
  b.project_id,
  p.name as project_name,
  b.brand_id,
  b.name as brand_name,
  b.domain as brand_domain,
  b.relation,
  coalesce(b.relation = 'SELF', false) as is_own_brand
from core.brands b
left join core.projects p on p.project_id = b.project_id;

comment on view main.brands is 'Brands: your own one, competitors, ignored ones. One row per project and brand. Source: GET v1 analytics/brands/visibility-over-time.';
