import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { PART, readFigures, type Figure, type PagePart } from './figures.ts';

const PAGE = resolve('docs/reliability.md');
/** Set to 1 to write the page: a mere test run changes no file of the project. */
const WISH = process.env['ANSWERLAKE_WRITE_PAGE'] === '1';
/** Proofs that a part of the page speaks of; when only some of them ran, that part stays unchanged. */
const PROOFS: Record<PagePart, number> = { proofs: 11, soak: 2, scale: 3 };
/** Begin the second and the third part. */
const MARKS = { soak: '<!-- soak -->', scale: '<!-- scale -->', machine: '<!-- machine -->' };

const INTRODUCTION = `# Reliability

What the sync promises for unattended nights, and how often each promise was tested. The figures are the
tests' own output: \`ANSWERLAKE_WRITE_PAGE=1 npx vitest run --project 'exhaustive*'\` runs them (the real sync
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

const SCALE_INTRODUCTION = `# Beyond one machine

Workers, a loader and a standby as separate processes on a PostgreSQL: \`npm run test:scale\` with \`ANSWERLAKE_KILLS=200\` and
\`ANSWERLAKE_WRITE_PAGE=1\`, run as in [contributing](contributing.md). [Beyond one machine](scale.md) says what it is for.
`;

const INTRODUCTIONS: Record<PagePart, string> = {
  proofs: INTRODUCTION,
  soak: SOAK_INTRODUCTION,
  scale: SCALE_INTRODUCTION,
};

/** Writes its part of docs/reliability.md if asked to, and only if every proof has left its figure. */
export function renderReliability(): void {
  if (!WISH) return;
  const figures = readFigures();
  if (figures.length < PROOFS[PART]) return;
  // The last part is written by hand.
  const [written = '', machine = ''] = readFileSync(PAGE, 'utf8').split(MARKS.machine);
  const [proofs = '', rest = ''] = written.split(MARKS.soak);
  const [soak = '', scale = ''] = rest.split(MARKS.scale);
  const parts = { proofs, soak, scale };
  parts[PART] = [INTRODUCTIONS[PART], table(figures), ...figures.map(section)].join('\n\n');
  writeFileSync(
    PAGE,
    `${[
      parts.proofs.trim(),
      MARKS.soak,
      parts.soak.trim(),
      MARKS.scale,
      parts.scale.trim(),
      MARKS.machine,
      machine.trim(),
    ]
      .join('\n\n')
      .replaceAll(/\n{3,}/g, '\n\n')
      .trim()}\n`,
  );
}
