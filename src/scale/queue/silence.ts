import type { Effects } from '../../effects.ts';

/** Watches how long nothing was heard. */
export interface Silence {
  /** Call it with a question; what it returns, with the answer: the silence starts again at the question. */
  asking(): () => void;
  end(): void;
}

/** Calls `onSilent` once, when no question of the last `silentMs` has been answered. */
export function watchSilence(effects: Effects, silentMs: number, onSilent: () => void): Silence {
  let watch = new AbortController();
  const begin = (alreadyMs: number): void => {
    watch.abort();
    const { signal } = (watch = new AbortController());
    effects.sleep(Math.max(0, silentMs - alreadyMs), signal).then(onSilent, () => undefined);
  };
  begin(0);
  return {
    asking: () => {
      const askedAt = effects.now();
      return () => {
        // A clock that was set back would make the silence longer.
        if (!watch.signal.aborted) begin(Math.max(0, effects.now() - askedAt));
      };
    },
    end: () => watch.abort(),
  };
}
