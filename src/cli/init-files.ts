import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Day } from '../day.ts';
import { AnswerlakeError, messageOf, codeOf } from '../errors.ts';
import { PACKAGE_ROOT } from '../package-root.ts';

/** What a new configuration says. */
export interface InitAnswers {
  baseUrl: string;
  keyVariable: string;
  startDate: Day;
  account: string;
  /** Null: every project that the key reaches. */
  projects: readonly string[] | null;
}

export interface WrittenFiles {
  config: string;
  jobs: string[];
  /** Jobs that were there already. */
  kept: string[];
}

/** YAML reads nothing else into it, as it does into 123, true and null. */
const LOOKS_LIKE_A_NAME = /^(?!(?:true|false|null|yes|no|on|off)$)[a-z][\w.-]*$/i;

/** A commented configuration: the shipped example with the answers put in. */
export function configText(answers: InitAnswers): string {
  const example = readFileSync(join(PACKAGE_ROOT, 'config', 'example.yaml'), 'utf8');
  const projects = answers.projects === null ? 'all' : JSON.stringify(answers.projects);
  return replaceLines(example, [
    [/^# yaml-language-server.*\n/m, ''],
    [/(?<=^ {2}base_url: )\S+/m, answers.baseUrl],
    [
      /(?<=^ {2}- name: )\S+/m,
      LOOKS_LIKE_A_NAME.test(answers.account) ? answers.account : JSON.stringify(answers.account),
    ],
    [/(?<=^ {4}api_key: env:)\w+/m, answers.keyVariable],
    [/(?<=^ {4}projects: )\S+/m, projects],
    [/(?<=^ {2}start_date: )\S+/m, answers.startDate],
  ]);
}

/** Writes the configuration and the shipped jobs beside it. @throws AnswerlakeError when it would overwrite */
export function writeInitFiles(configPath: string, answers: InitAnswers): WrittenFiles {
  const config = resolve(configPath);
  const jobsFolder = join(dirname(config), 'jobs');
  try {
    mkdirSync(dirname(config), { recursive: true });
    writeFileSync(config, configText(answers), { flag: 'wx' });
    mkdirSync(jobsFolder, { recursive: true });
    const names = readdirSync(join(PACKAGE_ROOT, 'jobs')).filter((name) => name.endsWith('.yaml'));
    const written = names.filter((name) => writeNew(join(jobsFolder, name), shippedJob(name)));
    const inFolder = (name: string): string => join(jobsFolder, name);
    return {
      config,
      jobs: written.map(inFolder),
      kept: names.filter((name) => !written.includes(name)).map(inFolder),
    };
  } catch (error) {
    const isThere = codeOf(error) === 'EEXIST' && existsSync(config);
    const message = isThere
      ? existsMessage(config)
      : `Writing failed: ${messageOf(error)}. Check the folder.`;
    throw new AnswerlakeError(message, { class: isThere ? 'configuration' : 'storage', cause: error });
  }
}

export function existsMessage(path: string): string {
  return `${path} exists already and is never overwritten; nothing was written. Edit it, move it away, or write another one with --config FILE.`;
}

function shippedJob(name: string): string {
  return readFileSync(join(PACKAGE_ROOT, 'jobs', name), 'utf8');
}

function writeNew(path: string, text: string): boolean {
  try {
    writeFileSync(path, text, { flag: 'wx' });
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

function replaceLines(text: string, replacements: readonly (readonly [RegExp, string])[]): string {
  return replacements.reduce((current, [pattern, replacement]) => {
    if (!pattern.test(current)) throw new Error(`config/example.yaml lacks ${String(pattern)}`);
    return current.replace(pattern, () => replacement);
  }, text);
}
