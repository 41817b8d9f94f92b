import { z } from 'zod';
import { isDay, type Day } from './day.ts';

/** A calendar day `YYYY-MM-DD`. */
export const daySchema = z.custom<Day>(
  (value) => typeof value === 'string' && isDay(value),
  'is not a calendar day',
);
