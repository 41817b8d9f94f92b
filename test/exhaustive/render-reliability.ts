import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { PART, readFigures, type Figure, type PagePart } from './figures.ts';

const PAGE = resolve('docs/reliability.md');
/** Set to 1 to write the page: a mere test run changes no file of the project. */
const WISH = process.env['ANSWERLAKE_WRITE_PAGE'] === '1';

interface Part {
  /** Proofs that it speaks of; when only some of them ran, it stays unchanged. */
  proofs: number;
  /** The marks that it stands between; behind the last one the page is written by hand. */
  begin: string;
  end: string;
  introduction: string;
}

const PARTS: Record<PagePart, Part> = {
  proofs: {
    proofs: 11,
    begin: '',
    end: '<!-- soak -->',
    introduction: `# Reliability

What the sync promises for unattended nights, and how often each promise was tested. The figures are the
tests' own output: \`ANSWERLAKE_WRITE_PAGE=1 npx vitest run --project 'exhaustive*'\` runs them (the real sync
against the simulator over real HTTP, with real DuckDB files) and writes this page. A violation fails the run.

## What is promised of a night

- What an answer says is stored. What it leaves out or empties goes when an answer of a later day agrees; more than half of what is known
  needs three such days, with exit code 3 on each.
- What looks as if the server had ignored the question is asked about once more. An ordinary night has no such question.
- One odd entry takes no other with it, and one answer never ends a run. A measure that cannot be read is NULL.
- A day without rows is settled only by a second answer. A closed window is asked again only while the server remembers its days, and once
  more after figures of its days came late.
- What stays wrong ends runs with 3 for three days and is listed as known from then on. A series of which nothing new comes ends every
  run with 3, unless the plan lacks it. A series that the server answers again is back on the next night, its filters and older days at the latest on the night after.
- A printed remedy is tried by a test in the state that prints it.

Each odd world of the tests is one of these sentences; [what is believed](decisions/2026-11-25-what-is-believed.md) has the reasons.`,
  },
  soak: {
    proofs: 2,
    begin: '<!-- soak -->',
    end: '<!-- scale -->',
    introduction: `# The soak

The same proofs for hours instead of minutes, and a year of nights in one process of the daemon: \`npm run soak\`, with
\`ANSWERLAKE_WRITE_PAGE=1\` for this part of the page.`,
  },
  scale: {
    proofs: 3,
    begin: '<!-- scale -->',
    end: '<!-- machine -->',
    introduction: `# Beyond one machine

Workers, a loader and a standby as separate processes on a PostgreSQL: \`npm run test:scale\` with \`ANSWERLAKE_KILLS=200\` and
\`ANSWERLAKE_WRITE_PAGE=1\`, run as in [contributing](contributing.md). [Beyond one machine](scale.md) explains what it is for.`,
  },
};

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

/** Writes its part of docs/reliability.md if asked to, and only if every proof has left its figure. */
export function renderReliability(): void {
  if (!WISH) return;
  const figures = readFigures();
  const { proofs, begin, end, introduction } = PARTS[PART];
  if (figures.length < proofs) return;
  const page = readFileSync(PAGE, 'utf8');
  const before = page.slice(0, page.indexOf(begin) + begin.length);
  const part = [introduction, table(figures), ...figures.map(section)];
  writeFileSync(PAGE, [before, ...part, page.slice(page.indexOf(end))].join('\n\n').trimStart());
}
