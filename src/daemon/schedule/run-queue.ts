/** Runs tasks one after the other: one process may hold the working file. */
export interface RunQueue {
  /** Resolves when the task has ended; rejects with what it threw. */
  add(task: () => Promise<void>): Promise<void>;
  /** Resolves when everything that was added has ended. */
  idle(): Promise<void>;
}

export function createRunQueue(): RunQueue {
  let tail: Promise<void> = Promise.resolve();
  return {
    add: (task) => {
      const turn = tail.then(task);
      tail = turn.catch(() => undefined);
      return turn;
    },
    idle: () => tail,
  };
}
