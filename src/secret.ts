import { decodeText, shellWord } from './text.ts';
import { readFileSync, statSync, type Stats } from 'node:fs';
import { resolve } from 'node:path';
import { inspect } from 'node:util';
import { AnswerlakeError, messageOf } from './errors.ts';

/** A secret that never prints: `reveal()` is the only way to its text. */
export interface Secret {
  /** Where it came from, for messages: `env:NAME` or `file:/path`. */
  readonly origin: string;
  reveal(): string;
}

const VARIABLE_PATTERN = /^[A-Za-z_][A-Za-z0-9_]*$/;
const PRINTABLE_PATTERN = /^[\x21-\x7e]+$/;
const GROUP_PERMISSION_BITS = 0o070;
const GROUP_READ_BIT = 0o040;
const OTHERS_PERMISSION_BITS = 0o007;
const MAX_SECRET_BYTES = 65_536;

export type SecretReading = { secret: Secret } | { problem: string };

/** Where secret references are looked up. */
export interface SecretSource {
  env: Readonly<Record<string, string | undefined>>;
  /** Folder that relative `file:` references start from. */
  directory: string;
}

/** Reads `env:NAME` or `file:/path`; the problem says what to do and never contains the text of a secret. */
export function readSecret(reference: string, source: SecretSource): SecretReading {
  const kind = reference.slice(0, reference.indexOf(':') + 1);
  const name = reference.slice(kind.length).trim();
  switch (kind) {
    case 'env:':
      return readVariable(name, source.env);
    case 'file:':
      return readSecretFile(name, source.directory);
    default:
      return {
        problem:
          'contains the text of a secret, which does not belong in this file: put it in an environment variable and write env:NAME, or in a file with mode 0600 and write file:/path (and renew the key if this file was shared)',
      };
  }
}

/** Says why `reference` is no reference; undefined when it is one. Reads nothing. */
export function secretReferenceProblem(reference: string): string | undefined {
  const reading = readSecret(reference, { env: {}, directory: '/' });
  if (reference.startsWith('file:') && reference.trim().length > 'file:'.length) return undefined;
  if (reference.startsWith('env:') && VARIABLE_PATTERN.test(reference.slice(4).trim())) return undefined;
  return 'problem' in reading ? reading.problem : undefined;
}

/** A secret that this run must not read. */
export function unreadSecret(origin: string): Secret {
  return makeSecret(origin, () => {
    throw new AnswerlakeError(`The secret ${origin} was not read, because this command needs no key.`, {
      class: 'bug',
    });
  });
}

/** Wraps a text that is known already. */
export function secretOf(origin: string, text: string): Secret {
  return makeSecret(origin, () => text);
}

function makeSecret(origin: string, reveal: () => string): Secret {
  const shown = `[secret ${origin}]`;
  const secret = {
    origin,
    toJSON: () => shown,
    toString: () => shown,
    [inspect.custom]: () => shown,
  };
  // Not enumerable: spreading or walking the object never reaches the text.
  Object.defineProperty(secret, 'reveal', { value: reveal, enumerable: false });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `reveal` was just defined, out of the compiler's sight
  return Object.freeze(secret) as unknown as Secret;
}

function readVariable(name: string, env: SecretSource['env']): SecretReading {
  if (!VARIABLE_PATTERN.test(name)) {
    return {
      problem:
        'does not name an environment variable: write env: and the name, for example env:ANSWERLAKE_KEY',
    };
  }
  const text = env[name];
  if (text === undefined) {
    return {
      problem: `the environment variable ${name} is not set: set it to the key, for example export ${name}=…`,
    };
  }
  return checked(`env:${name}`, text, `the environment variable ${name}`);
}

function readSecretFile(name: string, directory: string): SecretReading {
  if (name === '')
    return { problem: 'does not name a file: write file: and a path, for example file:/run/secrets/acme' };
  const path = resolve(directory, name);
  try {
    const stats = statSync(path);
    if (!stats.isFile()) return { problem: `${path} is not a file: name the file that holds the key` };
    if (!isPrivate(stats)) {
      const mode = (stats.mode & 0o777).toString(8).padStart(4, '0');
      return { problem: `other users can read ${path} (mode ${mode}): run chmod 600 ${shellWord(path)}` };
    }
    if (stats.size > MAX_SECRET_BYTES)
      return { problem: `${path} is too large for a key: is it the right file?` };
    return checked(`file:${name}`, decodeText(readFileSync(path)), path);
  } catch (error) {
    return { problem: `the key file cannot be read: ${messageOf(error)}` };
  }
}

/** Readable by its owner, or by a group of this process: mounted secrets often have mode 0440. */
function isPrivate({ mode, gid }: Stats): boolean {
  if (process.platform === 'win32') return true;
  if ((mode & OTHERS_PERMISSION_BITS) !== 0) return false;
  const open = mode & GROUP_PERMISSION_BITS;
  if (open === 0) return true;
  return open === GROUP_READ_BIT && [process.getegid?.(), ...(process.getgroups?.() ?? [])].includes(gid);
}

function checked(origin: string, raw: string, where: string): SecretReading {
  const text = raw.replace(/^\uFEFF/, '').trim();
  if (text === '') return { problem: `${where} is empty: put the key there` };
  if (!PRINTABLE_PATTERN.test(text)) {
    return {
      problem: `${where} contains spaces, line breaks or characters that no key has: put only the key there`,
    };
  }
  return { secret: secretOf(origin, text) };
}
