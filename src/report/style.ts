/** Colours by meaning, light and dark. Blue is ours; the others differ in lightness too, so that they survive colour blindness and grey paper. */
export const COLOURS = {
  page: ['#f4f5f7', '#12161c'],
  card: ['#ffffff', '#1a2028'],
  ink: ['#1c2430', '#e7ebf1'],
  muted: ['#5b6675', '#a2adbb'],
  line: ['#dfe3e8', '#333c48'],
  faint: ['#eef0f3', '#252d37'],
  pending: ['#eceff4', '#242c37'],
  own: ['#1d5fc4', '#6ea4f4'],
  ownsoft: ['#7ba8e4', '#4f7dbd'],
  rival1: ['#be5317', '#f0935a'],
  rival2: ['#0d8470', '#4cc2ab'],
  rival3: ['#8a4fa3', '#c893de'],
  rival4: ['#7d6a12', '#d3bd58'],
  other: ['#68727f', '#939eac'],
  good: ['#1d5fc4', '#7fb0f7'],
  bad: ['#b8480f', '#f3a06c'],
  positive: ['#1d5fc4', '#5b95ee'],
  neutral: ['#aeb8c6', '#66717f'],
  negative: ['#d9762f', '#ea9152'],
  unknown: ['#dde2e9', '#343d49'],
  heat0: ['#eef3fb', '#212a36'],
  heat1: ['#cfdff5', '#25395a'],
  heat2: ['#a3c1ea', '#2c4f86'],
  heat3: ['#6b9bdb', '#3565ab'],
  heat4: ['#3573c6', '#6699e0'],
  heat5: ['#164a99', '#a9c9f7'],
} as const;

export type Token = keyof typeof COLOURS;

/** Charts outside a page have no style sheet: the light colours take the names' place. */
export function inlineLight(svg: string): string {
  const colours = new Map<string, readonly string[]>(Object.entries(COLOURS));
  return svg.replaceAll(/var\(--([a-z0-9]+)\)/g, (name, token: string) => colours.get(token)?.[0] ?? name);
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
