import { relative } from 'node:path';

// What moves a terminal, and the marks that turn the text around them.
const CONTROL = /(?![\n\t])[\p{Cc}\u202A-\u202E\u2066-\u2069]/gu;

/** Text that a terminal only shows: control characters as JSON writes them (`\u001b`), line breaks and tabs unchanged. */
export function visibleText(text: string): string {
  return text.replaceAll(
    CONTROL,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** A text on one line: a name may have line breaks. */
export function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ');
}

/** `did you mean …?` with the nearest candidate, or the list of what there is. */
export function suggestion(word: string, candidates: readonly string[]): string {
  const wanted = normal(word);
  const [nearest] = candidates
    .map((candidate) => ({ candidate, distance: editDistance(wanted, normal(candidate)) }))
    .toSorted((a, b) => a.distance - b.distance);
  return nearest !== undefined && nearest.distance <= Math.max(2, Math.floor(wanted.length / 3))
    ? `did you mean ${nearest.candidate}?`
    : `there is: ${candidates.join(', ')}`;
}

function normal(word: string): string {
  return word.toLowerCase().replaceAll(/[-_\s.]/g, '');
}

/** Levenshtein distance. */
function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const current = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      current.push(Math.min(at(previous, j) + 1, at(current, j - 1) + 1, at(previous, j - 1) + cost));
    }
    previous = current;
  }
  return at(previous, b.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY;
}

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const DURATION_PATTERN = /^(?:\d+(?:\.\d+)?(?:ms|s|m|h|d))+$/;
const PART_PATTERN = /(\d+(?:\.\d+)?)(ms|s|m|h|d)/g;

/** Milliseconds of `2h`, `90m`, `45s`, `1h30m` or `0`; undefined when it is not a duration. */
export function parseDuration(text: string): number | undefined {
  const compact = text.toLowerCase().replaceAll(/\s+/g, '');
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

/** A whole number for people: `12,345`. The first number that `Intl` formats takes 20 ms. */
export function amount(value: number): string {
  return String(value).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
}

/** A number of things for people: `1 row`, `12,345 rows`. */
export function counted(count: number, noun: string): string {
  return `${amount(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** A size for people: `12 KiB`, `3.4 MiB`. */
export function formatBytes(bytes: number): string {
  const mebibytes = bytes / 1_048_576;
  if (mebibytes < 1) return `${Math.ceil(bytes / 1024)} KiB`;
  return mebibytes < 1024 ? `${mebibytes.toFixed(1)} MiB` : `${(mebibytes / 1024).toFixed(1)} GiB`;
}

/** The machine itself is never reached through a proxy. */
export function isLoopback(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').toLowerCase();
  return (
    host === 'localhost' ||
    host.endsWith('.localhost') ||
    host === '::1' ||
    /^127(?:\.\d{1,3}){3}$/.test(host)
  );
}

/** A word for a shell, to be pasted. */
export function shellWord(word: string): string {
  return /^[\w./:,=-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** A path for messages: from the working directory where it lies below. */
export function shortPath(path: string): string {
  const fromHere = relative(process.cwd(), path);
  return fromHere === '' || fromHere.startsWith('..') ? path : fromHere;
}

/** Whether two names are one to people: case does not count, and neither does how an accented letter is composed. */
export function isSameName(one: string | null | undefined, other: string): boolean {
  return one?.normalize('NFC').toLowerCase() === other.normalize('NFC').toLowerCase();
}

/** A project, and what people call it. */
export interface NamedProject {
  id: string;
  name?: string | null | undefined;
  slug?: string | null | undefined;
  /** False for one that no key lists any more. */
  isListed?: boolean;
}

/** The projects that a word means: that with this id, else those that the keys list under this name or slug, else those that they once listed so. Case does not count. */
export function projectsCalled<Project extends NamedProject>(
  word: string,
  projects: readonly Project[],
): readonly Project[] {
  const byId = projects.filter(({ id }) => id === word);
  if (byId.length > 0) return byId;
  const called = projects.filter(({ name, slug }) => isSameName(name, word) || isSameName(slug, word));
  const listed = called.filter(({ isListed }) => isListed !== false);
  return listed.length > 0 ? listed : called;
}

/** The ids that words mean; one that fits no project, or several, is returned unchanged. */
export function idsMeant(words: readonly string[], projects: readonly NamedProject[]): string[] {
  const meant = words.map((word) => {
    const [id = word, ...others] = new Set(projectsCalled(word, projects).map((project) => project.id));
    return others.length === 0 ? id : word;
  });
  return [...new Set(meant)];
}

/** The text of a file that a person wrote: UTF-8, or UTF-16 with its mark, which Windows writes; without the mark. */
export function decodeText(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  return new TextDecoder().decode(bytes);
}

/** Levels of a body that are kept where it has more than a stack; no field of the API is nested like that. */
const MAX_LEVELS = 200;

/** A copy of a parsed value with other leaves and names; what is nested more deeply is left out. */
export function mapValue(
  value: unknown,
  map: { leaf: (leaf: unknown) => unknown; name: (name: string) => string },
  levels = MAX_LEVELS,
): unknown {
  if (typeof value !== 'object' || value === null) return map.leaf(value);
  if (levels === 0) return null;
  if (Array.isArray(value)) return value.map((entry) => mapValue(entry, map, levels - 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, entry]) => [map.name(name), mapValue(entry, map, levels - 1)]),
  );
}

/** A parsed value as JSON: `JSON.parse` reads what is nested so deeply that `JSON.stringify` has no stack for it. */
export function jsonOf(value: unknown, replacer?: (name: string, value: unknown) => unknown): string {
  try {
    return JSON.stringify(value, replacer) ?? 'null';
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const kept = mapValue(value, { leaf: (leaf) => leaf, name: (name) => name });
    return JSON.stringify(kept, replacer) ?? 'null';
  }
}
