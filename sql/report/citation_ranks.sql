-- One row per day from $2 to $3 of project $1: best, average and worst rank of its citations; NULL where nothing was ranked.
select
  d.date,
  d.is_final,
  r.citations_count,
  r.average_citation_rank,
  r.best_citation_rank,
  r.worst_citation_rank
from main.project_days d
left join main.citation_rank_trend r
  on r.project_id = d.project_id and r.date = d.date and r.grain = 'day' and r.scope = 'project'
where d.project_id = $1 and d.date between cast($2 as date) and cast($3 as date)
order by d.date;
