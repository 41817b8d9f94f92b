import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { usageError } from '../errors.ts';
import { PACKAGE_ROOT } from '../package.ts';

/** One question of `sql/examples`, with what its header says. */
export interface Example {
  number: number;
  /** File name without number and ending. */
  name: string;
  question: string;
  grain: string;
  key: readonly string[];
  columns: readonly string[];
  caveat: string;
  /** The statement, without header and semicolon. */
  sql: string;
}

const FOLDER = join(PACKAGE_ROOT, 'sql', 'examples');

/** Every question in the order of its number. */
export function readExamples(): Example[] {
  return readdirSync(FOLDER)
    .toSorted()
    .map((file) => readExample(file, readFileSync(join(FOLDER, file), 'utf8')));
}

function readExample(file: string, text: string): Example {
  const lines = text.split('\n');
  const end = lines.findIndex((line) => !line.startsWith('--'));
  const header = lines
    .slice(0, end)
    .map((line) => line.replace(/^--\s*/, ''))
    .join(' ');
  const said = (word: string): string => {
    const found = new RegExp(`(?:^|\\s)${word}: (.*?)(?= (?:Grain|Key|Columns|Caveat): |$)`).exec(
      header,
    )?.[1];
    if (found === undefined) throw new Error(`${file} has no line "${word}:" in its header`);
    return found;
  };
  return {
    number: Number.parseInt(file, 10),
    name: file.replace(/^\d+_|\.sql$/g, ''),
    question: said('Question'),
    grain: said('Grain'),
    key: said('Key').split(', '),
    columns: said('Columns').split(', '),
    caveat: said('Caveat'),
    sql: lines.slice(end).join('\n').trim().replace(/;$/, ''),
  };
}

/** @throws AnswerlakeError configuration when no example has the number */
export function exampleNumbered(text: string): Example {
  const examples = readExamples();
  const found = examples.find(({ number }) => String(number) === text.replace(/^0+(?=\d)/, ''));
  if (found !== undefined) return found;
  throw usageError(`There is no example ${text}: choose a number from 1 to ${String(examples.length)}.`);
}
