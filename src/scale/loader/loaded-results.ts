import type { OutcomeQueue } from '../../run/load-queue.ts';
import type { SliceResult } from '../../run/slice-result.ts';

/** What parts have brought, for the run that asked; nothing is pushed here, because parts are loaded whole. */
export class LoadedResults implements OutcomeQueue {
  #loaded: SliceResult[] = [];

  add(results: readonly SliceResult[]): void {
    this.#loaded.push(...results);
  }

  room(): Promise<void> {
    return Promise.resolve();
  }

  async push(): Promise<void> {
    throw new RangeError('the loader loads parts, not single outcomes');
  }

  async drain(): Promise<SliceResult[]> {
    return this.takeLoaded();
  }

  takeLoaded(): SliceResult[] {
    const loaded = this.#loaded;
    this.#loaded = [];
    return loaded;
  }
}
