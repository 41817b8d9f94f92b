import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { createRedactor, secretForms } from '../../src/redact.ts';
import { secretOf } from '../../src/secret.ts';
import { everythingOf, KEY, serve } from './rig.ts';
import { runs } from '../support/runs.ts';
import { bytes, json, type Reply } from '../support/scripted-server.ts';

it.each(['sk-4711', 'sk-"\\/4711', '47114711'])(
  'a body with the key %j in escapes, names or numbers comes without it',
  async (key) => {
    const escaped = key.replaceAll(/./g, (char) => `\\u00${char.charCodeAt(0).toString(16)}`);
    const quoted = JSON.stringify(key).slice(1, -1).replaceAll('/', '\\/');
    const inside = JSON.stringify({ inside: JSON.stringify({ [key]: 1 }) }).replace(key, escaped);
    const number = /^\d+$/.test(key) ? `,"number":${key}` : '';
    const body = `{"a":"x ${escaped} y","b":["${quoted}"],"${escaped}":1,"__proto__":"${escaped}","c":${inside}${number}}`;
    await using rig = await serve(() => bytes(body), { key });
    const answer = await rig.get();
    const told = JSON.stringify(answer.body);
    for (const form of [key, JSON.stringify(key).slice(1, -1), escaped]) expect(told).not.toContain(form);
    expect(answer.body).toMatchObject({ a: 'x [secret] y', b: ['[secret]'], '[secret]': 1 });
    expect(Object.getOwnPropertyDescriptor(answer.body, '__proto__')?.value).toBe('[secret]');
  },
);

it('a body with escapes of its own is not changed', async () => {
  const body = { text: 'a "quoted" \\ path / \u00fc \u2028', list: [{ 'name "x"': null }, 1.5, true] };
  await using rig = await serve(() => json(body));
  expect(await rig.get()).toMatchObject({ body });
});

it('an error tells the details of the server, without the key and on one line', async () => {
  const details = [{ field: 'startDate', issue: `not a day\n\u001b[31m ${KEY}` }, 'x'.repeat(2_000)];
  await using rig = await serve(() => json({ code: 'BAD', message: 'no', statusCode: 400, details }, 400));
  const error = String(await rig.failure());
  expect(error).toContain('BAD: no (details: [{"field":"startDate","issue":"not a day');
  expect(error).toContain('[secret]');
  expect(error).not.toMatch(/\p{Cc}/u);
  expect(error.length).toBeLessThan(500);
});

it('errors of every status hold no form of a key that the server throws back', async () => {
  const forms = secretForms(KEY);
  const message = forms.join(' ');
  const location = `http://${Buffer.from(KEY).toString('base64url')}.example/${encodeURIComponent(KEY)}`;
  const statuses = [400, 401, 403, 404, 500, 302];
  await using rig = await serve((n) =>
    json({ code: forms[n % forms.length], message, error: message }, statuses[n % 6], { location }),
  );
  for (let n = 0; n < 6; n += 1) {
    const told = (everythingOf(await rig.failure()) + JSON.stringify(rig.events)).toLowerCase();
    for (const form of forms) expect(told).not.toContain(form.toLowerCase());
  }
});

it.each<[string, (isOld: boolean) => Reply]>([
  ['answers 401', (isOld) => json(isOld ? { error: 'Unauthorized' } : { ok: 1 }, isOld ? 401 : 200)],
  ['is forbidden', (isOld) => json(isOld ? { error: 'Forbidden' } : { ok: 1 }, isOld ? 403 : 200)],
])(
  'a key that %s is read again from its file, and each request under way is sent once more',
  async (_, reply) => {
    const key = secretOf('file:key', 'old-key-1', () => 'new-key-2');
    await using rig = await serve((_n, { headers }) => reply(headers['x-api-key'] === 'old-key-1'), { key });
    const answers = await Promise.all([rig.get(), rig.get(), rig.get()]);
    expect(answers.map(({ body }) => body)).toEqual([{ ok: 1 }, { ok: 1 }, { ok: 1 }]);
    expect(rig.server.seen.map(({ headers }) => String(headers['x-api-key'])).sort()).toEqual([
      ...Array.from({ length: 3 }, () => 'new-key-2'),
      ...Array.from({ length: 3 }, () => 'old-key-1'),
    ]);
  },
);

it('a key whose file holds the same text is refused after one request', async () => {
  await using rig = await serve(() => json({ error: 'Unauthorized' }, 401), {
    key: secretOf('file:key', 'old'),
  });
  expect(await rig.failure()).toMatchObject({ status: 401, class: 'auth', requests: 1 });
  expect(rig.server.seen).toHaveLength(1);
});

it('secrets are found inside any base64 text that holds them', () => {
  const text = fc.string({ unit: 'grapheme', minLength: 0, maxLength: 20 });
  const secret = fc.string({ unit: 'grapheme-ascii', minLength: 8, maxLength: 60 });
  fc.assert(
    fc.property(text, secret, text, (before, hidden, after) => {
      const redact = createRedactor([secretOf('env:KEY', hidden)]);
      for (const encoding of ['base64', 'base64url'] as const) {
        const told = Buffer.from(before + hidden + after).toString(encoding);
        expect(redact(told)).toContain('[secret]');
      }
      for (const told of [hidden, encodeURIComponent(hidden), JSON.stringify({ hidden })]) {
        expect(redact(told)).toContain('[secret]');
      }
    }),
    runs(2000),
  );
});
