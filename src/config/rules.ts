import { z } from 'zod';
import { orNull } from '../errors.ts';
import { isDay, type Day } from '../day.ts';
import { pathRule, type Rule } from '../own/declaration.ts';
import { isLoopback } from '../secret.ts';
import { parseDuration } from '../quantity.ts';

export { text, type Rule } from '../own/declaration.ts';

/** A group of settings: written in snake_case, read in camelCase; refuses unknown settings. */
export function section<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  return z.strictObject(shape).transform((value) => inCamelCase(value));
}

type CamelCase<Name> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name;
type ReadOnly<Value> = Value extends readonly (infer Item)[] ? readonly Item[] : Value;
type InCamelCase<Value> = { [Name in keyof Value as CamelCase<Name>]: ReadOnly<Value[Name]> };

function inCamelCase<Value extends object>(value: Value): InCamelCase<Value> {
  const entries = Object.entries(value).map(([name, entry]: [string, unknown]) => [camelCase(name), entry]);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the type follows the same rule as `camelCase`
  return Object.fromEntries(entries) as InCamelCase<Value>;
}

function camelCase(name: string): string {
  return name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** `all`, also the default, or a list. */
export function allOr<Item extends z.ZodType>(item: Item, items: string) {
  const error = `must be all or a list of ${items}`;
  return z.union([z.literal('all'), z.array(item).min(1)], { error }).default('all');
}

/** Ours and those of DuckDB. */
export const SCHEMAS = 'core meta main detail own raw temp system pg_catalog information_schema'.split(' ');
/** Schemas, and the names of the program's attached files (`CATALOGS`). */
const TAKEN_NAMES = new Set([
  ...SCHEMAS,
  ...'published publishing published_lake answerlake_template answerlake_compacted'.split(' '),
]);

/** An origin: https, or http on this machine; nothing after the port. */
export const baseUrlRule: Rule = (text) => {
  if (!URL.canParse(text)) return 'is not a URL: write it like https://server.example.com';
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'must start with https://';
  if (url.username !== '' || url.password !== '') {
    return 'carries a user name or password: remove them; the key belongs in accounts[].api_key, as env:NAME';
  }
  if (text.includes('?')) return 'has a query (?…): remove it';
  if (text.includes('#')) return 'has a fragment (#…): remove it';
  const version = /\/api(?:\/v\d+)?\/*$/.exec(url.pathname)?.[0];
  if (version !== undefined) {
    return `ends with ${version.replace(/\/+$/, '')}, which the paths of the API include: write ${url.origin}${url.pathname.slice(0, -version.length)}`;
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    return `would send the key unencrypted to ${url.hostname}: write https://${url.host} (http is for this machine only)`;
  }
  return undefined;
};

/** A host name as in the header `Host`, without a port. */
export const hostRule: Rule = (text) => {
  const origin = `http://${text}`;
  const isName = URL.canParse(origin) && new URL(origin).hostname === text.toLowerCase();
  return isName
    ? undefined
    : 'is not a host name: write it without scheme, port and path, like status.example.com';
};

/** The stored form of the address: with its path prefix, without trailing slashes. */
export function plainBaseUrl(text: string): string {
  const { origin, pathname } = new URL(text);
  return origin + pathname.replace(/\/+$/, '');
}

/** The first day to pull: a calendar day that has begun. */
export function startDateRule(today: Day): Rule {
  return (text) => {
    if (!isDay(text))
      return `is not a calendar day: write it as YYYY-MM-DD, for example ${today.slice(0, 4)}-01-01`;
    if (text > today) return `is in the future (today is ${today} UTC): choose ${today} or an earlier day`;
    return text < '2000-01-01' ? 'is before 2000-01-01: choose a later day' : undefined;
  };
}

/** A path as visitor analytics reports it. */
export const pathnameRule: Rule = (text) =>
  /^\/[^?#\s]*$/.test(text)
    ? undefined
    : 'must be only a path, without host, query, fragment or space: write it like /pricing';

export const timezoneRule: Rule = (text) => {
  // The first zone that `Intl` loads takes 20 to 40 ms.
  if (text === 'UTC') return undefined;
  const zone = orNull(() => new Intl.DateTimeFormat('en', { timeZone: text }));
  return zone === null ? 'is not a time zone: write UTC or an IANA name like Europe/Berlin' : undefined;
};

/** A duration, as milliseconds. */
export const duration = z.string().transform((written, context): number => {
  const found = parseDuration(written);
  if (found !== undefined) return found;
  // Continue, so that a union shows this problem instead of its own.
  const message = 'is not a duration: write it like 2h, 90m, 45s or 0';
  context.addIssue({ code: 'custom', message, continue: true });
  return z.NEVER;
});

export const storageVersionRule: Rule = (text) =>
  /^v1\.\d{1,3}\.\d{1,3}$/.test(text)
    ? undefined
    : 'must be one storage version of DuckDB, because latest would lock out readers with an older one: write v1.0.0 (readable by DuckDB 1.1 and newer) or another v1.x.y';

/** Permissions of a read-only file, octal. */
export const modeRule: Rule = (text) =>
  /^0?4[04][04]$/.test(text)
    ? undefined
    : 'is not the mode of a read-only file: write "0444" (all), "0440" (its group) or "0400" (only its owner), in quotes';

/** A path on this machine, relative ones start from the configuration file's folder. */
export const localPathRule: Rule = (text) => {
  if (text.trim() === '') return 'is empty: name a path';
  if (text.startsWith('~')) return '~ is not expanded: write the whole path, or one relative to this file';
  if (/^[a-z][a-z0-9+.-]+:/i.test(text)) return 'must be a path on this machine, not a URL';
  return text.includes('\0') ? 'contains a NUL character: remove it' : undefined;
};

/** The published file: a local path whose name is no schema, because DuckDB names a catalog after its file. */
export const warehousePathRule: Rule = (text) => {
  const problem = localPathRule(text);
  if (problem !== undefined) return problem;
  if (/[/\\]$/.test(text)) return 'is a folder: name a file in it, for example data/answers.duckdb';
  if (text.includes('?')) return 'has a question mark, which DuckDB allows in no path: choose another';
  const parts = text.split(/[/\\]/).at(-1)?.split('.') ?? [];
  const name = parts.find((part) => part !== '') ?? '';
  return TAKEN_NAMES.has(name.toLowerCase())
    ? `in queries, a file called ${name} hides the schema ${name}: choose another name, for example answers.duckdb`
    : undefined;
};

/** A path of the API below the base URL, with or without an id in it. */
export function apiPathRule(needsId: boolean): Rule {
  const ofId = needsId ? 'needs {id} where the id goes' : 'has {id}, but this endpoint takes none: remove it';
  return (text) => pathRule(text) ?? (needsId === text.includes('{id}') ? undefined : ofId);
}

/** The required form of a webhook's address; the address itself is a secret. */
export const webhookRule: Rule = (text) => {
  if (!URL.canParse(text)) return 'does not contain a URL: put the address of the webhook there';
  const url = new URL(text);
  const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname));
  return isSafe ? undefined : 'must contain an https:// address';
};

/** A folder, or a prefix of a bucket. */
export const bucketOrFolderRule: Rule = (text) => {
  if (!text.startsWith('s3:')) return localPathRule(text);
  return /^s3:\/\/[a-z0-9][a-z0-9.-]{1,62}(\/.*)?$/.test(text)
    ? undefined
    : 'is not a bucket prefix: write s3://bucket/prefix';
};

/** The address of PostgreSQL; it carries a password, so the address itself is a secret. */
export const postgresRule: Rule = (text) => {
  if (!/^postgres(ql)?:\/\/[^/]+\/.+/.test(text))
    return 'must contain an address of PostgreSQL, for example postgres://user:password@host:5432/answerlake';
  // The text after such a character in a password would be read as the host or the database, and appear in messages.
  const isCut =
    !URL.canParse(text) || text.includes('#') || /[/?].*@/.test(text.slice(text.indexOf('://') + 3));
  return isCut || /%(?![\da-f]{2})/i.test(text)
    ? 'contains an address whose password, or another part of it, has a character that ends it: percent-encode it (@ as %40, # as %23, / as %2F, ? as %3F, % as %25)'
    : undefined;
};
