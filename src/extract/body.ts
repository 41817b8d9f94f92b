import { promisify } from 'node:util';
import { gunzip, gunzipSync } from 'node:zlib';
import { exhaustedError } from './fault.ts';
import { type Redact, redactValue } from '../log.ts';

/** No answer of this API nests deeper than eight. */
const DEEPEST = 100;
/** Entries of one list or object; the longest list of this API that may be asked for has 1,000. */
const MOST_ENTRIES = 200_000;
/** Entries of all lists and objects of one body together. */
const MOST_VALUES = 2_000_000;

const gunzipAsync = promisify(gunzip);
/** Packed bytes that are inflated at once: the way to another thread and back costs more than a body of that size. */
const MOST_AT_ONCE = 65_536;
const utf8 = new TextDecoder('utf-8', { fatal: true });

export type DecodedBody = { ok: true; body: unknown } | { ok: false; problem: string };

/** Bytes → text: inflates within `maxBytes`, strict UTF-8. */
export async function decodeText(options: {
  bytes: Buffer;
  encoding: string | null;
  maxBytes: number;
}): Promise<{ ok: true; text: string; length: number } | { ok: false; problem: string }> {
  const encoding = (options.encoding ?? 'identity').trim().toLowerCase();
  let { bytes } = options;
  if (encoding === 'gzip' || encoding === 'x-gzip') {
    try {
      const bounds = { maxOutputLength: options.maxBytes };
      bytes = bytes.length <= MOST_AT_ONCE ? gunzipSync(bytes, bounds) : await gunzipAsync(bytes, bounds);
    } catch (error) {
      const exhausted = exhaustedError(error);
      if (exhausted !== null) throw exhausted;
      const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
      return {
        ok: false,
        problem:
          code === 'ERR_BUFFER_TOO_LARGE'
            ? `a body of more than ${String(options.maxBytes)} bytes after decompression`
            : `a body that is not valid gzip (${code})`,
      };
    }
  } else if (encoding !== 'identity' && encoding !== '') {
    return { ok: false, problem: 'a content encoding that was not asked for' };
  }
  try {
    return { ok: true, text: utf8.decode(bytes), length: bytes.length };
  } catch {
    return { ok: false, problem: 'a body that is not valid UTF-8' };
  }
}

/** Text → JSON without secrets; the problem never quotes the text. */
export function parseJson(text: string, redact: Redact): DecodedBody {
  if (text.trim() === '') return { ok: false, problem: 'an empty body' };
  const problem = shapeProblem(text);
  if (problem !== null) return { ok: false, problem };
  try {
    const body: unknown = JSON.parse(text);
    return { ok: true, body: redact(text) === text ? body : redactValue(body, redact) };
  } catch {
    const looksLikeMarkup = text.trimStart().startsWith('<');
    return { ok: false, problem: looksLikeMarkup ? 'a page of HTML, not JSON' : 'broken or cut JSON' };
  }
}

/** Says what makes a text too much for everybody who walks through its values; a look at each character costs 2 ns. */
function shapeProblem(text: string): string | null {
  const entries = new Uint32Array(DEEPEST + 1);
  let depth = 0;
  let values = 0;
  for (let index = 0; index < text.length; index += 1) {
    switch (text.charCodeAt(index)) {
      case 0x22:
        index = endOfString(text, index);
        break;
      case 0x5b:
      case 0x7b:
        depth += 1;
        values += 1;
        if (depth > DEEPEST) return `JSON nested deeper than ${String(DEEPEST)} levels`;
        entries[depth] = 1;
        break;
      case 0x5d:
      case 0x7d:
        depth = Math.max(0, depth - 1);
        break;
      case 0x2c: {
        values += 1;
        const length = (entries[depth] ?? 0) + 1;
        entries[depth] = length;
        if (length > MOST_ENTRIES) return `a list of more than ${String(MOST_ENTRIES)} entries`;
        break;
      }
      default:
    }
    if (values > MOST_VALUES) return `more than ${String(MOST_VALUES)} values`;
  }
  return null;
}

/** Index of the quote that ends the string; the text's length when none does. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let before = end - 1;
    while (text.charCodeAt(before) === 0x5c) before -= 1;
    if ((end - before) % 2 === 1) return end;
  }
  return text.length;
}
