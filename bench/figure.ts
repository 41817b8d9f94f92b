/** One line of the table. */
export interface Figure {
  what: string;
  value: string;
  goal: string;
}

export const seconds = (value: number): string => `${value.toFixed(2)} s`;
export const times = (value: number): string => `${value.toFixed(2)} ×`;
export const mebibytes = (value: number): string => `${value.toFixed(0)} MiB`;
