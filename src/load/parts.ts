import type { Output } from '../endpoints/table.ts';
import { haveSame as same, quoteIdentifier as q, quoteStored, readSql } from '../warehouse/sql.ts';
import type { AuditColumns } from './load-run.ts';
import { selectStaged, stagedColumns, type TableMerge } from './merge-sql.ts';

// Lists inside rows: each one that differs is replaced as a whole. A staged row at position 0 marks a received list.

/** SQL that replaces the lists that differ from the stored ones. */
export function replaceParts(merge: TableMerge, { run, instant }: AuditColumns): string {
  const { key, table, difference } = merge;
  const ofRow = key.slice(0, -1);
  return readSql('load/replace-parts', {
    run,
    instant,
    difference,
    came: `${difference}_came`,
    staged: selectStaged(merge),
    table: quoteStored(table),
    row: ofRow.map(q).join(', '),
    shown: [...key, ...merge.compared].map(q).join(', '),
    columns: stagedColumns(merge).map(q).join(', '),
    same_new: same(ofRow, 's', 'c'),
    same_stored: same(ofRow, 't', 'k'),
    same_old: same(ofRow, 't', 'c'),
    same_row: same(ofRow, 'c', 'k'),
    same_difference: same(ofRow, 'd', 'c'),
  });
}

/** SQL that applies the same to the entries of rows that were deleted, left their list or returned to it. */
export function followRows({ table: _table, key, difference, compared }: TableMerge, part: Output): string {
  const gone = `delete from ${quoteStored(part.table)} t using ${difference} d where d.action = 'delete' and ${same(key, 't', 'd')}`;
  if (!compared.includes('removed_at')) return gone;
  const again = `d.action = 'update' and d."old removed_at" is not null and d."new removed_at" is null`;
  return `${gone}; update ${quoteStored(part.table)} t set removed_at = if(d.action = 'remove', b.fetched_at, null)
    from ${difference} d join batch b using (slice_no) where (d.action = 'remove' or ${again}) and ${same(key, 't', 'd')}`;
}
