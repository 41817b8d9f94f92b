const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const DURATION_PATTERN = /^(?:\d+(?:\.\d+)?(?:ms|s|m|h|d))+$/;
const PART_PATTERN = /(\d+(?:\.\d+)?)(ms|s|m|h|d)/g;

/** Milliseconds of `2h`, `90m`, `45s`, `1h30m` or `0`; undefined when it is not a duration. */
export function parseDuration(text: string): number | undefined {
  const compact = text.trim().toLowerCase().replaceAll(/\s+/g, '');
  if (compact === '0') return 0;
  if (!DURATION_PATTERN.test(compact)) return undefined;
  let totalMs = 0;
  for (const [, amount, unit] of compact.matchAll(PART_PATTERN)) {
    totalMs += Number(amount) * (UNIT_MS[unit ?? ''] ?? Number.NaN);
  }
  return Number.isSafeInteger(Math.round(totalMs)) ? Math.round(totalMs) : undefined;
}

/** A duration for people: `820 ms`, `12.4 s`, `3m 20s`, `2h 5m`. */
export function formatDuration(durationMs: number): string {
  if (durationMs < 1000) return `${Math.round(durationMs)} ms`;
  if (durationMs < 60_000) return `${(durationMs / 1000).toFixed(1)} s`;
  const seconds = Math.round(durationMs / 1000);
  if (seconds < 3600) return withRest(Math.floor(seconds / 60), 'm', `${seconds % 60}s`);
  const minutes = Math.round(seconds / 60);
  return withRest(Math.floor(minutes / 60), 'h', `${minutes % 60}m`);
}

function withRest(amount: number, unit: string, rest: string): string {
  return rest.startsWith('0') ? `${amount}${unit}` : `${amount}${unit} ${rest}`;
}
