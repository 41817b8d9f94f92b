import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';

const gunzipAsync = promisify(gunzip);

export type DecodedBody = { ok: true; body: unknown } | { ok: false; problem: string };

/** Bytes → text: inflates within `maxBytes`, strict UTF-8. */
export async function decodeText(options: {
  bytes: Buffer;
  encoding: string | null;
  maxBytes: number;
}): Promise<{ ok: true; text: string } | { ok: false; problem: string }> {
  const encoding = (options.encoding ?? 'identity').trim().toLowerCase();
  let { bytes } = options;
  if (encoding === 'gzip' || encoding === 'x-gzip') {
    try {
      bytes = await gunzipAsync(bytes, { maxOutputLength: options.maxBytes });
    } catch (error) {
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
    return { ok: true, text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    return { ok: false, problem: 'a body that is not valid UTF-8' };
  }
}

/** Text → JSON; the problem never quotes the text. */
export function parseJson(text: string): DecodedBody {
  if (text.trim() === '') return { ok: false, problem: 'an empty body' };
  try {
    const body: unknown = JSON.parse(text);
    return { ok: true, body };
  } catch {
    const looksLikeMarkup = text.trimStart().startsWith('<');
    return { ok: false, problem: looksLikeMarkup ? 'a page of HTML, not JSON' : 'broken or cut JSON' };
  }
}
