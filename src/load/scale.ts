import { z } from 'zod';
import { MisunderstoodError } from '../believe/fit.ts';
import type { Slice } from '../slice.ts';
import { haveSame, quoteIdentifier, quoteLiteral, quoteStored, readSql } from '../warehouse/sql.ts';
import type { Connection } from '../warehouse/connection.ts';
import type { LoadRun } from './load-run.ts';
import { isClosed, selectStaged, type TableMerge } from './merge-sql.ts';

/** An answer whose figures have a different unit than the stored ones. */
export function scaleError(answer: { slice: Slice }, { measure, factor, figures }: Rescaled) {
  const what = `all ${String(figures)} known figures of ${measure} have changed by the factor ${String(factor)}`;
  const todo =
    'If the API has changed its unit, answerlake sync --full --accept-shrink takes it, history included';
  return new MisunderstoodError(answer, what, { alarm: 'scale', todo });
}

/** Fewer different figures may change alike by chance. */
export const MIN_FIGURES = 5;

const q = quoteIdentifier;
const figuresRow = z.object({ slice_no: z.number(), measure: z.string(), figures: z.number() });
/** `factor`: 0.01 if a percentage became a fraction. */
const rescaledRow = figuresRow.extend({ factor: z.number() });

/** A measure whose known figures were all multiplied by an answer. */
export type Rescaled = Omit<z.output<typeof rescaledRow>, 'slice_no'>;

/** The slices of `asked` in which all known closed figures of a measure changed by one power of ten: their unit changed. */
export async function rescaledSlices(
  { connection, run }: { connection: Connection; run: LoadRun },
  merge: TableMerge,
  asked: readonly number[],
): Promise<Map<number, Rescaled>> {
  if (run.acceptScale || asked.length === 0 || merge.measures.length === 0) return new Map();
  const found = await connection.rowsAs(rescaledRow, selectRescaled(merge, run, asked));
  // Few answers get here.
  const known = found.length === 0 ? [] : await connection.rowsAs(figuresRow, selectFigures(merge, run));
  const isOfAll = (one: z.output<typeof figuresRow>): boolean =>
    known.some(
      (all) => all.slice_no === one.slice_no && all.measure === one.measure && all.figures === one.figures,
    );
  return new Map(found.filter(isOfAll).map(({ slice_no: slice, ...rescaled }) => [slice, rescaled]));
}

/** SQL: the slices and measures of which all changed figures have changed by one power of ten. */
function selectRescaled(merge: TableMerge, { syncDay }: LoadRun, asked: readonly number[]): string {
  const changed = merge.measures.map(
    (measure) =>
      `select slice_no, ${quoteLiteral(measure)} as measure, ${String(merge.doubles.has(measure))} as is_rounded, ` +
      `cast(${q(`old ${measure}`)} as double) as o, cast(${q(`new ${measure}`)} as double) as n ` +
      `from ${merge.difference} d where action in ('update', 'empty') and slice_no in (${asked.join(', ')}) ` +
      `and ${q(`old ${measure}`)} <> 0 and ${isClosed(merge, 'd', syncDay)}`,
  );
  return readSql('load/rescaled', {
    changed: changed.join(' union all '),
    min_figures: String(MIN_FIGURES),
  });
}

/** SQL: the number of known closed figures of each measure, slice by slice. */
function selectFigures(merge: TableMerge, { syncDay }: LoadRun): string {
  const known = merge.measures.map(
    (measure) =>
      `select b.slice_no, ${quoteLiteral(measure)} as measure, count(*) as figures from ${selectStaged(merge)} s ` +
      `join ${quoteStored(merge.table)} t on ${haveSame(merge.key, 't', 's')} ` +
      `join batch b on b.slice_no = s.slice_no where t.${q(measure)} <> 0 and ${isClosed(merge, 't', syncDay)} group by 1`,
  );
  return known.join(' union all ');
}
