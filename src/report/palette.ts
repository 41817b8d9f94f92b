/** Colours by meaning. Blue is ours; the others differ in lightness too, so that they survive colour blindness and grey paper. */
export const LIGHT = {
  page: '#f4f5f7',
  card: '#ffffff',
  ink: '#1c2430',
  muted: '#5b6675',
  line: '#dfe3e8',
  faint: '#eef0f3',
  pending: '#eceff4',
  own: '#1d5fc4',
  ownsoft: '#9bbdec',
  rival1: '#be5317',
  rival2: '#0d8470',
  rival3: '#8a4fa3',
  rival4: '#7d6a12',
  other: '#9aa3af',
  good: '#1d5fc4',
  bad: '#b8480f',
  positive: '#1d5fc4',
  neutral: '#aeb8c6',
  negative: '#d9762f',
  unknown: '#dde2e9',
  heat0: '#eef3fb',
  heat1: '#cfdff5',
  heat2: '#a3c1ea',
  heat3: '#6b9bdb',
  heat4: '#3573c6',
  heat5: '#164a99',
  onheat0: '#1c2430',
  onheat1: '#1c2430',
  onheat2: '#1c2430',
  onheat3: '#10161f',
  onheat4: '#ffffff',
  onheat5: '#ffffff',
} as const;

export type Token = keyof typeof LIGHT;

export const DARK: Record<Token, string> = {
  page: '#12161c',
  card: '#1a2028',
  ink: '#e7ebf1',
  muted: '#a2adbb',
  line: '#333c48',
  faint: '#252d37',
  pending: '#242c37',
  own: '#6ea4f4',
  ownsoft: '#3b5f92',
  rival1: '#f0935a',
  rival2: '#4cc2ab',
  rival3: '#c893de',
  rival4: '#d3bd58',
  other: '#717c8a',
  good: '#7fb0f7',
  bad: '#f3a06c',
  positive: '#5b95ee',
  neutral: '#66717f',
  negative: '#ea9152',
  unknown: '#343d49',
  heat0: '#212a36',
  heat1: '#25395a',
  heat2: '#2c4f86',
  heat3: '#3c6db5',
  heat4: '#6699e0',
  heat5: '#a9c9f7',
  onheat0: '#e7ebf1',
  onheat1: '#e7ebf1',
  onheat2: '#ffffff',
  onheat3: '#ffffff',
  onheat4: '#0d131b',
  onheat5: '#0d131b',
};

/** Declarations of a palette for a style sheet. */
export function declarations(palette: Record<Token, string>): string {
  return Object.entries(palette)
    .map(([token, colour]) => `--${token}:${colour}`)
    .join(';');
}

/** Charts outside a page have no style sheet: the light colours take the names' place. */
export function inlineLight(svg: string): string {
  const colours = new Map<string, string>(Object.entries(LIGHT));
  return svg.replaceAll(/var\(--([a-z0-9]+)\)/g, (name, token: string) => colours.get(token) ?? name);
}

/** The colour as charts name it: a style sheet decides between light and dark. */
export function ink(token: Token): string {
  return `var(--${token})`;
}

const RIVALS = ['rival1', 'rival2', 'rival3', 'rival4'] as const satisfies readonly Token[];

/** The colour of your brand, or of a rival by its rank. */
export function brandToken(isOwn: boolean, place: number): Token {
  return isOwn ? 'own' : (RIVALS[place] ?? 'other');
}
