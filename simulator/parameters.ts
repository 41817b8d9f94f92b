import { dayNumber, isDay } from '../src/day.ts';
import { badRequest } from './refusal.ts';

export type QueryPairs = readonly (readonly [name: string, value: string])[];

/** Which values one query parameter may have. */
export type ParameterRule =
  | { kind: 'day' }
  | { kind: 'instant' }
  | { kind: 'text' }
  | { kind: 'zone' }
  | { kind: 'choice'; of: readonly string[] }
  | { kind: 'integer'; min: number; max?: number }
  | { kind: 'flag' }
  | { kind: 'list'; of?: readonly string[] };

export type ParameterRules = Readonly<Record<string, ParameterRule>>;

/** The checked parameters of a request; a parameter that was not sent is undefined. */
export interface Parameters {
  text(name: string): string | undefined;
  integer(name: string, otherwise: number): number;
  flag(name: string, otherwise: boolean): boolean;
  list(name: string): readonly string[] | undefined;
  day(name: string): number | undefined;
  /** Milliseconds since the epoch. */
  instant(name: string): number | undefined;
}

function isZone(text: string): boolean {
  try {
    Intl.DateTimeFormat('en', { timeZone: text });
    return true;
  } catch {
    return false;
  }
}

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

/** Why the value is refused, or undefined when it is accepted. */
function complaint(rule: ParameterRule, value: string): string | undefined {
  switch (rule.kind) {
    case 'day':
      return isDay(value) ? undefined : 'must be a calendar date YYYY-MM-DD';
    case 'instant':
      return INSTANT.test(value) && !Number.isNaN(Date.parse(value)) ? undefined : 'must be an ISO instant';
    case 'text':
      return value === '' ? 'must not be empty' : undefined;
    case 'zone':
      return isZone(value) ? undefined : 'must be an IANA time zone';
    case 'choice':
    case 'list':
      if (rule.of === undefined) return value === '' ? 'must not be empty' : undefined;
      return rule.of.includes(value) ? undefined : `must be one of ${rule.of.join(', ')}`;
    case 'flag':
      return value === 'true' || value === 'false' ? undefined : 'must be true or false';
    case 'integer': {
      const number = /^-?\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
      const fits = number >= rule.min && number <= (rule.max ?? Number.MAX_SAFE_INTEGER);
      return fits ? undefined : `must be an integer from ${rule.min} to ${rule.max ?? 'any'}`;
    }
    default:
      return rule satisfies never;
  }
}

/**
 * Checks every parameter of a request against the rules of its endpoint.
 * @throws Refusal (400) that names the first parameter that is unknown, repeated or out of range
 */
export function readParameters(
  query: QueryPairs,
  { rules, ignored = [] }: { rules: ParameterRules; ignored?: readonly string[] | undefined },
): Parameters {
  const values = new Map<string, string[]>();
  for (const [name, value] of query) {
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
    if (rule === undefined) {
      throw badRequest(`querystring must NOT have additional properties: ${name}`, { parameter: name });
    }
    const problem = complaint(rule, value);
    if (problem !== undefined) throw badRequest(`querystring/${name} ${problem}`, { parameter: name, value });
    const before = values.get(name);
    if (before !== undefined && rule.kind !== 'list') {
      throw badRequest(`querystring/${name} must be sent once`, { parameter: name });
    }
    values.set(name, [...(before ?? []), value]);
  }
  for (const name of ignored) values.delete(name);
  const first = (name: string): string | undefined => values.get(name)?.[0];
  return {
    text: first,
    integer: (name, otherwise) => Number(first(name) ?? otherwise),
    flag: (name, otherwise) => (first(name) ?? String(otherwise)) === 'true',
    list: (name) => values.get(name),
    instant(name) {
      const text = first(name);
      return text === undefined ? undefined : Date.parse(text);
    },
    day(name) {
      const text = first(name);
      return text !== undefined && isDay(text) ? dayNumber(text) : undefined;
    },
  };
}
