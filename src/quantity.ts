const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const DURATION_PATTERN = /^(?:\d+(?:\.\d+)?(?:ms|s|m|h|d))+$/;
const PART_PATTERN = /(\d+(?:\.\d+)?)(ms|s|m|h|d)/g;

/** Milliseconds of `2h`, `90m`, `45s`, `1h30m` or `0`; undefined when it is not a duration. */
export function parseDuration(text: string): number | undefined {
  const compact = text.toLowerCase().replaceAll(/\s+/g, '');
  if (compact === '0') return 0;
  if (!DURATION_PATTERN.test(compact)) return undefined;
  const parts = [...compact.matchAll(PART_PATTERN)];
  const amounts = parts.map(([, amount, unit = '']) => Number(amount) * (UNIT_MS[unit] ?? Number.NaN));
  const totalMs = Math.round(amounts.reduce((sum, part) => sum + part, 0));
  return Number.isSafeInteger(totalMs) ? totalMs : undefined;
}

/** `2026-11-27 02:00 UTC`. */
export function minuteOf(instantMs: number): string {
  return `${new Date(instantMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
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

/** A whole number for people: `12,345`. The first number that `Intl` formats takes 20 ms. */
export function amount(value: number): string {
  return String(value).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
}

/** A number of things for people: `1 row`, `12,345 rows`. */
export function counted(count: number, noun: string): string {
  return `${amount(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** The first texts of a list, and how many more it has: `a, b and 3 more`. */
export function named(texts: readonly string[], most: number, between = ', '): string {
  const more = texts.length > most ? ` and ${amount(texts.length - most)} more` : '';
  return texts.slice(0, most).join(between) + more;
}

/** A size for people: `12 KiB`, `3.4 MiB`. */
export function formatBytes(bytes: number): string {
  const mebibytes = bytes / 1_048_576;
  if (mebibytes < 1) return `${Math.ceil(bytes / 1024)} KiB`;
  return mebibytes < 1024 ? `${mebibytes.toFixed(1)} MiB` : `${(mebibytes / 1024).toFixed(1)} GiB`;
}
