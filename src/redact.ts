import { unescape } from 'node:querystring';
import type { Secret } from './secret.ts';

/** Replaces every known secret in a text. */
export type Redact = (text: string) => string;

const SHORTEST_SECRET = 4;
/** Shorter encodings of a short secret occur in ordinary ids. */
const SHORTEST_ENCODING = 8;
/** JSON inside JSON inside JSON. */
const MAX_ESCAPINGS = 3;
const ESCAPE = /\\(?:u(00[2-7][\da-f])|(["\\/]))/gi;
const SHOWN = '[secret]';

/** Finds secrets in plain text, URL-encoded, JSON-escaped in any form, in hex and inside longer base64, in every text that they have had so far. */
export function createRedactor(secrets: readonly Secret[]): Redact {
  let known = 0;
  let expression: RegExp | null = null;
  return (text) => {
    const texts = secrets.flatMap((secret) => secret.texts());
    if (texts.length !== known) {
      known = texts.length;
      expression = anyOf(texts.flatMap(secretForms));
    }
    if (expression === null) return text;
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

function anyOf(forms: readonly string[]): RegExp | null {
  const longestFirst = [...new Set(forms)].sort((a, b) => b.length - a.length);
  return longestFirst.length === 0 ? null : new RegExp(longestFirst.map(escapeExpression).join('|'), 'gi');
}

const IP_ADDRESS =
  /(?<![\w.:])(?:\d{1,3}(?:\.\d{1,3}){3}|[\da-f]{0,4}(?::[\da-f]{0,4}){2,7})(?::\d+)?(?![\w.:])/gi;

/** Removes a secret address from messages about its connection: the whole, its parts except the name of the database, and the IP addresses of its host. */
export function createAddressRedactor(address: Secret): Redact {
  const redact = createRedactor([address]);
  const parts = address.texts().flatMap(partsOf).map(escapeExpression);
  const expression = new RegExp(`(?<![\\w-])(?:${parts.join('|')})(?![\\w-])`, 'gi');
  return (text) => {
    const safe = redact(text);
    return (parts.length === 0 ? safe : safe.replace(expression, SHOWN)).replace(IP_ADDRESS, SHOWN);
  };
}

/** Query parameters through which libpq takes parts that usually precede the question mark. */
const PART_PARAMETERS = ['user', 'password', 'host', 'hostaddr', 'dbname'];
/** Anything else may be the rest of a password with unescaped `/`, `?` or `#`. */
const PLAIN_NAME = /^[\w-]+$/;

function partsOf(address: string): string[] {
  if (!URL.canParse(address)) return [];
  const { username, password, host, hostname, pathname, searchParams } = new URL(address);
  const named = PART_PARAMETERS.flatMap((name) => searchParams.getAll(name));
  const all = [username, password, host, hostname, pathname.slice(1), ...named].flatMap((part) => [
    part,
    unescape(part),
  ]);
  // A person may have to create the database.
  const [database] = [...searchParams.getAll('dbname'), pathname.slice(1)];
  const passwords = [password, unescape(password), ...searchParams.getAll('password')];
  const isShown = PLAIN_NAME.test(database) && !passwords.includes(database);
  const hidden = new Set(all.filter((part) => part !== '' && !(isShown && part === database)));
  return [...hidden].sort((a, b) => b.length - a.length);
}

/** Redacts every text inside a parsed value, field names included; a number that equals a secret becomes text. */
export function redactValue(value: unknown, redact: Redact): unknown {
  return mapValue(value, { leaf: (leaf) => redactLeaf(leaf, redact), name: redact });
}

function redactLeaf(value: unknown, redact: Redact): unknown {
  if (typeof value === 'string') return redact(value);
  if (typeof value !== 'number' && typeof value !== 'boolean') return value;
  const text = redact(String(value));
  return text === String(value) ? value : text;
}

/** Removes one level of JSON escapes from printable characters, the only ones in a key. */
function unescapeOnce(text: string): string {
  return text.replace(ESCAPE, (_escape, hex: string | undefined, character: string | undefined) =>
    hex === undefined ? (character ?? '') : String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

/** The texts that reveal a secret, in either case. Shorter secrets are ordinary words. */
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

/** Levels of a body that are kept if its nesting exceeds the stack; no field of the API is nested like that. */
const MAX_LEVELS = 200;

/** A copy of a parsed value with replaced leaves and names; deeper levels are left out. */
export function mapValue(
  value: unknown,
  map: { leaf: (leaf: unknown) => unknown; name: (name: string) => string },
  levels = MAX_LEVELS,
): unknown {
  if (typeof value !== 'object' || value === null) return map.leaf(value);
  if (levels === 0) return null;
  if (Array.isArray(value)) return value.map((entry) => mapValue(entry, map, levels - 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, entry]) => [map.name(name), mapValue(entry, map, levels - 1)]),
  );
}

/** A parsed value as JSON: `JSON.parse` reads nesting that overflows the stack of `JSON.stringify`. */
export function jsonOf(value: unknown, replacer?: (name: string, value: unknown) => unknown): string {
  try {
    return JSON.stringify(value, replacer) ?? 'null';
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const kept = mapValue(value, { leaf: (leaf) => leaf, name: (name) => name });
    return JSON.stringify(kept, replacer) ?? 'null';
  }
}
