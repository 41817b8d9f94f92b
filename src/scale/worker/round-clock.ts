import { hostname } from 'node:os';
import { AnswerlakeError } from '../../errors.ts';
import { correctionMs, LARGEST_SKEW_MS, skewText } from '../../plan/selection.ts';

/** The clock of this host is too far off to ask or land anything. */
export class WrongClockError extends AnswerlakeError {
  constructor(serverAheadMs: number) {
    super(`${skewText(serverAheadMs)}: set this machine's clock, then start the worker again`, {
      class: 'configuration',
    });
  }
}

/** Compares the clock of this host with the server's, by the first answer of a round that has a time. */
export class RoundClock {
  readonly #aheadOf: (account: string) => number | null;
  #serverAheadMs: number | null = null;

  /** @param aheadOf how far the server's clock is ahead, by the last answer to an account; null if no answer had a time */
  constructor(aheadOf: (account: string) => number | null) {
    this.#aheadOf = aheadOf;
  }

  /** @throws WrongClockError when the two clocks differ by more than 36 hours */
  heard(account: string): void {
    this.#serverAheadMs ??= this.#aheadOf(account);
    const aheadMs = this.#serverAheadMs;
    if (aheadMs !== null && Math.abs(aheadMs) > LARGEST_SKEW_MS) throw new WrongClockError(aheadMs);
  }

  /** Milliseconds to add to an instant of this host's clock; 0 while the two clocks agree. */
  get correctionMs(): number {
    return correctionMs(this.#serverAheadMs);
  }

  /** For the report of the run, where the clock was corrected. */
  warnings(): string[] {
    const aheadMs = this.#serverAheadMs;
    if (aheadMs === null || this.correctionMs === 0) return [];
    return [
      `worker on ${hostname()}: ${skewText(aheadMs)}: its answers are entered by the server's clock; set that machine's clock`,
    ];
  }
}
