import { z } from 'zod';
import { readSqlYaml } from '../warehouse/sql.ts';

const keys = z.record(z.string(), z.array(z.string()).readonly());

/** The key columns of each view; proven on the worlds of the simulator. */
export const { main: VIEW_KEYS, detail: DETAIL_KEYS } = readSqlYaml(
  'view-keys',
  z.strictObject({ main: keys, detail: keys }),
);
