import pLimit from 'p-limit';

const SUCCESSES_TO_GROW = 10;

/** What an attempt tells the gate about how the server bears the load. */
export interface GateTicket {
  succeeded(): void;
  /** After 429, 503 or a timeout. Attempts that were under way together halve the gate once. */
  overloaded(): void;
}

/** Concurrency of one account: halves when the server is overloaded, grows back one by one. */
export interface Gate {
  readonly concurrency: number;
  /** Holds a place for a whole call with its repeats, in the order of asking. */
  admit<T>(call: () => Promise<T>): Promise<T>;
  /** Runs one attempt when the present concurrency allows it. */
  run<T>(attempt: (ticket: GateTicket) => Promise<T>): Promise<T>;
}

export function openGate(concurrency: number): Gate {
  const calls = pLimit(concurrency);
  const attempts = pLimit(concurrency);
  let started = 0;
  let startedWhenHalved = 0;
  let successes = 0;
  const openTicket = (): GateTicket => {
    const number = ++started;
    return {
      succeeded: () => {
        successes += 1;
        if (successes < SUCCESSES_TO_GROW || attempts.concurrency >= concurrency) return;
        attempts.concurrency += 1;
        successes = 0;
      },
      overloaded: () => {
        successes = 0;
        if (number <= startedWhenHalved) return;
        attempts.concurrency = Math.max(1, Math.floor(attempts.concurrency / 2));
        startedWhenHalved = started;
      },
    };
  };
  return {
    get concurrency() {
      return attempts.concurrency;
    },
    admit: (call) => calls(call),
    run: (attempt) => attempts(() => attempt(openTicket())),
  };
}
