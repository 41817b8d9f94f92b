import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { dayOf, type Day } from '../day.ts';
import { openCatalogue } from '../endpoints/catalogue.ts';
import { own as fieldOf } from '../endpoints/field.ts';
import { AnswerlakeError, codeOf, messageOf, usageError, toRun } from '../errors.ts';
import { readSecret, Secret, secretReferenceProblem, type SecretSource } from '../secret.ts';
import { decodeText, filesIn, shortPath } from '../files.ts';
import { type Config, configSchema } from './config.ts';
import { defineOwn } from '../own/define-own.ts';
import { readDeclarations } from './declarations.ts';
import { checkYaml, ConfigurationError, parseYaml } from './yaml.ts';

export type SecretsRead = 'read' | 'leave' | 'warehouse';

interface ConfigRequest extends Pick<SecretSource, 'env' | 'onReadAgain'> {
  /** Path of the file; relative ones start from the working directory. */
  path: string;
  /** Replaces the content of the file. */
  text?: string;
  /** The day to treat as today; default: the UTC day of the clock. */
  today?: Day | undefined;
  /**
   * `leave` for commands that send nothing: keys may be missing, and revealing one is an error. `warehouse` for those of them that
   * write the warehouse: reads its secrets.
   */
  secrets?: SecretsRead;
  /** Refuses invalid declarations of endpoints; default: if secrets are read. */
  isStrict?: boolean | undefined;
}

const NO_CERTIFICATES = [
  'The environment variable NODE_TLS_REJECT_UNAUTHORIZED=0 turns off certificate checks:',
  'unset it (for your own certificate authority, set NODE_EXTRA_CA_CERTS).',
];

/**
 * Reads and checks the configuration; touches nothing.
 * @throws ConfigurationError with every problem at once; AnswerlakeError 'configuration' if there is no file
 */
export function loadConfig(request: ConfigRequest): Config {
  if (request.env['NODE_TLS_REJECT_UNAUTHORIZED'] === '0') throw usageError(NO_CERTIFICATES);
  const path = resolve(request.path);
  const file = shortPath(path);
  const source = parseYaml(request.text ?? readText(path, file), file);
  const { secrets = 'read', today = dayOf(Date.now()), env, onReadAgain } = request;
  // The other settings may use the endpoint names.
  const folderOf = (setting: string, usual: string): string => {
    const written = fieldOf(source.value, setting);
    return resolve(dirname(path), typeof written === 'string' ? written : usual);
  };
  const views = filesIn(folderOf('views_dir', 'views'), '.sql');
  const own = readDeclarations(folderOf('endpoints_dir', 'endpoints'), { views, today });
  const schema = configSchema({
    path,
    today,
    own,
    catalogue: openCatalogue(own.declarations.map(defineOwn)),
    readSecret: (reference, rule, of) => {
      if (secrets !== 'read' && secrets !== of) {
        const problem = secretReferenceProblem(reference);
        return problem === undefined ? { secret: new Secret(reference, []) } : { problem };
      }
      return readSecret(reference, { env, directory: dirname(path), rule, onReadAgain });
    },
  });
  const checked = checkYaml(source, schema);
  const declared = (request.isStrict ?? secrets !== 'leave') ? own.problems : [];
  const problems = [...('problems' in checked ? checked.problems : []), ...declared];
  if ('problems' in checked || problems.length > 0) throw new ConfigurationError(problems);
  return checked.value;
}

/** The secrets that were read for a configuration, for redaction. */
export function secretsOf(config: Config, read: SecretsRead = 'read'): Secret[] {
  const { url, lake } = config.warehouse;
  const keys = config.accounts.map((account) => account.apiKey);
  const services = read === 'read' ? [...keys, config.notify.webhook, config.queue.url] : [];
  const warehouse = read === 'leave' ? [] : [url, lake?.catalog ?? null];
  return [...services, ...warehouse].filter((one) => one !== null && typeof one !== 'string');
}

function readText(path: string, file: string): string {
  try {
    return decodeText(readFileSync(path));
  } catch (error) {
    const isMissing = codeOf(error) === 'ENOENT';
    const message = isMissing
      ? [
          `There is no configuration at ${file}.`,
          toRun`Write one with ${'answerlake init'}, or name one with --config FILE.`,
        ]
      : [
          `The configuration ${file} cannot be read: ${messageOf(error)}.`,
          'Check the path, and fix the permissions.',
        ];
    throw new AnswerlakeError(message, { class: 'configuration', cause: error });
  }
}
