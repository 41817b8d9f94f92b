-- Enters the findings of `seen_drift`: one row per endpoint, path and kind.
merge into meta.drift d using (
  select
    endpoint, path, kind, arg_max(sample, last_seen) as sample, min(first_seen) as first_seen, max(last_seen) as last_seen,
    any_value(run_id) as run_id
  from seen_drift group by 1, 2, 3
) n on d.endpoint = n.endpoint and d.path = n.path and d.kind = n.kind
when matched then update set last_seen = n.last_seen, sample = n.sample, run_id = n.run_id
when not matched then insert by name
