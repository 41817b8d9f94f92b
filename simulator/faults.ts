import { unit } from './random.ts';
import type { RequestRecord } from './request-record.ts';

/** One kind of wrong answer. */
export type Fault =
  | { kind: 'reset' }
  | { kind: 'reset-after-headers' }
  /** Half of the body, with the full content-length or without any. */
  | { kind: 'cut' }
  | { kind: 'cut-chunked' }
  /** One byte every `intervalMs`. */
  | { kind: 'drip'; intervalMs?: number }
  /** No answer until the simulator closes. */
  | { kind: 'hang' }
  | { kind: 'html' }
  | { kind: 'broken-json' }
  | { kind: 'bad-utf8' }
  /** Small on the wire, this many bytes after decompression; default 256 MiB. */
  | { kind: 'gzip-bomb'; inflatedBytes?: number }
  /** A response header of 64 KiB. */
  | { kind: 'huge-header' }
  | { kind: 'redirect'; location?: string }
  | { kind: 'empty' }
  | { kind: 'quota'; retryAfter?: number }
  | { kind: 'rate-limit'; retryAfter?: number }
  /** An error status with a body of the usual shape; `retryAfter` in seconds. */
  | { kind: 'status'; status: number; retryAfter?: number };

/** Decides which requests fail; undefined answers the request correctly. */
export type FaultRule = (request: RequestRecord, ordinal: number) => Fault | undefined;

const SIMPLE_KINDS = [
  'reset',
  'reset-after-headers',
  'cut',
  'cut-chunked',
  'drip',
  'hang',
  'html',
  'broken-json',
  'bad-utf8',
  'gzip-bomb',
  'huge-header',
  'redirect',
  'empty',
  'quota',
  'rate-limit',
] as const satisfies readonly Fault['kind'][];

function faultNamed(name: string): Fault | undefined {
  const kind = SIMPLE_KINDS.find((one) => one === name);
  if (kind !== undefined) return { kind };
  return /^[3-5]\d\d$/.test(name) ? { kind: 'status', status: Number(name) } : undefined;
}

/**
 * Reads `500:0.05,reset:0.02,hang:0.01`: a status or the name of a fault, and its share of all requests.
 * The same seed and order of requests give the same faults.
 * @throws RangeError when a name or share is wrong
 */
export function parseFaults(text: string, seed = 1): FaultRule {
  const rules = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => {
      const [name = '', shareText = '', ...rest] = part.split(':');
      const fault = faultNamed(name);
      const share = /^\d*\.?\d+$/.test(shareText) ? Number(shareText) : Number.NaN;
      if (fault === undefined || rest.length > 0 || !(share >= 0 && share <= 1)) {
        const known = `a status from 300 to 599, ${SIMPLE_KINDS.join(', ')}`;
        throw new RangeError(`not a fault: ${JSON.stringify(part)}; write NAME:SHARE with one of ${known}`);
      }
      return { fault, share };
    });
  const total = rules.reduce((sum, { share }) => sum + share, 0);
  if (total > 1.000_001)
    throw new RangeError(`the shares of faults add up to ${total}, which is more than 1: lower them`);
  return (_request, ordinal) => {
    let draw = unit(seed, ordinal);
    for (const { fault, share } of rules) {
      if (draw < share) return fault;
      draw -= share;
    }
    return undefined;
  };
}
