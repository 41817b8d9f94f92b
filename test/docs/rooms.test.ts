import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const folders = (under: string): string[] =>
  readdirSync(under, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));

it('the page for contributors has a row for each room', () => {
  const rows = readFileSync('docs/contributing.md', 'utf8').matchAll(/^\| `src\/([a-z/]+)` +\|/gm);
  const rooms = [
    ...folders('src').filter((name) => name !== 'scale'),
    ...folders('src/scale').map((name) => `scale/${name}`),
  ];
  expect([...rows].map(([, room = '']) => room).toSorted()).toEqual(rooms.toSorted());
});
