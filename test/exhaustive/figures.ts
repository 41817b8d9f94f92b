import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** What one proof did and found; the page about reliability is made of these. */
export interface Figure {
  /** Place on the page. */
  order: number;
  promise: string;
  /** What was done to it. */
  how: string;
  cases: number;
  violations: number;
  /** More numbers, in the order in which they are shown. */
  details: Readonly<Record<string, string | number>>;
}

/** The page has three parts, which come from runs of their own, so each keeps its own figures. */
export type PagePart = 'proofs' | 'soak' | 'scale';
export const PART: PagePart =
  process.env['ANSWERLAKE_SOAK'] === '1'
    ? 'soak'
    : process.env['ANSWERLAKE_SCALE'] === '1'
      ? 'scale'
      : 'proofs';
const FOLDER = resolve('coverage/figures', PART);

export function clearFigures(): void {
  rmSync(FOLDER, { recursive: true, force: true });
}

/** Kept even when the test that calls it fails afterwards: a violation must show. */
export function recordFigure(figure: Figure): void {
  mkdirSync(FOLDER, { recursive: true });
  const name = `${String(figure.order).padStart(2, '0')}.json`;
  writeFileSync(join(FOLDER, name), `${JSON.stringify(figure, null, 2)}\n`);
}

export function readFigures(): Figure[] {
  if (!existsSync(FOLDER)) return [];
  return readdirSync(FOLDER)
    .sort()
    .map((name) => JSON.parse(readFileSync(join(FOLDER, name), 'utf8')) as Figure);
}
