const SHARE_OF_FAST_SUITE = 0.05;

/** With the slow proofs; the fast suite tries less of the same. */
export const isThorough = process.env['ANSWERLAKE_THOROUGH'] === '1';

/** How often a property is tried: as often as named with the slow proofs, a twentieth of that in the fast suite. */
export function runs(thorough: number): { numRuns: number } {
  return { numRuns: isThorough ? thorough : Math.ceil(thorough * SHARE_OF_FAST_SUITE) };
}
