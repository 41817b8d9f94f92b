import { AnswerlakeError } from '../errors.ts';
import { describeSlice, seriesKey, sliceGrain, type Slice } from '../slice.ts';

/** Refused requests of one series, after which a run asks no more of it. */
const MOST_REFUSED = 3;

/** What became of a request that was let in. */
export type Verdict = { kind: 'answered' } | { kind: 'refused'; message: string } | { kind: 'other' };

interface Series {
  refused: number;
  answered: number;
  /** Requests under way: each of them may be refused. */
  inFlight: number;
  message: string;
  waiting: (() => void)[];
}

/** Keeps an API that refuses a series (a wrong parameter, an expired trial) from being asked for each of its windows. */
export class Refusals {
  readonly #series = new Map<string, Series>();

  /** Waits (`wait`) while as many of the series are under way as its answers warrant. Null: ask; else what the server said to the others. */
  async enter(slice: Slice, wait: (waiting: Promise<void>) => Promise<void>): Promise<string | null> {
    const series = this.#seriesOf(slice);
    for (;;) {
      if (series.refused >= MOST_REFUSED) return series.message;
      if (series.inFlight < mostInFlight(series)) break;
      await wait(new Promise<void>((resolve) => series.waiting.push(resolve)));
    }
    series.inFlight += 1;
    return null;
  }

  /** For each request that was let in, once. */
  leave(slice: Slice, verdict: Verdict): void {
    const series = this.#seriesOf(slice);
    series.inFlight -= 1;
    if (verdict.kind === 'answered') series.answered += 1;
    if (verdict.kind === 'refused') {
      series.refused += 1;
      series.message = verdict.message;
    }
    const { waiting } = series;
    series.waiting = [];
    for (const resolve of waiting) resolve();
  }

  #seriesOf(slice: Slice): Series {
    const grain = sliceGrain(slice);
    const key = `${seriesKey({ ...slice, grain })} ${slice.kind === 'window' ? slice.windowKind : ''}`;
    const known = this.#series.get(key);
    if (known !== undefined) return known;
    const series: Series = { refused: 0, answered: 0, inFlight: 0, message: '', waiting: [] };
    this.#series.set(key, series);
    return series;
  }
}

/** Old windows may be refused where new ones were answered: twice as many at a time as were answered, and after a refusal only what is left to be refused. */
function mostInFlight({ refused, answered }: Series): number {
  return refused > 0 ? MOST_REFUSED - refused : Math.max(MOST_REFUSED, 2 * answered);
}

/** Why a slice of a refused series is not asked for. @param said what the server said to the others */
export function notAsked(slice: Slice, said: string): AnswerlakeError {
  return new AnswerlakeError(
    `${describeSlice(slice)}: not asked, because the server refused the other windows of the series: ${said}`,
    { class: 'contract', scope: 'slice' },
  );
}
