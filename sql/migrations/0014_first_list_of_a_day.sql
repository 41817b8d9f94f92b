-- A snapshot says when it was seen, and the first list of a day stays.
alter table core.prompt_snapshots add column seen_at timestamp;
update core.prompt_snapshots set seen_at = _changed_at;
