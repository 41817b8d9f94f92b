import { Socket } from 'node:net';

/** A server that has gone silent answers no farewell either. */
const FAREWELL_MS = 1_000;

/** Sockets of connections, so that a silent server cannot keep them open, nor block a caller that waits for its answer. */
export class Sockets {
  readonly #open = new Set<Socket>();

  readonly make = (): Socket => {
    const socket = new Socket();
    this.#open.add(socket);
    socket.once('close', () => this.#open.delete(socket));
    return socket;
  };

  /** Whatever waits for an answer fails at once. */
  destroy(): void {
    for (const socket of this.#open) socket.destroy();
  }

  /** Gives a farewell some time, then closes. */
  async close(farewell: Promise<unknown>): Promise<void> {
    await briefly(farewell);
    this.destroy();
  }
}

/** Waits for a farewell, whatever comes of it, but not for long. */
export async function briefly(farewell: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const enough = new Promise((settle) => (timer = setTimeout(settle, FAREWELL_MS)));
  await Promise.race([farewell.catch(() => undefined), enough]);
  clearTimeout(timer);
}
