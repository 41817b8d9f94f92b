import { decodeText } from './files.ts';
import { readFileSync, statSync, type Stats } from 'node:fs';
import { resolve } from 'node:path';
import { inspect } from 'node:util';
import { bugError, messageOf, shellWord } from './errors.ts';

type ReadAgain = (current: string, reason: string) => string;

/** A secret that never prints: `reveal()` is the only way to its text. */
export class Secret {
  /** Its source, for messages: `env:NAME` or `file:/path`. */
  readonly origin: string;
  /** The current one last; none where this run must not read it. */
  #texts: readonly string[];
  readonly #again: ReadAgain;

  /** @param again returns the current text */
  constructor(origin: string, texts: readonly string[], again: ReadAgain = (current) => current) {
    this.origin = origin;
    this.#texts = texts;
    this.#again = again;
  }

  reveal(): string {
    const text = this.#texts.at(-1);
    if (text !== undefined) return text;
    throw bugError(`The secret ${this.origin} was not read, because this command needs no key.`);
  }

  /** Every text that it has had, for redaction. */
  texts(): readonly string[] {
    return this.#texts;
  }

  /** Reads its file again after `used` was refused; true if the text has changed. */
  readAgain(used: string, reason: string): boolean {
    const current = this.#again(this.reveal(), reason);
    this.#texts = [...this.#texts.filter((text) => text !== current), current];
    return current !== used;
  }

  toString(): string {
    return `[secret ${this.origin}]`;
  }

  toJSON(): string {
    return this.toString();
  }

  [inspect.custom](): string {
    return this.toString();
  }
}

const VARIABLE_PATTERN = /^[A-Za-z_][A-Za-z0-9_]*$/;
const PRINTABLE_PATTERN = /^[\x21-\x7e]+$/;
const GROUP_PERMISSION_BITS = 0o070;
const GROUP_READ_BIT = 0o040;
const OTHERS_PERMISSION_BITS = 0o007;
const MAX_SECRET_BYTES = 65_536;

/** The text of a secret, or the problem with it. */
type TextReading = { text: string } | string;

/** Where secret references are looked up. */
export interface SecretSource {
  env: Readonly<Record<string, string | undefined>>;
  /** Folder that relative `file:` references start from. */
  directory: string;
  /** The problem with a text; undefined if it is valid. */
  rule?: ((text: string) => string | undefined) | undefined;
  /** Called when a refused secret's file was read again and has another text, or an unusable one (`problem`). */
  onReadAgain?:
    ((facts: Readonly<Record<'secret' | 'reason', string>> & { problem: string | null }) => void) | undefined;
}

/** Reads `env:NAME` or `file:/path`; the problem contains the remedy and never the text of a secret. */
export function readSecret(
  reference: string,
  source: SecretSource,
): { secret: Secret } | { problem: string } {
  const kind = reference.slice(0, reference.indexOf(':') + 1);
  const name = reference.slice(kind.length).trim();
  const read = (): TextReading => {
    const reading = readText(kind, name, source);
    return (typeof reading === 'string' ? undefined : source.rule?.(reading.text)) ?? reading;
  };
  const reading = read();
  if (typeof reading === 'string') return { problem: reading };
  const origin = kind + name;
  if (kind !== 'file:') return { secret: secretOf(origin, reading.text) };
  const again: ReadAgain = (current, reason) => {
    const later = read();
    const [text, problem] = typeof later === 'string' ? [current, later] : [later.text, null];
    if (problem !== null || text !== current) source.onReadAgain?.({ secret: origin, reason, problem });
    return text;
  };
  return { secret: secretOf(origin, reading.text, again) };
}

/**
 * Does work with a secret, and repeats it if the secret is refused and its file now has another text.
 * @param refusal why the secret was refused; null for any other error
 */
