import type { z } from 'zod';
import { parseDay, type Day } from '../day.ts';
import { own } from '../endpoints/field.ts';
import type { Item } from '../endpoints/item.ts';
import type { Drift } from './drift.ts';

/** The day that an item says of itself, although the item as a whole cannot be read; null when it says none. */
export function dayOfItem({ value }: Item): Day | null {
  const date = own(value, 'date');
  return typeof date === 'string' ? (parseDay(date) ?? null) : null;
}

/** The id that an item says of itself, although the item as a whole cannot be read; null when it says none. */
export function idOfItem({ value }: Item): string | null {
  const id = own(value, 'id');
  return typeof id === 'string' && id !== '' ? id : null;
}

/** An item of a kind that the API did not document, and no other fault: news of the API, not a bad row. */
export function unknownKind(item: Item, error: z.ZodError): Drift | null {
  const [issue, ...others] = error.issues;
  if (issue?.code !== 'invalid_union' || issue.discriminator === undefined || others.length > 0) return null;
  let kind = item.value;
  for (const name of issue.path) kind = own(kind, String(name));
  if (typeof kind !== 'string') return null;
  const path = `${item.path}.${String(issue.path.at(-1))}`.replaceAll(/\[\d+\]/g, '[]');
  return { path, kind: 'new_enum_value', sample: kind };
}
