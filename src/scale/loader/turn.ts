/** The one connection to the working file goes from hand to hand: who computes holds it, who waits for workers does not. */
export class Turn {
  #tail: Promise<void> = Promise.resolve();
  #release: (() => void) | null = null;

  async take(): Promise<void> {
    const before = this.#tail;
    let release = (): void => undefined;
    this.#tail = new Promise((resolve) => {
      release = resolve;
    });
    await before;
    this.#release = release;
  }

  give(): void {
    const release = this.#release;
    this.#release = null;
    release?.();
  }

  async during<T>(work: () => Promise<T>): Promise<T> {
    await this.take();
    try {
      return await work();
    } finally {
      this.give();
    }
  }
}
