import { z } from 'zod';
import type { AnswerlakeError } from '../errors.ts';

/** A verdict about a parameter of an endpoint and project, as stored in `meta.probes`. */
export const probeSchema = z.object({
  endpoint: z.string(),
  projectId: z.string(),
  parameter: z.string(),
  askedWith: z.string(),
  verdict: z.enum(['good', 'ignored']),
  /** Of an earlier run that found it ignored: each answer is asked about. */
  isEarlier: z.boolean().optional(),
});
export type Probe = z.output<typeof probeSchema>;

/** The verdict about a parameter. */
export type ProbeFinding = Probe['verdict'] | AnswerlakeError;

export function findingKey({ endpoint, projectId, parameter, askedWith }: Omit<Probe, 'verdict'>): string {
  return JSON.stringify([endpoint, projectId, parameter, askedWith]);
}
