import { z } from 'zod';
import type { Rule } from './rules.ts';

/** A group of settings: written in snake_case, read in camelCase; unknown settings are refused. */
export function section<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  return z.strictObject(shape).transform((value) => inCamelCase(value));
}

type CamelCase<Name> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name;
type ReadOnly<Value> = Value extends readonly (infer Item)[] ? readonly Item[] : Value;
type InCamelCase<Value> = { [Name in keyof Value as CamelCase<Name>]: ReadOnly<Value[Name]> };

function inCamelCase<Value extends object>(value: Value): InCamelCase<Value> {
  const entries = Object.entries(value).map(([name, entry]: [string, unknown]) => [camelCase(name), entry]);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the type follows the same rule as `camelCase`
  return Object.fromEntries(entries) as InCamelCase<Value>;
}

function camelCase(name: string): string {
  return name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** Text that keeps a rule. */
export function text(rule: Rule): z.ZodString {
  return z.string().superRefine((value, context) => {
    const message = rule(value);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  });
}
