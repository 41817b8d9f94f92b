import { seriesKey, sliceGrain, type Slice } from '../slice.ts';

/** Refused requests of one series, after which a run asks no more of it. */
const MOST_REFUSED = 3;

/** What became of a slice that was let in. */
export type Verdict = { kind: 'answered' } | { kind: 'refused'; message: string } | { kind: 'other' };

interface Series {
  refused: number;
  /** Slices under way. */
  inFlight: number;
  isAnswered: boolean;
  message: string;
  waiting: (() => void)[];
}

/** Keeps an API that refuses a series (a wrong parameter, an expired trial) from being asked for each of its windows. */
export class Refusals {
  readonly #series = new Map<string, Series>();

  /** Waits (`wait`) while the first slices of the series may still be refused. Null: ask; else what the server said to the others. */
  async enter(slice: Slice, wait: (waiting: Promise<void>) => Promise<void>): Promise<string | null> {
    const series = this.#seriesOf(slice);
    for (;;) {
      if (series.refused >= MOST_REFUSED) return series.message;
      if (series.isAnswered || series.inFlight + series.refused < MOST_REFUSED) break;
      await wait(new Promise<void>((resolve) => series.waiting.push(resolve)));
    }
    series.inFlight += 1;
    return null;
  }

  /** For each slice that was let in, once. */
  leave(slice: Slice, verdict: Verdict): void {
    const series = this.#seriesOf(slice);
    series.inFlight -= 1;
    if (verdict.kind === 'answered') series.isAnswered = true;
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
    const series: Series = { refused: 0, inFlight: 0, isAnswered: false, message: '', waiting: [] };
    this.#series.set(key, series);
    return series;
  }
}
