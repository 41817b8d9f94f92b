import type { z } from 'zod';
import type { configSchema } from './schema.ts';

/** The configuration, checked and complete: what `configSchema` makes of the file, in our own words for the settings. */
export type Config = z.output<ReturnType<typeof configSchema>>;

export type AccountConfig = Config['accounts'][number];

/** What one endpoint does differently from the defaults. */
export type EndpointSettings = Config['sync']['endpoints'][string];
