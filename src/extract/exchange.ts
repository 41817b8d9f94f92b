import type { Dispatcher } from 'undici';
import type { AnswerHeaders } from './headers.ts';

export interface WireAnswer {
  status: number;
  headers: AnswerHeaders;
  /** As sent, still compressed; empty for a redirect. */
  bytes: Buffer;
}

/** Takes one answer from the HTTP client as it comes: a stream for each answer, as `request` makes, costs half as much again. */
export class Exchange implements Dispatcher.DispatchHandler {
  /** Null when the body has more bytes than it may have. */
  readonly answer: Promise<WireAnswer | null>;
  readonly #maxBytes: number;
  #settle: { resolve: (answer: WireAnswer | null) => void; reject: (error: unknown) => void };
  #controller: Dispatcher.DispatchController | null = null;
  #isOver = false;
  #status = 0;
  #headers: AnswerHeaders = {};
  #chunks: Buffer[] = [];
  #length = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
    this.#settle = { resolve: () => undefined, reject: () => undefined };
    this.answer = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
    });
  }

  /** Ends the exchange, at whatever point it is. */
  abort(): void {
    const reason = new Error('aborted');
    this.#settle.reject(reason);
    this.#leave(reason);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#isOver) controller.abort(new Error('aborted'));
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: AnswerHeaders): void {
    // An informational answer comes before the real one.
    if (status < 200) return;
    this.#status = status;
    this.#headers = headers;
    if (status >= 300 && status < 400) this.#finish(Buffer.alloc(0));
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#isOver) return;
    this.#length += chunk.length;
    this.#chunks.push(chunk);
    if (this.#length <= this.#maxBytes) return;
    this.#settle.resolve(null);
    this.#leave(new Error('too many bytes'));
  }

  onResponseEnd(): void {
    const [first] = this.#chunks;
    const isWhole = this.#chunks.length === 1 && first !== undefined;
    this.#settle.resolve(this.#answerOf(isWhole ? first : Buffer.concat(this.#chunks, this.#length)));
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#settle.reject(error);
  }

  #finish(bytes: Buffer): void {
    this.#settle.resolve(this.#answerOf(bytes));
    this.#leave(new Error('the body is not wanted'));
  }

  #answerOf(bytes: Buffer): WireAnswer {
    return { status: this.#status, headers: this.#headers, bytes };
  }

  /** Closes the connection, because nobody reads what is still to come. */
  #leave(reason: Error): void {
    this.#isOver = true;
    this.#chunks = [];
    this.#controller?.abort(reason);
  }
}
