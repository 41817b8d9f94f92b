import { z } from 'zod';

const publishLine = z.object({ event: z.literal('publish.done'), duration_ms: z.number(), way: z.string() });

/** How long the publish of a run took, and in which way the file was made, from the lines of its log. */
export function publishFigure(log: string): string {
  for (const line of log.split('\n').filter((text) => text.includes('publish.done'))) {
    const read = publishLine.safeParse(JSON.parse(line));
    if (read.success) return `${(read.data.duration_ms / 1000).toFixed(2)} s (${read.data.way})`;
  }
  return 'none';
}
