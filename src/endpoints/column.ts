import { z } from 'zod';
import type { Meaning } from '../warehouse/meaning.ts';
import * as field from './field.ts';
import type { Column, Read, TableColumn } from './table.ts';

/** Properties of a column besides its meaning. */
interface ColumnFacts extends Partial<Omit<Meaning, 'meaning'>> {
  /** Never NULL. */
  isRequired?: boolean;
}

/** A kind of column: its type, and how to read the field of the same name if the items are made of columns. */
export function column(type: TableColumn['type'], schema: z.ZodType) {
  return <Item = unknown>(
    meaning: string,
    { isRequired = false, ...facts }: ColumnFacts = {},
    read?: Read<Item>,
  ): Column<Item> => ({ type, schema, meaning: { meaning, ...facts }, isRequired, read });
}

export const count = column('bigint', field.count);
export const measure = column('double', field.measure);
/** A measure that may be absent. */
export const maybeMeasure = column('double', field.maybeMeasure);
export const flag = column('boolean', field.flag);
export const day = column('date', field.day);
export const instant = column('timestamp', field.sideInstant);
/** A required text: without it there is no row. */
export const key = column('varchar', z.string());
/** A descriptive text. */
export const label = column('varchar', field.label);
/** A text that may be absent. */
export const text = column('varchar', field.side(z.string()));

/** The facts about a rate, a mean or a score. */
export const NEVER = { adds: 'never' } as const;
