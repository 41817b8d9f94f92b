import type { Day, DayRange } from '../day.ts';
import { endpointsAtPathOf, type PathOf } from '../endpoints/catalogue.ts';
import type { ApiAnswer } from '../extract/call.ts';
import type { Asker, GetRequest, Task } from '../extract/client.ts';
import { windowsOf } from '../plan/cut.ts';
import { sliceWindow, WINDOW_KINDS, type Slice } from '../slice.ts';

/** Two kinds of window may have the same days, and so may a series and a window of one path: the first lends its answer to the others. */
export class SharedAnswers {
  readonly #today: Day;
  readonly #pathOf: PathOf;
  readonly #lent = new Map<string, Promise<ApiAnswer>>();
  /** How many kinds have the same days as a window; the thousands of slices of a run have few windows. */
  readonly #kindsOf = new Map<string, number>();

  constructor(today: Day, pathOf: PathOf) {
    this.#today = today;
    this.#pathOf = pathOf;
  }

  /** The asker for a slice: one that lends, one that borrows, or the task itself. */
  of(asker: Task, account: string, slice: Slice): Asker {
    const lends = this.#isAskedAgain(slice);
    if (slice.kind !== 'window') {
      return lends ? { get: (request) => this.#lend(asker, keyOf(account, request), request) } : asker;
    }
    return {
      get: (request) => {
        const key = keyOf(account, request);
        const ask = (): Promise<ApiAnswer> => (lends ? this.#lend(asker, key, request) : asker.get(request));
        const lent = this.#lent.get(key);
        if (lent === undefined) return ask();
        return asker.releaseWhile(lent).then((answer) => ({ ...answer, requests: 0 }), ask);
      },
    };
  }

  /** Whether a later slice of the run may ask for the same. */
  #isAskedAgain(slice: Slice): boolean {
    const window = sliceWindow(slice);
    if (window === null) return false;
    if (slice.kind === 'series' && endpointsAtPathOf(slice.endpoint, this.#pathOf).length === 1) return false;
    return this.#kindsWith(window) > (slice.kind === 'window' ? 1 : 0);
  }

  #kindsWith({ start, end }: DayRange): number {
    const key = `${start} ${end}`;
    const known = this.#kindsOf.get(key);
    if (known !== undefined) return known;
    const kinds = WINDOW_KINDS.filter((kind) =>
      windowsOf(kind, { start, end }, this.#today).some(
        (own) => own.window.start === start && own.window.end === end,
      ),
    );
    this.#kindsOf.set(key, kinds.length);
    return kinds.length;
  }

  #lend(asker: Asker, key: string, request: GetRequest): Promise<ApiAnswer> {
    const answer = asker.get(request);
    this.#lent.set(key, answer);
    answer.catch(() => this.#lent.delete(key));
    return answer;
  }
}

function keyOf(account: string, { path, query, projectId }: GetRequest): string {
  return JSON.stringify([account, projectId ?? null, path, query]);
}
