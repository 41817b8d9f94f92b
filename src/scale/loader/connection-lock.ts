/** Organizations share the connection to the working file: one holds it while it computes, and releases it while it waits for workers. */
export class ConnectionLock {
  #tail: Promise<void> = Promise.resolve();
  #release: (() => void) | null = null;

  async acquire(): Promise<void> {
    const before = this.#tail;
    let release = (): void => undefined;
    this.#tail = new Promise((resolve) => {
      release = resolve;
    });
    await before;
    this.#release = release;
  }

  release(): void {
    const release = this.#release;
    this.#release = null;
    release?.();
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
