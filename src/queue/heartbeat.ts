/** How soon it is noticed that a process and PostgreSQL do not hear each other. */
export interface Heartbeat {
  /** From one beat to the next. */
  beatMs: number;
  /** Without an answer for so long, a process stops by itself. */
  silentMs: number;
  /** Unheard for so long, a process is taken for dead: well after it has stopped by itself. */
  deadMs: number;
  /** Before a process that stopped by itself looks for PostgreSQL again. */
  awayMs: number;
}

export const HEARTBEAT: Heartbeat = { beatMs: 3_000, silentMs: 15_000, deadMs: 45_000, awayMs: 5_000 };
