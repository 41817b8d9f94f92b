import { createHash } from 'node:crypto';

// File systems end a name at 255 bytes.
const MOST_BYTES = 200;
const KEPT_BYTES = 150;

/** `column=value` as the name of a folder: escaped, and shortened where a file system would refuse it. */
export function partFolder(column: string, value: string | null): string {
  if (value === null) return `${column}=__HIVE_DEFAULT_PARTITION__`;
  const escaped = encodeURIComponent(Buffer.from(value).toString()).replaceAll(
    /[!'()*]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  if (escaped.length <= MOST_BYTES) return `${column}=${escaped}`;
  const kept = escaped.slice(0, KEPT_BYTES).replace(/%.?$/, '');
  return `${column}=${kept}~${createHash('sha256').update(value).digest('hex').slice(0, 16)}`;
}
