-- One row per project. Slugs may repeat between organizations, and a page belongs to one project; a slug with other characters breaks its address.
select
  project_id,
  case when regexp_full_match(slug, '[\w.~-]+') and count(*) over (partition by lower(slug)) = 1 then slug else project_id end as slug,
  project_label,
  last_whole_date
from main.projects
where last_whole_date is not null
order by project_label
