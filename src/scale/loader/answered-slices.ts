import { countDays } from '../../day.ts';
import { sliceName } from '../landing/manifest.ts';
import { sliceKey, sliceWindow, type Slice } from '../../slice.ts';

/** Which slices of a list have been answered, whole or in pieces. */
export class AnsweredSlices {
  readonly #names = new Set<string>();
  /** Series → days of its answered slices. */
  readonly #pieces = new Map<string, Slice[]>();

  get size(): number {
    return this.#names.size;
  }

  add(slice: Slice): void {
    const name = sliceName(slice);
    if (this.#names.has(name)) return;
    this.#names.add(name);
    const key = sliceKey(slice);
    this.#pieces.set(key, [...(this.#pieces.get(key) ?? []), slice]);
  }

  /** True when the slice itself was answered, or pieces that make up all of its days. */
  has(slice: Slice): boolean {
    if (this.#names.has(sliceName(slice))) return true;
    const window = sliceWindow(slice);
    if (window === null || slice.kind === 'window') return false;
    let days = 0;
    for (const piece of this.#pieces.get(sliceKey(slice)) ?? []) {
      const own = sliceWindow(piece);
      if (own !== null && own.start >= window.start && own.end <= window.end)
        days += countDays(own.start, own.end);
    }
    return days >= countDays(window.start, window.end);
  }
}
