import { z } from 'zod';

/** A row that is a name alone. */
export const nameRow = z.object({ name: z.string() });
