/** A number for people: `12,345`. */
export function amount(value: number): string {
  return value.toLocaleString('en-US');
}
