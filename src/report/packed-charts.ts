import type { ChartData, Line } from './chart.ts';

/** Figures as text where that can be done without loss: a page of three years has forty thousand of them. */
export type PackedFigures = string | readonly (number | null)[];

/** The data of charts as it stands in a page. */
export type PackedCharts = Omit<ChartData, keyof Held<unknown>> & Held<PackedFigures>;

// Printable, and none that JSON or HTML would write as more than itself.
const DIGITS = Array.from({ length: 94 }, (_, index) => String.fromCharCode(33 + index))
  .filter((digit) => !'"&\'<>\\'.includes(digit))
  .join('');
const BASE = DIGITS.length;

// A digit below is a step of itself, a higher one the first of two, the last one announces four; 0 is a missing figure.
const FIRST_OF_TWO = 36;
const FOUR_FOLLOW = BASE - 1;
const MOST_IN_TWO = FIRST_OF_TWO + (FOUR_FOLLOW - FIRST_OF_TWO) * BASE;

const MOST_DECIMALS = 4;

/** A digit that tells the decimals, then each figure's step from the one before. */
export function packFigures(figures: readonly (number | null)[]): PackedFigures {
  for (let decimals = 0; decimals <= MOST_DECIMALS; decimals += 1) {
    const unit = 10 ** decimals;
    if (!figures.every((figure) => figure === null || Math.round(figure * unit) / unit === figure)) continue;
    let text = String(decimals);
    let before = 0;
    for (const figure of figures) {
      if (figure === null) {
        text += digit(0);
        continue;
      }
      const now = Math.round(figure * unit);
      const step = now - before;
      const code = 1 + (step < 0 ? -2 * step - 1 : 2 * step);
      if (code >= BASE ** 4) return figures;
      text += digits(code);
      before = now;
    }
    return text;
  }
  return figures;
}

function digits(code: number): string {
  if (code < FIRST_OF_TWO) return digit(code);
  if (code < MOST_IN_TWO) {
    const rest = code - FIRST_OF_TWO;
    return digit(FIRST_OF_TWO + Math.floor(rest / BASE)) + digit(rest % BASE);
  }
  return [FOUR_FOLLOW, ...[3, 2, 1, 0].map((place) => Math.floor(code / BASE ** place) % BASE)]
    .map((value) => digit(value))
    .join('');
}

function digit(value: number): string {
  return DIGITS.charAt(value);
}

/** The figures that `packFigures` was given. */
export function unpackFigures(packed: PackedFigures): (number | null)[] {
  if (typeof packed !== 'string') return [...packed];
  const unit = 10 ** Number(packed.charAt(0));
  const figures: (number | null)[] = [];
  let before = 0;
  let place = 1;
  const next = (): number => {
    place += 1;
    return DIGITS.indexOf(packed.charAt(place - 1));
  };
  while (place < packed.length) {
    let code = next();
    if (code === 0) {
      figures.push(null);
      continue;
    }
    if (code === FOUR_FOLLOW) code = ((next() * BASE + next()) * BASE + next()) * BASE + next();
    else if (code >= FIRST_OF_TWO) code = FIRST_OF_TWO + (code - FIRST_OF_TWO) * BASE + next();
    before += code % 2 === 0 ? -code / 2 : (code - 1) / 2;
    figures.push(before / unit);
  }
  return figures;
}

/** What a page draws from, as short text. */
export function packCharts(data: ChartData): PackedCharts {
  return { ...data, ...eachFigures(data, packFigures) };
}

/** What `packCharts` was given. */
export function unpackCharts(packed: PackedCharts): ChartData {
  return { ...packed, ...eachFigures(packed, unpackFigures) };
}

interface Held<Figures> {
  daily: Record<string, Figures>;
  models: Named<Figures>[];
  brands: Named<Figures>[];
  crawlers: Named<Figures>[];
  visitors: Named<Figures>[];
}
type Named<Figures> = Omit<Line, 'figures'> & { figures: Figures };

function eachFigures<From, To>(held: Held<From>, turn: (figures: From) => To): Held<To> {
  const lines = (all: readonly Named<From>[]): Named<To>[] =>
    all.map((line) => ({ ...line, figures: turn(line.figures) }));
  return {
    daily: Object.fromEntries(Object.entries(held.daily).map(([name, figures]) => [name, turn(figures)])),
    models: lines(held.models),
    brands: lines(held.brands),
    crawlers: lines(held.crawlers),
    visitors: lines(held.visitors),
  };
}
