import pLimit from 'p-limit';

/** Organizations share the connection to the working file: one holds it while it computes, and releases it while it waits for workers. */
export class ConnectionLock {
  readonly #limit = pLimit(1);
  #release = (): void => undefined;

  acquire(): Promise<void> {
    return new Promise((acquired) => {
      const held = (): Promise<void> =>
        new Promise((release) => {
          this.#release = release;
          acquired();
        });
      void this.#limit(held);
    });
  }

  release(): void {
    this.#release();
  }

  async during<T>(work: () => Promise<T>): Promise<T> {
    await this.acquire();
    try {
      return await work();
    } finally {
      this.release();
    }
  }
}
