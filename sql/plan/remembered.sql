-- One row per row of a project's series that an answer of the sync day $1 has, in a zone behind UTC of the day before.
select endpoint, project_id as "projectId", date as day
from meta.asked_days
where scope = 'project' and grain = 'day' and state = 'row' and reason is null
  and asked_on >= cast($1 as date) - if(endpoint in (select unnest($2::varchar[])), cast($3 as integer), 0)
  and date in (select unnest($4::varchar[])::date)
