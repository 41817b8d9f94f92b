import type { QueryResult } from '../query-result.ts';

const MOST_DECIMALS = 6;
// What is left where two equal means of floating point are subtracted.
const NOISE = 1e-9;

/** The texts of a result for eyes: columns of floating point rounded alike, everything else as it is. */
export function roundedRows({ columns, rows }: QueryResult): (string | null)[][] {
  const decimals = columns.map(({ kind }, index) =>
    kind === 'approximate' ? decimalsOf(rows.map((row) => row[index]?.text ?? null)) : null,
  );
  return rows.map((row) =>
    row.map(({ text }, index) => {
      const places = decimals[index] ?? null;
      return text === null || places === null ? text : rounded(text, places);
    }),
  );
}

/** Two decimals, or as many as a column of small figures needs for three digits; none among whole numbers. */
function decimalsOf(texts: readonly (string | null)[]): number {
  const sizes = texts
    .flatMap((text) => (text === null ? [] : [Math.abs(Number(text))]))
    .filter(Number.isFinite);
  if (sizes.every((size) => Number.isInteger(size))) return 0;
  const largest = sizes.reduce((a, b) => Math.max(a, b), 0);
  return largest >= 1 || largest < NOISE ? 2 : Math.min(MOST_DECIMALS, 2 - Math.floor(Math.log10(largest)));
}

function rounded(text: string, places: number): string {
  const value = Number(text);
  return Number.isFinite(value) && Math.abs(value) < 1e15
    ? value.toFixed(places).replace(/^-(?=0(\.0*)?$)/, '')
    : text;
}
