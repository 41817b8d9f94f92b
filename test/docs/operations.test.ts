import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { blocksOf } from './blocks.ts';
import { expectKnown } from './page-commands.ts';

const PAGES = [
  'README.md',
  'docs/operations.md',
  'docs/getting-started.md',
  'docs/deploy/README.md',
  'docs/contributing.md',
];
const page = readFileSync('docs/operations.md', 'utf8');

it('docs/operations.md says what to do at each exit code', () => {
  const codes = [...page.matchAll(/^\| (\d+) +\|/gm)].map(([, code]) => Number(code));
  expect(codes).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 129, 130, 143]);
});

it('docs/operations.md names commands and flags that are there', async () => {
  const lines = blocksOf('docs/operations.md').flatMap(({ text }) => text.trim().split('\n'));
  expect(lines.length).toBeGreaterThan(7);
  for (const line of lines) {
    const [program, ...words] = line.replace(/#.*/, '').trim().split(/\s+/);
    expect(program).toBe('answerlake');
    await expectKnown(words);
  }
});

it.each(PAGES)('the links of %s lead somewhere', (path) => {
  const text = readFileSync(path, 'utf8');
  const links = [...text.matchAll(/\]\((?!https?:)([^)]+)\)/g)].map(([, link = '']) => link);
  expect(links.length).toBeGreaterThan(0);
  const headings = [...text.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(' ', '-')
      .replaceAll(/[^\w-]/g, ''),
  );
  const isFound = (link: string): boolean =>
    link.startsWith('#') ? headings.includes(link.slice(1)) : existsSync(join(path, '..', link));
  expect(links.filter((link) => !isFound(link))).toEqual([]);
});
