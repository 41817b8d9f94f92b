import { expect, test } from 'vitest';
import { z } from 'zod';
import { catalogue } from '../../src/endpoints/catalogue.ts';
import { directReader } from '../../src/endpoints/direct-reader.ts';
import { count, day, id, instant, label, maybeMeasure, measureOrNull } from '../../src/endpoints/field.ts';
import { namedPoint } from '../../src/endpoints/point-series.ts';
import { seededRandom } from '../support/seeded-random.ts';

const VALUES: readonly unknown[] = [
  undefined,
  null,
  true,
  '',
  'a',
  'ORGANIC',
  '__proto__',
  '2026-02-28',
  '2026-02-30',
  '2026-02-28T23:30:00+01:00',
  '2026-02-28T12:00:00.000Z',
  '12',
  0,
  -0,
  1,
  -3.5,
  2 ** 53,
  2 ** 53 - 1,
  1e300,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  12n,
  [],
  [1, 'a', null],
  {},
  new Date(0),
];

const schemas: [string, z.ZodType][] = [
  ['a named point', namedPoint],
  ...catalogue.flatMap(({ name, documented: { body, item } }): [string, z.ZodType][] => [
    [`the body of ${name}`, body],
    ...(item === null ? [] : [[`the item of ${name}`, item] satisfies [string, z.ZodType]]),
  ]),
];

test.each(schemas)('%s is read directly as its schema reads it, or left to it', (_, schema) => {
  const read = directReader(schema);
  if (read === null) return;
  const random = seededRandom(7);
  let directly = 0;
  for (let round = 0; round < 2_000; round += 1) {
    const value = valueFor(schema, random);
    const direct = read(value);
    if (direct === undefined) continue;
    directly += 1;
    const parsed = schema.safeParse(value);
    expect(parsed.success).toBe(true);
    expect(direct).toEqual(parsed.data);
  }
  expect(directly).toBeGreaterThan(100);
});

/** Any value, but more often one that fits: an object needs that of all its fields. */
function valueFor(schema: z.core.$ZodType, random: () => number): unknown {
  if (random() < 0.05) return pick(VALUES, random);
  if (!(schema instanceof z.ZodObject)) return pick(fitting(schema), random);
  const given: Record<string, unknown> = random() < 0.2 ? { new_field: 1 } : {};
  for (const [name, field] of Object.entries<z.core.$ZodType>(schema.shape)) {
    const value = valueFor(field, random);
    if (value !== undefined || random() < 0.5) given[name] = value;
  }
  return given;
}

const fittingValues = new Map<z.core.$ZodType, readonly unknown[]>();

function fitting(schema: z.core.$ZodType): readonly unknown[] {
  const known = fittingValues.get(schema);
  if (known !== undefined) return known;
  const values = VALUES.filter((value) => z.safeParse(schema, value).success);
  fittingValues.set(schema, values);
  return values;
}

function pick(values: readonly unknown[], random: () => number): unknown {
  return values[Math.floor(random() * values.length)];
}

test.each([
  'visibility',
  'sentiment',
  'share_of_voice',
  'brand_visibility',
  'citation_ranks',
  'response_sentiment',
])('the items of %s are read directly', (endpoint) => {
  const item = catalogue.find(({ name }) => name === endpoint)?.documented.item ?? z.never();
  expect(directReader(item)).not.toBeNull();
});

test('a named point, which most rows come from, is read directly', () => {
  expect(
    directReader(namedPoint)?.({ date: '2026-01-02T03:00:00Z', name: '__proto__', value: 3, other: 1 }),
  ).toEqual({ date: '2026-01-02', name: '__proto__', value: 3 });
});

test.each([
  [count, 1.5],
  [count, 2 ** 53],
  [id, ''],
  [day, 'soon'],
  [day, 20_260_102],
  [instant, '2026-13-01T00:00:00Z'],
  [measureOrNull, undefined],
  [measureOrNull, Number.NaN],
  [z.object({ count }), { count: '1' }],
  [z.object({ count }), [1]],
  [z.object({ name: label }), []],
  [z.object({ count }), {}],
  [z.object({ anything: z.unknown() }), {}],
])('what a schema refuses or may refuse is left to it (%#)', (schema: z.ZodType, value) => {
  expect(directReader(schema)?.(value)).toBeUndefined();
});

test.each([
  [maybeMeasure, undefined, null],
  [label, null, null],
  [z.object({ name: label }), {}, { name: null }],
  [z.object({ name: z.string().optional() }), {}, { name: undefined }],
  [z.array(z.unknown()), [1, 'a'], [1, 'a']],
])('a value that may be missing is read directly (%#)', (schema: z.ZodType, value, expected) => {
  expect(directReader(schema)?.(value)).toEqual(expected);
  expect(schema.parse(value)).toEqual(expected);
});

test.each([
  z.strictObject({ count }),
  z.looseObject({ count }),
  z.object({ count }).refine(() => false),
  day.refine(() => false),
  maybeMeasure.refine(() => false),
  measureOrNull.refine(() => false),
  z
    .string()
    .optional()
    .refine(() => false),
  z.boolean().refine(() => false),
  z.unknown().refine(() => false),
  z.array(z.unknown()).refine(() => false),
  z.array(z.unknown().refine(() => false)),
  z.object({ day: day.refine(() => false) }),
  z.string().regex(/a/),
  z.string().trim(),
  z.coerce.number(),
  z.number().min(3),
  z.array(z.string()),
  z.array(z.unknown()).max(1),
  z.string().transform((text) => text.length),
  z.union([z.string(), z.number()]),
  z.literal('a'),
])('a schema with more than that is read by itself (%#)', (schema: z.ZodType) => {
  expect(directReader(schema)).toBeNull();
});
