import { z } from 'zod';
import { seconds } from './figure.ts';

const publishLine = z.object({
  event: z.literal('publish.done'),
  duration_ms: z.number(),
});

/** How long the publish of a run took, from the lines of its log. */
export function publishFigure(log: string): string {
  for (const line of log.split('\n').filter((text) => text.includes('publish.done'))) {
    const read = publishLine.safeParse(JSON.parse(line));
    if (read.success) return seconds(read.data.duration_ms / 1000);
  }
  return 'none';
}
