import type { AnswerRequest } from './answer.ts';
import type { Answer } from './refusal.ts';

/** Which requests an override applies to: the end of the path, or a test of the whole request. */
export type OverrideTarget = string | ((request: AnswerRequest) => boolean);

/** Builds another answer from the request and the normal answer; undefined keeps the normal one. */
export type OverrideHandler = (request: AnswerRequest, usual: Answer) => Partial<Answer> | undefined;

export interface Overrides {
  /** The newest override of a target replaces older ones; `undefined` removes it. */
  set(target: OverrideTarget, answer: unknown): void;
  apply(request: AnswerRequest, usual: Answer): Answer;
}

export function createOverrides(): Overrides {
  const entries = new Map<OverrideTarget, unknown>();
  return {
    set(target, answer) {
      entries.delete(target);
      if (answer !== undefined) entries.set(target, answer);
    },
    apply(request, usual) {
      for (const [target, answer] of [...entries].toReversed()) {
        const isHit = typeof target === 'string' ? request.path.endsWith(target) : target(request);
        if (!isHit) continue;
        if (typeof answer !== 'function') return { ...usual, status: 200, body: answer };
        const changed = (answer as OverrideHandler)(request, usual);
        if (changed !== undefined) return { ...usual, ...changed };
      }
      return usual;
    },
  };
}
