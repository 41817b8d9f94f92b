import { z } from 'zod';

/** A row with nothing but a name. */
export const nameRow = z.object({ name: z.string() });
