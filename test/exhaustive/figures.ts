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
const PART =
  process.env['ANSWERLAKE_SOAK'] === '1'
    ? 'soak'
    : process.env['ANSWERLAKE_SCALE'] === '1'
      ? 'scale'
      : 'proofs';
const FOLDER = resolve('coverage/figures', PART);
const PAGE = resolve('docs/reliability.md');

export function clearFigures(): void {
  rmSync(FOLDER, { recursive: true, force: true });
}

/** Kept even when the test that calls it fails afterwards: a violation must show. */
export function recordFigure(figure: Figure): void {
  mkdirSync(FOLDER, { recursive: true });
  const name = `${String(figure.order).padStart(2, '0')}.json`;
  writeFileSync(join(FOLDER, name), `${JSON.stringify(figure, null, 2)}\n`);
}

function table(figures: readonly Figure[]): string {
  const rows = figures.map(
    ({ promise, cases, violations }) => `| ${promise} | ${String(cases)} | ${String(violations)} |`,
  );
  return ['| Promise | Cases run | Violations |', '| --- | ---: | ---: |', ...rows].join('\n');
}

function section({ promise, how, details }: Figure): string {
  const list = Object.entries(details).map(([name, value]) => `- ${name}: ${String(value)}`);
  return [`## ${promise}`, how, list.join('\n')].join('\n\n').trimEnd();
}

/** Writes its part of docs/reliability.md where ANSWERLAKE_WRITE_PAGE is 1: a mere test run changes no file of the project. */
export function writeFigures(): void {
  if (process.env['ANSWERLAKE_WRITE_PAGE'] !== '1') return;
  const names = existsSync(FOLDER) ? readdirSync(FOLDER).sort() : [];
  const figures = names.map((name) => JSON.parse(readFileSync(join(FOLDER, name), 'utf8')) as Figure);
  const page = readFileSync(PAGE, 'utf8');
  const [begin, end] = [`<!-- ${PART} -->\n`, `<!-- /${PART} -->`];
  const [before = '', rest = ''] = page.split(begin);
  const [old = '', after = ''] = rest.split(end);
  // Where only some of the proofs ran, the page stays unchanged.
  if (figures.length < (old.match(/^## /gm)?.length ?? 0)) return;
  const part = [before + begin, table(figures), ...figures.map(section), end + after];
  writeFileSync(PAGE, part.map((text) => text.replace(/^\n+|\n+$/g, '')).join('\n\n') + '\n');
}
