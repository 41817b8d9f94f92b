import type { Cost } from './measure.ts';

/** One line of the table. */
export interface Figure {
  what: string;
  value: string;
  goal: string;
}

export const seconds = (value: number): string => `${value.toFixed(2)} s`;
export const times = (value: number): string => `${value.toFixed(2)} ×`;
export const mebibytes = (value: number): string => `${value.toFixed(0)} MiB`;

export const figure = (what: string, value: string, goal = ''): Figure => ({ what, value, goal });
/** Seconds on the clock and of the processor. */
export const bothTimes = ({ seconds: clock, cpuSeconds }: Pick<Cost, 'seconds' | 'cpuSeconds'>): string =>
  `${seconds(clock)} (${seconds(cpuSeconds)} of processor time)`;
