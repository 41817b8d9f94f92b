import type { Token } from './palette.ts';

/** The colour as charts name it: a style sheet decides between light and dark. */
export function ink(token: Token): string {
  return `var(--${token})`;
}

const RIVALS = ['rival1', 'rival2', 'rival3', 'rival4'] as const satisfies readonly Token[];

/** The colour of the own brand, and of the others by their place. */
export function brandToken(isOwn: boolean, place: number): Token {
  return isOwn ? 'own' : (RIVALS[place] ?? 'other');
}
