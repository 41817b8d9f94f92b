import { Agent, request } from 'undici';
import { AnswerlakeError } from '../errors.ts';
import { AttemptFailure } from './fault.ts';
import { faultOfNetworkError } from './network-fault.ts';
import type { AnswerHeaders } from './headers.ts';

const MAX_HEADER_BYTES = 32_768;
const CONNECT_TIMEOUT_MS = 10_000;
const KEEP_ALIVE_MS = 10_000;

export interface WireRequest {
  method: 'GET' | 'POST';
  /** Path and query. */
  target: string;
  headers: Readonly<Record<string, string>>;
  body: string | null;
  signal: AbortSignal | undefined;
}

export interface WireAnswer {
  status: number;
  headers: AnswerHeaders;
  /** As sent, still compressed; empty for a redirect. */
  bytes: Buffer;
}

/** One HTTP request to one origin: bounded in time and size, no repeats, no redirects. */
export interface Transport extends AsyncDisposable {
  /** @throws AttemptFailure, or the signal's reason */
  send(request: WireRequest): Promise<WireAnswer>;
}

export interface TransportOptions {
  origin: string;
  connections: number;
  /** Total deadline of one request. */
  timeoutMs: number;
  maxBodyBytes: number;
  clean: (text: string) => string;
}

/** @throws AnswerlakeError of class `configuration` when certificate checks are switched off */
export function openTransport(options: TransportOptions): Transport {
  if (process.env['NODE_TLS_REJECT_UNAUTHORIZED'] === '0') {
    throw new AnswerlakeError(
      'NODE_TLS_REJECT_UNAUTHORIZED=0 switches off certificate checks, so anybody could read the API key: unset it (for a private authority use NODE_EXTRA_CA_CERTS)',
      { class: 'configuration' },
    );
  }
  const { timeoutMs } = options;
  const dispatcher = new Agent({
    connections: options.connections,
    pipelining: 1,
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    connect: { timeout: Math.min(CONNECT_TIMEOUT_MS, timeoutMs), rejectUnauthorized: true },
  });
  return {
    send: async (wire) => {
      wire.signal?.throwIfAborted();
      const controller = new AbortController();
      const onAbort = (): void => controller.abort();
      // A drip of bytes never meets an idle timeout, so the clock runs over the whole request.
      const deadline = setTimeout(onAbort, timeoutMs);
      wire.signal?.addEventListener('abort', onAbort, { once: true });
      try {
        const { statusCode, headers, body } = await request(options.origin + wire.target, {
          dispatcher,
          method: wire.method,
          headers: wire.headers,
          body: wire.body,
          signal: controller.signal,
        });
        // undici reports a destroyed body as an error that nobody else listens to.
        body.on('error', () => {});
        if (statusCode >= 300 && statusCode < 400) {
          body.destroy();
          return { status: statusCode, headers, bytes: Buffer.alloc(0) };
        }
        return { status: statusCode, headers, bytes: await readBounded(body, options.maxBodyBytes) };
      } catch (error) {
        wire.signal?.throwIfAborted();
        if (error instanceof AttemptFailure) throw error;
        if (controller.signal.aborted) {
          throw new AttemptFailure({
            kind: 'timeout',
            message: `no complete answer within ${String(timeoutMs)} ms`,
          });
        }
        throw new AttemptFailure(faultOfNetworkError(error, options.clean));
      } finally {
        clearTimeout(deadline);
        wire.signal?.removeEventListener('abort', onAbort);
      }
    },
    [Symbol.asyncDispose]: () => dispatcher.destroy(),
  };
}

async function readBounded(body: AsyncIterable<Buffer>, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > maxBytes) {
      throw new AttemptFailure({
        kind: 'unreadable',
        message: `a body of more than ${String(maxBytes)} bytes`,
      });
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, length);
}
