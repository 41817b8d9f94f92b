-- Replaces the lists inside rows that differ from the stored ones: `{{came}}` has the rows whose list arrived, and then only those whose list differs.
-- If a row appears twice in one answer, the later list wins.
create or replace temp table {{difference}} as
with again as (select {{row}}, max(row_no) as begins from {{staged}} where "position" = 0 group by {{row}} having count(*) > 1)
select s.* from {{staged}} s left join again using ({{row}}) where row_no >= begins is not false;

create or replace temp table {{came}} as select {{row}} from {{difference}} where "position" = 0;

delete from {{came}} c using (
  select c.*, s.n as new_count, s.digest as new_digest, t.n as old_count, t.digest as old_digest
  from {{came}} c
  left join (
    select {{row}}, count(*) as n, bit_xor(hash({{shown}})) as digest from {{difference}} where "position" > 0 group by all
  ) s on {{same_new}}
  left join (
    select {{row}}, count(*) as n, bit_xor(hash({{shown}})) as digest from {{table}} t semi join {{came}} k on {{same_stored}} group by all
  ) t on {{same_old}}
) k
where {{same_row}} and k.new_count is not distinct from k.old_count and k.new_digest is not distinct from k.old_digest;

delete from {{table}} t using {{came}} c where {{same_old}};

insert into {{table}} (_run_id, _changed_at, {{columns}})
select {{run}}, {{instant}}, {{columns}} from {{difference}} d semi join {{came}} c on {{same_difference}} where "position" > 0