export async function withSecret<T>(
  secret: Secret,
  refusal: (error: unknown) => string | null,
  work: (text: string) => Promise<T>,
): Promise<T> {
  const used = secret.reveal();
  try {
    return await work(used);
  } catch (error) {
    const reason = refusal(error);
    if (reason === null || !secret.readAgain(used, reason)) throw error;
    return await work(secret.reveal());
  }
}

function readText(kind: string, name: string, { env, directory }: SecretSource): TextReading {
  if (kind === 'env:') return readVariable(name, env);
  if (kind === 'file:') return readSecretFile(name, directory);
  return 'contains the text of a secret, which does not belong in this file: put it in an environment variable and write env:NAME, or in a file with mode 0600 and write file:/path (and renew the key if this file was shared)';
}

/** The problem with `reference`; undefined if it is valid. Reads nothing. */
export function secretReferenceProblem(reference: string): string | undefined {
  if (/^file:.*\S/.test(reference) || VARIABLE_PATTERN.test(/^env:(.*)/.exec(reference)?.[1]?.trim() ?? ''))
    return undefined;
  const reading = readSecret(reference, { env: {}, directory: '/' });
  return 'problem' in reading ? reading.problem : undefined;
}

/** Wraps a known text. @param again returns the current text */
export function secretOf(origin: string, text: string, again?: ReadAgain): Secret {
  return new Secret(origin, [text], again);
}

function readVariable(name: string, env: SecretSource['env']): TextReading {
  if (!VARIABLE_PATTERN.test(name))
    return 'does not name an environment variable: write env: and the name, for example env:ANSWERLAKE_KEY';
  const text = env[name];
  if (text === undefined)
    return `the environment variable ${name} is not set: set it to the key, for example export ${name}=…`;
  return checked(text, `the environment variable ${name}`);
}

function readSecretFile(name: string, directory: string): TextReading {
  if (name === '') return 'does not name a file: write file: and a path, for example file:/run/secrets/acme';
  const path = resolve(directory, name);
  try {
    const stats = statSync(path);
    if (!stats.isFile()) return `${path} is not a file: name the file that holds the key`;
    const mode = (stats.mode & 0o777).toString(8).padStart(4, '0');
    if (!isPrivate(stats))
      return `other users can read ${path} (mode ${mode}): run chmod 600 ${shellWord(path)}`;
    if (stats.size > MAX_SECRET_BYTES) return `${path} is too large for a key: is it the right file?`;
    return checked(decodeText(readFileSync(path)), path);
  } catch (error) {
    return `the key file cannot be read: ${messageOf(error)}`;
  }
}

/**
 * Whether all other users are excluded from a file that this process can read: mounted secrets often have mode 0440. A file of
 * another user and group is readable only through an access list, as set by systemd's `LoadCredential`; its mask appears in the
 * group bits.
 */
export function isPrivate(
  { mode, uid, gid }: Pick<Stats, 'mode' | 'uid' | 'gid'>,
  own = { user: process.geteuid?.(), groups: [process.getegid?.(), ...(process.getgroups?.() ?? [])] },
): boolean {
  if (process.platform === 'win32') return true;
  if ((mode & OTHERS_PERMISSION_BITS) !== 0) return false;
  const open = mode & GROUP_PERMISSION_BITS;
  return open === 0 || (open === GROUP_READ_BIT && (own.groups.includes(gid) || own.user !== uid));
}

function checked(raw: string, where: string): TextReading {
  const text = raw.replace(/^\uFEFF/, '').trim();
  if (text === '') return `${where} is empty: put the key there`;
  return PRINTABLE_PATTERN.test(text)
    ? { text }
    : `${where} contains spaces, line breaks or characters that no key has: put only the key there`;
}

/** The machine itself is never reached through a proxy. */
export function isLoopback(hostname: string): boolean {
  return /^(?:(?:.*\.)?localhost|\[?::1\]?|127(?:\.\d{1,3}){3})$/i.test(hostname);
}
