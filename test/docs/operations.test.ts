import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { blocksOf, expectKnown } from './page-commands.ts';

const PAGES = [
  'README.md',
  'AGENTS.md',
  'llms.txt',
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
];
const page = readFileSync('docs/operations.md', 'utf8');

it('docs/operations.md says what to do at each exit code', () => {
  const codes = [...page.matchAll(/^\| (\d+) +\|/gm)].map(([, code]) => Number(code));
  expect(codes).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 129, 130, 143]);
});

it.each([
  ['docs/operations.md', 8],
  ['README.md', 10],
])('%s names commands and flags that are there', async (path, least) => {
  const lines = blocksOf(path)
    .flatMap(({ text }) => text.split('\n'))
    .flatMap((line) => /\banswerlake [^#]*/.exec(line.replace(/#.*/, '').replace(/.*&& /, ''))?.[0] ?? []);
  expect(lines.length).toBeGreaterThanOrEqual(least);
  for (const line of lines) await expectKnown(line.trim().split(/\s+/).slice(1));
});

/** The anchors that the headings of a page make. */
function anchorsOf(path: string): string[] {
  return [...readFileSync(path, 'utf8').matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(' ', '-')
      .replaceAll(/[^\w-]/g, ''),
  );
}

it.each(PAGES)('the links of %s lead somewhere', (path) => {
  const links = [...readFileSync(path, 'utf8').matchAll(/\]\((?!https?:)([^)\s]+)\)/g)];
  const broken = links.filter(([, link = '']) => {
    const [file = '', anchor] = link.split('#');
    const target = file === '' ? path : join(path, '..', file);
    return !existsSync(target) || (anchor !== undefined && !anchorsOf(target).includes(anchor));
  });
  expect(broken.map(([, link]) => link)).toEqual([]);
});
