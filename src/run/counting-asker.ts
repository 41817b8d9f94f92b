import { endpointNamed } from '../endpoints/catalogue.ts';
import type { PlannedSlice } from '../plan/plan.ts';
import type { JobAsker, SliceJob } from './ask.ts';
import type { Problem } from './outcome.ts';

/** Counts the slices that a run would ask for, and asks only for the lists that other slices are planned from. */
export class CountingAsker implements JobAsker {
  readonly counted: PlannedSlice[] = [];
  readonly #inner: JobAsker | null;

  /** @param inner asks for the lists; null when nothing may be asked */
  constructor(inner: JobAsker | null) {
    this.#inner = inner;
  }

  async ask(jobs: readonly SliceJob[]): Promise<Problem[]> {
    for (const { planned } of jobs) this.counted.push(planned);
    if (this.#inner === null) return [];
    return await this.#inner.ask(jobs.filter(({ planned }) => isPlannedFrom(planned)));
  }
}

/** No project slice depends on a list that belongs to a key. */
function isPlannedFrom({ slice }: PlannedSlice): boolean {
  const { cut, askedPer } = endpointNamed(slice.endpoint);
  return cut.kind === 'list' && (askedPer === 'project' || askedPer === 'run');
}
