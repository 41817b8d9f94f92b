import type { Output } from '../endpoints/table.ts';
import { haveSame as same, quoteIdentifier as q, quoteStored } from '../warehouse/sql.ts';
import type { AuditColumns } from './load-run.ts';
import { selectStaged, stagedColumns, type TableMerge } from './merge-sql.ts';

// Lists inside rows: each one that differs is replaced as a whole. A staged row at position 0 marks a received list.

/** SQL that replaces the lists that differ from the stored ones. */
export function replaceParts(merge: TableMerge, { run, instant }: AuditColumns): string {
  const { key, table, difference } = merge;
  const ofRow = key.slice(0, -1);
  const row = ofRow.map(q).join(', ');
  const shown = [...key, ...merge.compared].map(q).join(', ');
  const all = stagedColumns(merge).map(q).join(', ');
  const came = `${difference}_came`;
  return [
    // If a row appears twice in one answer, the later list wins.
    `create or replace temp table ${difference} as select * from ${selectStaged(merge)}
     qualify row_no >= max(if("position" = 0, row_no, null)) over (partition by ${row})`,
    `create or replace temp table ${came} as select ${row} from ${difference} where "position" = 0`,
    `delete from ${came} c using (
       select c.*, s.n as new_count, s.digest as new_digest, t.n as old_count, t.digest as old_digest from ${came} c
       left join (select ${row}, count(*) as n, bit_xor(hash(${shown})) as digest from ${difference} where "position" > 0 group by all) s on ${same(ofRow, 's', 'c')}
       left join (select ${row}, count(*) as n, bit_xor(hash(${shown})) as digest from ${quoteStored(table)} t semi join ${came} k on ${same(ofRow, 't', 'k')} group by all) t on ${same(ofRow, 't', 'c')}
     ) k where ${same(ofRow, 'c', 'k')} and k.new_count is not distinct from k.old_count and k.new_digest is not distinct from k.old_digest`,
    `delete from ${quoteStored(table)} t using ${came} c where ${same(ofRow, 't', 'c')}`,
    `insert into ${quoteStored(table)} (_run_id, _changed_at, ${all})
     select ${run}, ${instant}, ${all} from ${difference} d semi join ${came} c on ${same(ofRow, 'd', 'c')} where "position" > 0`,
  ].join(';\n');
}

/** SQL that applies the same to the entries of rows that were deleted, left their list or returned to it. */
export function followRows({ table: _table, key, difference, compared }: TableMerge, part: Output): string {
  const gone = `delete from ${quoteStored(part.table)} t using ${difference} d where d.action = 'delete' and ${same(key, 't', 'd')}`;
  if (!compared.includes('removed_at')) return gone;
  const again = `d.action = 'update' and d."old removed_at" is not null and d."new removed_at" is null`;
  return `${gone}; update ${quoteStored(part.table)} t set removed_at = if(d.action = 'remove', b.fetched_at, null)
    from ${difference} d join batch b using (slice_no) where (d.action = 'remove' or ${again}) and ${same(key, 't', 'd')}`;
}
