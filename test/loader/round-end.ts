import type { RoundEnd } from '../../src/scale/queue/round.ts';

/** The end of a round at the beginning of time that brought nothing. */
export const ROUND_END: RoundEnd = {
  problems: [],
  failed: [],
  probes: [],
  requests: 0,
  retries: 0,
  warnings: [],
  quotas: [],
  at: 0,
};
