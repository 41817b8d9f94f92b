import type { Secret } from './secret.ts';

/** Replaces every known secret in a text. */
export type Redact = (text: string) => string;

const SHORTEST_FORM = 4;
const SHOWN = '[secret]';

/** Knows the secrets as they are, URL-encoded, escaped for JSON, in hex and inside base64 of anything longer. */
export function createRedactor(secrets: readonly Secret[]): Redact {
  const forms = new Set(secrets.flatMap((secret) => secretForms(secret.reveal())));
  const longestFirst = [...forms].sort((a, b) => b.length - a.length);
  if (longestFirst.length === 0) return (text) => text;
  const expression = new RegExp(longestFirst.map(escapeExpression).join('|'), 'gi');
  return (text) => text.replace(expression, SHOWN);
}

/** The texts that give a secret away; upper and lower case are the same. Shorter texts are ordinary words. */
export function secretForms(text: string): string[] {
  return text.length < SHORTEST_FORM ? [] : formsOf(text).filter((form) => form.length >= SHORTEST_FORM);
}

function formsOf(text: string): string[] {
  const bytes = Buffer.from(text, 'utf8');
  const percented = [...bytes].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
  const base64 = [0, 1, 2].map((offset) => insideBase64(bytes, offset));
  const escaped = JSON.stringify(text).slice(1, -1);
  return [
    text,
    encodeURIComponent(text),
    encodeURI(text),
    percented,
    escaped,
    JSON.stringify(escaped).slice(1, -1),
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
