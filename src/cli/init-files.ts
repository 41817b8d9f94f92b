import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Day } from '../day.ts';
import { AnswerlakeError } from '../errors.ts';
import { PACKAGE_ROOT } from '../package.ts';

/** Beside the configuration. */
export const KEY_FILE = 'answerlake.key';

/** What a new configuration says. */
export interface InitAnswers {
  baseUrl: string;
  /** Where the key is, unless it was typed. */
  keyVariable: string;
  /** The key itself, for a file beside the configuration. */
  key: string | null;
  startDate: Day;
}

/** A commented configuration: the shipped example with the answers put in. */
export function configText(answers: InitAnswers, folder: string): string {
  const reference = answers.key === null ? `env:${answers.keyVariable}` : `file:${KEY_FILE}`;
  return readFileSync(join(PACKAGE_ROOT, 'config', 'example.yaml'), 'utf8')
    .replace(/(?<=^# yaml-language-server: \$schema=)\S+/m, () => schemaPath(folder))
    .replace(/(?<=^ {2}base_url: )\S+/m, () => answers.baseUrl)
    .replace(/(?<=^ {2}- name: )\S+/m, 'main')
    .replace(/(?<=^ {4}api_key: )\S+/m, () => reference)
    .replace(/(?<=^ {2}start_date: )\S+/m, answers.startDate);
}

/** Where editors find the settings, as a URL, which has no blanks: relative where the program lies below the folder, as in node_modules. */
function schemaPath(folder: string): string {
  const path = join(PACKAGE_ROOT, 'config', 'schema.json');
  const below = relative(folder, path);
  return below.startsWith('..') ? pathToFileURL(path).href : `./${encodeURI(below.split(sep).join('/'))}`;
}

/** Writes the configuration and the shipped jobs next to it. @throws AnswerlakeError when it would overwrite */
export function writeInitFiles(configPath: string, answers: InitAnswers) {
  const config = resolve(configPath);
  const jobs = join(dirname(config), 'jobs');
  const keyFile = answers.key === null ? null : join(dirname(config), KEY_FILE);
  if (keyFile !== null && existsSync(keyFile)) {
    throw new AnswerlakeError(
      `${keyFile} exists already and is never overwritten; nothing was written. Move it away.`,
      { class: 'configuration' },
    );
  }
  mkdirSync(dirname(config), { recursive: true });
  if (keyFile !== null) writeFileSync(keyFile, `${answers.key}\n`, { flag: 'wx', mode: 0o600 });
  writeFileSync(config, configText(answers, dirname(config)), { flag: 'wx' });
  cpSync(join(PACKAGE_ROOT, 'jobs'), jobs, { recursive: true, force: false });
  return { config, keyFile, jobs };
}
