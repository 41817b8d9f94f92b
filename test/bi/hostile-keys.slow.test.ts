import { afterAll, expect, it } from 'vitest';
import { openRig } from '../flow/rig.ts';
import { VIEW_KEYS } from '../../src/guide/view-keys.ts';

const hostile = await openRig({ world: 'hostile', today: '2026-07-14', startDate: '2026-06-28' });
await hostile.sync();
afterAll(() => hostile[Symbol.asyncDispose]());

it.each(Object.entries(VIEW_KEYS))('the view %s has no key twice in the hostile world', async (view, key) => {
  const twice =
    key.length === 0
      ? `select count(*) from main.${view} having count(*) <> 1`
      : `select ${key.join(', ')} from main.${view} group by all having count(*) > 1`;
  expect(await hostile.rows(twice)).toEqual([]);
});
