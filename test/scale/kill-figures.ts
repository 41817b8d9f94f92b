/** Figures for docs/scale.md, where somebody asked to see them. */
export function killFigures(figures: Readonly<Record<string, number>>): void {
  if (process.env['ANSWERLAKE_FIGURES'] === '1') process.stdout.write(`${JSON.stringify(figures)}\n`);
}
