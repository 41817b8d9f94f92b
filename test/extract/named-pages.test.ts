import { expect, it } from 'vitest';
import { z } from 'zod';
import type { Paging } from '../../src/endpoints/endpoint.ts';
import { readPages } from '../../src/extract/fetch-slice.ts';
import { server, SLICE } from './page-server.ts';
import { refusal } from './rig.ts';

const NAMED: Paging = {
  kind: 'named',
  parameter: 'domains',
  column: 'domain',
  names: (body) => z.array(z.string()).parse(body),
  wanted: { table: 'brands', column: 'domain', relations: ['SELF'] },
};
const LIST = ['A.example', 'b.example'];
const options = { paging: NAMED, limit: 2, slice: SLICE, wanted: ['a.example', 'c.example', 'd.example'] };
const asking = async (
  answer: (query: Record<string, string>) => unknown,
  changes: Partial<typeof options> = {},
) => {
  const { getPage, asked } = server(answer);
  const { pages } = await readPages(getPage, { ...options, ...changes });
  return { asked, bodies: pages.map(({ body }) => body) };
};

it('a list that is cut off has a second page with the names that matter and that it lacks', async () => {
  const { asked, bodies } = await asking(({ domains }) => (domains === undefined ? LIST : ['c.example']));
  expect(asked).toEqual([{}, { domains: 'c.example d.example' }]);
  expect(bodies).toEqual([LIST, ['c.example']]);
});

it.each([
  ['it is shorter than its limit', { limit: 3 }],
  ['it lacks none', { wanted: ['B.example'] }],
  ['none matters', { wanted: [] }],
])('a list is one request where %s', async (_, changes) => {
  expect((await asking(() => LIST, changes)).asked).toEqual([{}]);
});

it('a cut list stands when the server refuses to be asked by name, and fails when it cannot answer', async () => {
  const failing = (status: number) => (query: Record<string, string>) => {
    if (query['domains'] !== undefined) throw refusal(status);
    return LIST;
  };
  expect((await asking(failing(400))).bodies).toEqual([LIST]);
  await expect(asking(failing(500))).rejects.toThrow('answered 500');
});
