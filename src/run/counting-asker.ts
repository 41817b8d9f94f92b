import { endpointNamed } from '../endpoints/catalogue.ts';
import type { PlannedSlice } from '../plan/plan.ts';
import type { JobAsker, SliceJob } from './ask.ts';
import type { Problem } from './outcome.ts';

/** Counts what a run would ask; asks itself only for the lists that other slices are planned from. */
export class CountingAsker implements JobAsker {
  readonly counted: PlannedSlice[] = [];
  readonly #inner: JobAsker | null;

  /** @param inner null: nothing is asked at all */
  constructor(inner: JobAsker | null) {
    this.#inner = inner;
  }

  async ask(jobs: readonly SliceJob[]): Promise<Problem[]> {
    for (const { planned } of jobs) this.counted.push(planned);
    if (this.#inner === null) return [];
    return await this.#inner.ask(jobs.filter(({ planned }) => isPlannedFrom(planned)));
  }
}

/** A key's own list says nothing that a project's slices depend on. */
function isPlannedFrom({ slice }: PlannedSlice): boolean {
  const { cut, askedPer } = endpointNamed(slice.endpoint);
  return cut.kind === 'list' && (askedPer === 'project' || askedPer === 'run');
}
