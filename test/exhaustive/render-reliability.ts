import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { IS_SOAK, readFigures, type Figure } from './figures.ts';

const PAGE = resolve('docs/reliability.md');
/** Set to 1 to write the page: a mere test run changes no file of the project. */
const WISH = process.env['ANSWERLAKE_WRITE_PAGE'] === '1';
/** Proofs that the page speaks of; when only some of them ran, their part of the page stays as it is. */
const PROOFS = IS_SOAK ? 2 : 11;
/** The proofs stand before it, the soak after it. */
const SOAK = '<!-- soak -->';

const INTRODUCTION = `# Reliability

What the sync promises for the nights when nobody watches, and how often each promise was tested. The figures are the
tests' own output: \`ANSWERLAKE_WRITE_PAGE=1 npx vitest run --config vitest.exhaustive.config.ts\` runs them (the real sync
against the simulator over real HTTP, with real DuckDB files) and writes this page. A violation fails the run.
`;

function line(cells: readonly (string | number)[]): string {
  return `| ${cells.join(' | ')} |`;
}

function table(figures: readonly Figure[]): string {
  const rows = figures.map(({ promise, cases, violations }) => line([promise, cases, violations]));
  return [line(['Promise', 'Cases run', 'Violations']), line(['---', '---:', '---:']), ...rows].join('\n');
}

function section({ promise, how, details }: Figure): string {
  const list = Object.entries(details).map(([name, value]) => `- ${name}: ${String(value)}`);
  return [`## ${promise}`, '', how, '', ...list].join('\n');
}

const SOAK_INTRODUCTION = `# The soak

The same proofs for hours instead of minutes, and a year of nights in one process of the daemon: \`npm run soak\`, with
\`ANSWERLAKE_WRITE_PAGE=1\` for this part of the page.
`;

/** Writes its part of docs/reliability.md if asked to, and only if every proof has left its figure. */
export function renderReliability(): void {
  if (!WISH) return;
  const figures = readFigures();
  if (figures.length < PROOFS) return;
  const introduction = IS_SOAK ? SOAK_INTRODUCTION : INTRODUCTION;
  const text = [introduction, table(figures), ...figures.map(section)].join('\n\n');
  const [proofs = '', soak = ''] = readFileSync(PAGE, 'utf8').split(SOAK);
  const parts = IS_SOAK ? [proofs.trim(), SOAK, text] : [text, SOAK, soak.trim()];
  writeFileSync(
    PAGE,
    `${parts
      .join('\n\n')
      .replaceAll(/\n{3,}/g, '\n\n')
      .trim()}\n`,
  );
}
