-- One row per project, prompt and whole day with answers: an endpoint of one's own that is called responses lists them.
create view detail.own_answers as
with responses as (
  -- No rows: a publish puts own.responses in their place where it has these columns.
  select null::varchar as project_id, null::varchar as prompt_id, null::date as date, null::boolean as mentioned_own_brand, null::timestamp as removed_at where false
)
select
  r.project_id,
  r.date,
  r.prompt_id,
  q.type as prompt_type,
  count(*) as answers_count,
  count(*) filter (where r.mentioned_own_brand) as naming_count
from responses r
join meta.asked_days w
  on w.project_id = r.project_id and w.date = r.date and w.endpoint = 'responses' and w.scope = 'project' and w.window_kind is null
  and w.asked_on > w.date and coalesce(w.reason, '') not in ('bad_row', 'incomplete')
left join core.prompts q on q.project_id = r.project_id and q.prompt_id = r.prompt_id
where r.removed_at is null and r.mentioned_own_brand is not null
group by r.project_id, r.date, r.prompt_id, q.type;

comment on view detail.own_answers is 'Answers by prompt, from an endpoint of your own that is called responses and has prompt_id, date and mentioned_own_brand; without one it is empty. One row per project, prompt and whole day with answers. Source: own.responses.';
