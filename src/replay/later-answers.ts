import { endpointNamed } from '../endpoints/catalogue.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import type { OutputRow } from '../endpoints/table.ts';
import { AnswerlakeError } from '../errors.ts';
import { prepareAnswer, prepareItems } from '../load/prepare-answer.ts';
import type { ReadAnswer } from '../load/read-archive.ts';
import { sliceKey, sliceWindow, type Slice } from '../slice.ts';

/** An answer of one series. */
interface Later {
  /** Place of its run in the order of runs. */
  order: number;
  /** The rows that it has. */
  keys: ReadonlySet<string>;
  /** The days that it speaks of as a whole; null: all that its slice can have. */
  days: { start: string; end: string; inDoubt: ReadonlySet<string | null> } | null;
  /** A row that it lacks is gone. */
  isWhole: boolean;
}

/** What later answers say of rows that were refused: read from the archive, because the ledger keeps only the newest entry of a slice. */
export class LaterAnswers {
  readonly #answers = new Map<string, Later[]>();

  /** Takes an answer of a series that has refused rows. An answer that cannot be read says nothing. */
  add({ answer, run }: ReadAnswer, order: number): void {
    const endpoint = endpointNamed(answer.slice.endpoint);
    try {
      const keys = new Set<string>();
      const collect = (row: OutputRow): boolean => {
        keys.add(rowKey(endpoint, row));
        return false;
      };
      prepareItems(endpoint, answer, { paths: null, isWanted: collect });
      const prepared = prepareAnswer(endpoint, answer, run);
      const window = answer.slice.kind === 'window' ? null : sliceWindow(answer.slice);
      const { doubtfulDays } = prepared.validated;
      const later: Later = {
        order,
        keys,
        isWhole: keys.size > 0 && prepared.mayDelete,
        days:
          window === null
            ? null
            : {
                start: prepared.reach?.start ?? window.start,
                end: prepared.reach?.end ?? window.end,
                inDoubt: doubtfulDays,
              },
      };
      const key = sliceKey(answer.slice);
      this.#answers.set(key, [...(this.#answers.get(key) ?? []), later]);
    } catch (error) {
      if (!(error instanceof AnswerlakeError)) throw error;
    }
  }

  /** Whether an answer of a later run has the row, or shows that it is gone. */
  overtake(slice: Slice, row: OutputRow, order: number): boolean {
    const key = rowKey(endpointNamed(slice.endpoint), row);
    const { date } = row.values;
    return (this.#answers.get(sliceKey(slice)) ?? []).some((later) => {
      if (later.order <= order) return false;
      if (later.keys.has(key)) return true;
      if (!later.isWhole || later.days === null || typeof date !== 'string') return later.isWhole;
      const { start, end, inDoubt } = later.days;
      return date >= start && date <= end && !inDoubt.has(date);
    });
  }
}

/** The text that a row of a slice is known by. */
function rowKey({ outputs }: Endpoint, { table, values }: OutputRow): string {
  const key = outputs.find((output) => output.table === table)?.key ?? [];
  return JSON.stringify([table, ...key.map((column) => values[column])]);
}
