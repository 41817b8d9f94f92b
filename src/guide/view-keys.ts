import { z } from 'zod';
import { readSqlData } from '../files.ts';

const keys = z.record(z.string(), z.array(z.string()).readonly());

/** The key columns of each view; proven on the worlds of the simulator. */
export const { main: VIEW_KEYS, detail: DETAIL_KEYS } = z
  .strictObject({ main: keys, detail: keys })
  .parse(readSqlData('view-keys'));
