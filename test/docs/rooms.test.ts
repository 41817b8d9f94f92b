import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { z } from 'zod';

const overrides = z
  .object({
    overrides: z.array(
      z.object({
        files: z.array(z.string()),
        rules: z.object({
          'no-restricted-imports': z
            .tuple([
              z.literal('error'),
              z.object({ patterns: z.array(z.object({ group: z.array(z.string()) })) }),
            ])
            .optional(),
        }),
      }),
    ),
  })
  .parse(JSON.parse(readFileSync('.oxlintrc.json', 'utf8'))).overrides;

const folders = (under: string): string[] =>
  readdirSync(under, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);

const rooms = [
  ...folders('src').filter((name) => name !== 'scale'),
  ...folders('src/scale').map((name) => `scale/${name}`),
];

/** Rooms by the rooms that they may import, as the page says. */
const table = new Map(
  [
    ...readFileSync('docs/contributing.md', 'utf8').matchAll(/^\| `src\/([a-z/]+)` +\|[^|]*\|([^|]*)\|$/gm),
  ].map(([, room = '', may = '']) => [
    room,
    [...may.matchAll(/`([a-z/]+)`/g)].map(([, name = '']) => name).toSorted(),
  ]),
);

/** What the linter lets a room import; undefined when it lets everything. */
function allowedBy(room: string): string[] | undefined {
  const groups = overrides
    .filter(({ files }) => files.includes(`src/${room}/**`))
    .flatMap(({ rules }) => rules['no-restricted-imports']?.[1].patterns ?? [])
    .map(({ group }) => group);
  if (groups.length === 0) return undefined;
  const names = groups
    .flat()
    .flatMap((pattern) => /^!.*?([{}a-z,]+)\/\*\*$/.exec(pattern)?.[1]?.match(/[a-z]+/g) ?? []);
  return rooms.filter((name) => names.includes(name.replace('scale/', ''))).toSorted();
}

it('the page for contributors has a row for each room', () => {
  expect([...table.keys()].toSorted()).toEqual(rooms.toSorted());
});

it.each([...table].filter(([room]) => room !== 'cli'))(
  'the linter lets %s import what the page says',
  (room, may) => {
    expect(allowedBy(room)).toEqual(may);
  },
);
