/** How soon it is noticed that a process and PostgreSQL do not hear each other. */
export interface Heartbeat {
  /** From one beat to the next. */
  beatMs: number;
  /** A process stops if PostgreSQL has not answered for this long. */
  silentMs: number;
  /** A process without a heartbeat for this long counts as dead: well after it has stopped. */
  deadMs: number;
  /** Pause before a process that stopped looks for PostgreSQL again. */
  awayMs: number;
}

export const HEARTBEAT: Heartbeat = { beatMs: 3_000, silentMs: 15_000, deadMs: 45_000, awayMs: 5_000 };
