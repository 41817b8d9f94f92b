import { z } from 'zod';

/** What the reference answers say of the things that scopes are fanned out over. */
export interface LearnedScopes {
  model: string[];
  monitor: string[];
  prompt: string[];
}

const modelList = z.object({
  models: z.array(z.object({ id: z.string(), deprecated: z.boolean().nullish() })),
});
const promptList = z.object({
  prompts: z.array(z.object({ id: z.string(), llmMonitor: z.object({ id: z.string() }).nullish() })),
});

/** Bodies of the model list and of a project's prompt pages → ids; what cannot be read is left out. */
export function learnedScopes(models: readonly unknown[], prompts: readonly unknown[]): LearnedScopes {
  const listed = models.flatMap((body) => modelList.safeParse(body).data?.models ?? []);
  const known = prompts.flatMap((body) => promptList.safeParse(body).data?.prompts ?? []);
  return {
    model: listed.filter(({ deprecated }) => deprecated !== true).map(({ id }) => id),
    monitor: [...new Set(known.flatMap(({ llmMonitor }) => (llmMonitor ? [llmMonitor.id] : [])))],
    prompt: known.map(({ id }) => id),
  };
}
