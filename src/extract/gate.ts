const SUCCESSES_TO_GROW = 10;

/** A place at the gate, for one call or for several in a row. */
export interface Place {
  /** Resolves when one more attempt may be made; gives way to others while the gate is narrower than its guests. */
  ready(): Promise<void>;
  /** The request is over: others use the place until the next attempt, for which `ready` takes one again, before newcomers. */
  release(): void;
  /** Waits for something without holding the place, which others use in the meantime; then goes before newcomers. */
  aside<T>(waiting: Promise<T>): Promise<T>;
  succeeded(): void;
  /** After 429, 503 or a timeout. Attempts that were under way together halve the gate once. */
  overloaded(): void;
}

/** The one bound on an account's concurrency: halves when the server is overloaded, grows back one by one. */
export interface Gate {
  readonly concurrency: number;
  /** Holds a place while `work` runs; places are given in the order of asking. */
  hold<T>(work: (place: Place) => Promise<T>): Promise<T>;
}

/** @param most places at the same time while the server bears it */
export function openGate(most: number): Gate {
  let concurrency = most;
  let held = 0;
  let attempts = 0;
  let attemptsWhenHalved = 0;
  let successes = 0;
  const newcomers: (() => void)[] = [];
  // Who was inside before goes first: the order of the plan stays.
  const returning: (() => void)[] = [];

  const letIn = (): void => {
    while (held < concurrency) {
      const enter = returning.shift() ?? newcomers.shift();
      if (enter === undefined) return;
      held += 1;
      enter();
    }
  };
  const standIn = (line: (() => void)[]): Promise<void> =>
    new Promise((resolve) => {
      line.push(resolve);
      letIn();
    });
  const leave = (): void => {
    held -= 1;
    letIn();
  };
  const openPlace = (): Place => {
    let attempt = 0;
    let isHeld = true;
    const release = (): void => {
      if (!isHeld) return;
      isHeld = false;
      leave();
    };
    const comeBack = async (): Promise<void> => {
      if (isHeld) return;
      await standIn(returning);
      isHeld = true;
    };
    return {
      ready: async () => {
        if (held > concurrency) release();
        await comeBack();
        attempt = ++attempts;
      },
      release,
      aside: async (waiting) => {
        const wasHeld = isHeld;
        release();
        try {
          return await waiting;
        } finally {
          if (wasHeld) await comeBack();
        }
      },
      succeeded: () => {
        successes += 1;
        if (successes < SUCCESSES_TO_GROW || concurrency >= most) return;
        concurrency += 1;
        successes = 0;
        letIn();
      },
      overloaded: () => {
        successes = 0;
        if (attempt <= attemptsWhenHalved) return;
        concurrency = Math.max(1, Math.floor(concurrency / 2));
        attemptsWhenHalved = attempts;
      },
    };
  };
  return {
    get concurrency() {
      return concurrency;
    },
    hold: async (work) => {
      await standIn(newcomers);
      const place = openPlace();
      try {
        return await work(place);
      } finally {
        place.release();
      }
    },
  };
}
