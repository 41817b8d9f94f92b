import type { Client, Connection, Submittable } from 'pg';
import { once } from 'node:events';
import type { Duplex } from 'node:stream';

/* Messages of the protocol: https://www.postgresql.org/docs/15/protocol-message-formats.html */
const COPY_DATA = 0x64;
const COPY_DONE = Buffer.from([0x63, 0, 0, 0, 4]);
const COPY_FAIL = Buffer.from([0x66, 0, 0, 0, 5, 0]);
const HEADER_BYTES = 5;

/** `copy … from stdin`, in the shape in which the client takes a statement of its own kind: it calls these methods by name. */
class CopyIn implements Submittable {
  /** Settled when the server waits for rows, or refuses. */
  readonly begun: Promise<Duplex>;
  /** Settled when the statement has ended. */
  readonly ended: Promise<void>;
  hasFailed = false;
  readonly #sql: string;
  #begin: (stream: Duplex) => void = () => undefined;
  #end: () => void = () => undefined;
  #fail: (error: Error) => void = () => undefined;

  constructor(sql: string) {
    this.#sql = sql;
    const failed = new Promise<never>((_, reject) => (this.#fail = reject));
    this.begun = Promise.race([failed, new Promise<Duplex>((resolve) => (this.#begin = resolve))]);
    this.ended = Promise.race([failed, new Promise<void>((resolve) => (this.#end = resolve))]);
    // Whoever waits hears of it; nobody may wait for one of them.
    this.begun.catch(() => undefined);
    this.ended.catch(() => undefined);
  }

  submit(connection: Connection): void {
    connection.query(this.#sql);
  }

  handleCopyInResponse(connection: Connection): void {
    this.#begin(connection.stream);
  }

  handleCommandComplete(): void {
    // The next message says that the server is ready.
  }

  handleReadyForQuery(): void {
    this.#end();
  }

  handleError(error: Error): void {
    this.hasFailed = true;
    this.#fail(error);
  }
}

/** Sends the texts as the rows of a `copy … from stdin`; no more of them are in memory than the connection takes. */
export async function copyIn(client: Client, sql: string, texts: AsyncIterable<string>): Promise<void> {
  const copy = new CopyIn(sql);
  client.query(copy);
  const stream = await copy.begun;
  try {
    for await (const text of texts) {
      if (copy.hasFailed) break;
      if (!stream.write(frame(text))) await Promise.race([once(stream, 'drain'), copy.ended]);
    }
  } catch (error) {
    if (!copy.hasFailed) stream.write(COPY_FAIL);
    await copy.ended.catch(() => undefined);
    throw error;
  }
  if (!copy.hasFailed) stream.write(COPY_DONE);
  await copy.ended;
}

function frame(text: string): Buffer {
  const bytes = Buffer.byteLength(text);
  const message = Buffer.allocUnsafe(HEADER_BYTES + bytes);
  message.writeUInt8(COPY_DATA, 0);
  message.writeInt32BE(bytes + 4, 1);
  message.write(text, HEADER_BYTES);
  return message;
}
