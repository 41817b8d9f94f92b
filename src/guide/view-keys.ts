import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { SQL_FOLDER } from '../warehouse/sql.ts';

const keys = z.record(z.string(), z.array(z.string()).readonly());

/** Columns that no two rows of a view share, by view; proven on the worlds of the simulator. */
export const { main: VIEW_KEYS, detail: DETAIL_KEYS } = z
  .strictObject({ main: keys, detail: keys })
  .parse(parse(readFileSync(join(SQL_FOLDER, 'view-keys.yaml'), 'utf8')));
