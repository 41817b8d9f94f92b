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

const STOP_WORDS = /^(the|and|our|what|which|how|did|does|with|from|for|are|was|were)$/;

/** The questions that share most words with these, best first; words match by their beginnings. */
export function searchExamples(words: string): Example[] {
  const wanted = tokens(words).filter((word) => !STOP_WORDS.test(word));
  const scored = readExamples().map((example) => {
    const places: readonly (readonly [readonly string[], number])[] = [
      [tokens(`${example.question} ${example.name}`), 3],
      [tokens(`${example.columns.join(' ')} ${example.caveat}`), 1],
    ];
    const score = wanted.reduce((sum, word) => {
      const found = places.filter(([texts]) => texts.some((text) => isLike(text, word)));
      return sum + Math.max(0, ...found.map(([, weight]) => weight));
    }, 0);
    return { example, score };
  });
  return scored
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .map(({ example }) => example);
}

function tokens(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word.length > 2);
}

/** `citations` and `cited`, `prompt` and `prompts`. */
function isLike(one: string, other: string): boolean {
  const length = Math.max(3, Math.min(one.length, other.length, 5) - 1);
  return one.slice(0, length) === other.slice(0, length);
}
