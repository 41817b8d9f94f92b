import { expect, it } from 'vitest';
import { openRig, ASK } from './rig.ts';
import { bytes, openScriptedServer } from '../support/scripted-server.ts';

const DEEP = `${'['.repeat(101)}${']'.repeat(101)}`;
const NESTED = 'nested deeper than 100 levels';

/** The body that the client returns, or why it refuses the text. */
async function read(text: string): Promise<{ body: unknown } | { problem: string }> {
  await using server = await openScriptedServer(() => bytes(text));
  await using rig = openRig(server.origin, { api: { attempts: 1, maxBodyBytes: 20_000_000 } });
  return await rig.client.get(ASK).then(
    ({ body }) => ({ body }),
    (error: unknown) => ({ problem: String(error) }),
  );
}

it.each([
  ['inside a string', `["${DEEP}"]`],
  ['after an escaped quote in a string', `["a\\"${DEEP}"]`],
  ['after two escaped quotes in a string', `["a\\"b\\"${DEEP}"]`],
  ['after an escaped backslash and an escaped quote in a string', `["a\\\\\\"${DEEP}"]`],
])('brackets %s are text', async (_, text) => {
  expect(await read(text)).toEqual({ body: JSON.parse(text) });
});

it.each([
  ['after a string', `["a",${DEEP}]`],
  ['after an empty string', `["",${DEEP}]`],
  ['after a string that ends with an escaped backslash', `["a\\\\",${DEEP},"b"]`],
  ['after a string that ends with two escaped backslashes', `["a\\\\\\\\",${DEEP},"b"]`],
  ['after a string that ends with an escaped quote', `["a\\"",${DEEP},"b"]`],
])('lists nested too deeply %s are refused', async (_, text) => {
  expect(await read(text)).toEqual({ problem: expect.stringContaining(NESTED) });
});

it('lists and objects may be nested 100 levels deep, side by side any number of times', async () => {
  const deep = `${'[{"a":'.repeat(50)}1${'}]'.repeat(50)}`;
  expect(await read(deep)).toEqual({ body: JSON.parse(deep) });
  const list = `[${'[],'.repeat(150)}[]]`;
  expect(await read(list)).toEqual({ body: JSON.parse(list) });
  expect(await read(`[${deep}]`)).toEqual({ problem: expect.stringContaining(NESTED) });
});

it('a list may have 200,000 entries; commas in strings and in other lists are not counted', async () => {
  const most = `["${','.repeat(300_000)}",[1,2],[3,4]${',1'.repeat(199_997)}]`;
  expect(await read(most)).toEqual({ body: JSON.parse(most) });
  expect(await read(`[1${',1'.repeat(200_000)}]`)).toEqual({
    problem: expect.stringContaining('a list of more than 200000 entries'),
  });
});

it('a body may have two million values in all', async () => {
  const list = (length: number): string => `[1${',1'.repeat(length - 1)}]`;
  const lists = (last: number): string => `[${`${list(100_000)},`.repeat(19)}${list(last)}]`;
  // The twenty lists are values too.
  expect(await read(lists(99_980))).toHaveProperty('body');
  expect(await read(lists(99_981))).toEqual({ problem: expect.stringContaining('more than 2000000 values') });
});

it.each(['{"a":"open', '"open\\"', '["a\\\\\\"]'])(
  'the text %j, whose string has no end, is broken JSON',
  async (text) => {
    expect(await read(text)).toEqual({ problem: expect.stringContaining('broken or cut JSON') });
  },
);
