import type { Secret } from './secret.ts';
import { mapValue } from './text.ts';

/** Replaces every known secret in a text. */
export type Redact = (text: string) => string;

const SHORTEST_SECRET = 4;
/** Shorter encodings of a short secret turn up in ordinary ids. */
const SHORTEST_ENCODING = 8;
/** JSON inside JSON inside JSON. */
const MAX_ESCAPINGS = 3;
const ESCAPE = /\\(?:u(00[2-7][\da-f])|(["\\/]))/gi;
const SHOWN = '[secret]';

/** Finds secrets in plain text, URL-encoded, escaped for JSON in any way, in hex and inside base64 of anything longer. */
export function createRedactor(secrets: readonly Secret[]): Redact {
  const forms = new Set(secrets.flatMap((secret) => secretForms(secret.reveal())));
  const longestFirst = [...forms].sort((a, b) => b.length - a.length);
  if (longestFirst.length === 0) return (text) => text;
  const expression = new RegExp(longestFirst.map(escapeExpression).join('|'), 'gi');
  return (text) => {
    let shown = text.replace(expression, SHOWN);
    let plain = shown;
    for (let level = 0; level < MAX_ESCAPINGS && plain.includes('\\'); level += 1) {
      plain = unescapeOnce(plain);
      const safe = plain.replace(expression, SHOWN);
      if (safe !== plain) shown = plain = safe;
    }
    return shown;
  };
}

/** Redacts every text inside a parsed value, the names of its fields too; a number that is a secret becomes text. */
export function redactValue(value: unknown, redact: Redact): unknown {
  return mapValue(value, { leaf: (leaf) => redactLeaf(leaf, redact), name: redact });
}

function redactLeaf(value: unknown, redact: Redact): unknown {
  if (typeof value === 'string') return redact(value);
  if (typeof value !== 'number' && typeof value !== 'boolean') return value;
  const text = redact(String(value));
  return text === String(value) ? value : text;
}

/** Takes one level of JSON escapes from the printable characters, which are all that a key is made of. */
function unescapeOnce(text: string): string {
  return text.replace(ESCAPE, (_escape, hex: string | undefined, character: string | undefined) =>
    hex === undefined ? (character ?? '') : String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

/** The texts that give a secret away; upper and lower case are the same. Shorter secrets are ordinary words. */
export function secretForms(text: string): string[] {
  if (text.length < SHORTEST_SECRET) return [];
  return formsOf(text).filter((form) => form === text || form.length >= SHORTEST_ENCODING);
}

function formsOf(text: string): string[] {
  const bytes = Buffer.from(text, 'utf8');
  const percented = [...bytes].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
  const base64 = [0, 1, 2].map((offset) => insideBase64(bytes, offset));
  return [
    text,
    encodeURIComponent(text),
    encodeURI(text),
    percented,
    bytes.toString('hex'),
    ...base64,
    ...base64.map((form) => form.replaceAll('+', '-').replaceAll('/', '_')),
  ];
}

/** The characters that depend on `bytes` alone when `offset` other bytes come before (modulo 3). */
function insideBase64(bytes: Buffer, offset: number): string {
  const whole = Buffer.concat([Buffer.alloc(offset), bytes]);
  const first = Math.ceil((offset * 8) / 6);
  const end = Math.floor((whole.length * 8) / 6);
  return whole.toString('base64').slice(first, end);
}

function escapeExpression(text: string): string {
  return text.replaceAll(/[$()*+.?[\\\]^{|}/-]/g, String.raw`\$&`);
}
