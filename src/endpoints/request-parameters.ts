import type { Scope } from '../slice.ts';
import type { Ask, Parameter } from './endpoint.ts';

export type ScopeParameters = Readonly<Partial<Record<Scope, string | null>>>;

/** `startDate` and `endDate`. */
export function dates(ask: Ask): readonly Parameter[] {
  return ask.asked === null
    ? []
    : [
        ['startDate', ask.asked.start],
        ['endDate', ask.asked.end],
      ];
}

/** The filter that the slice's scope stands for. */
export function filter(ask: Ask, scopes: ScopeParameters): readonly Parameter[] {
  const name = scopes[ask.slice.scope];
  return name === undefined || name === null ? [] : [[name, ask.slice.scopeId]];
}

/** Asks for the longest list allowed: the default limits cut lists off silently. */
export function limit(ask: Ask, name: string): readonly Parameter[] {
  return ask.limit === null ? [] : [[name, String(ask.limit)]];
}
