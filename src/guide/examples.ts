import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { usageError } from '../errors.ts';
import { PACKAGE_ROOT } from '../files.ts';

/** One question of `sql/examples`, with the facts of its header. */
export type Example = ReturnType<typeof readExample>;

const FOLDER = join(PACKAGE_ROOT, 'sql', 'examples');

/** Every question in the order of its number. */
export function readExamples(): Example[] {
  return readdirSync(FOLDER)
    .toSorted()
    .map((file) => readExample(file, readFileSync(join(FOLDER, file), 'utf8')));
}

function readExample(file: string, text: string) {
  const lines = text.split('\n');
  const end = lines.findIndex((line) => !line.startsWith('--'));
  const header = lines.slice(0, end).join(' ').replaceAll(/--\s*/g, '');
  const said = (word: string): string => {
    const pattern = new RegExp(`(?:^|\\s)${word}: (.*?)(?= (?:Words|Grain|Key|Columns|Caveat): |$)`);
    const [, found] = pattern.exec(header) ?? [];
    if (found === undefined) throw new Error(`${file} has no line "${word}:" in its header`);
    return found;
  };
  const words = /(?:^|\s)Words: /.test(header) ? said('Words') : '';
  return {
    number: Number.parseInt(file, 10),
    /** File name without number and ending. */
    name: file.replace(/^\d+_|\.sql$/g, ''),
    question: said('Question'),
    /** Other phrases for it. */
    words,
    grain: said('Grain'),
    key: said('Key').split(', '),
    columns: said('Columns').split(', '),
    caveat: said('Caveat'),
    /** The statement, without header and semicolon. */
    sql: lines.slice(end).join('\n').trim().replace(/;$/, ''),
  };
}

/** @throws AnswerlakeError configuration if no example has the number */
export function exampleNumbered(text: string): Example {
  const examples = readExamples();
  const found = examples.find(({ number }) => String(number) === text.replace(/^0+(?=\d)/, ''));
  if (found !== undefined) return found;
  throw usageError([`There is no example ${text}:`, `choose a number from 1 to ${String(examples.length)}.`]);
}

const STOP_WORDS =
  /^(the|and|our|what|which|how|did|does|with|from|for|are|was|were|who|has|have|many|much|this|that|get|got)$/;

/** The questions that share most words with these, best first; words match by prefix, and rare ones weigh more. */
export function searchExamples(words: string): Example[] {
  const wanted = [...new Set(tokens(words).filter((word) => !STOP_WORDS.test(word)))];
  const examples = readExamples().map((example) => ({
    example,
    title: tokens(`${example.question} ${example.name} ${example.words}`),
    rest: tokens(`${example.columns.join(' ')} ${example.caveat}`),
  }));
  const weights = wanted.map((word) => {
    const having = examples.filter(({ title }) => isAmong(title, word)).length;
    return Math.log((examples.length + 1) / (having + 1));
  });
  const scored = examples.map(({ example, title, rest }) => {
    const scores = wanted.map((word, index) => {
      const weight = weights[index] ?? 0;
      return isAmong(title, word) ? 3 * weight : isAmong(rest, word) ? 0.5 * weight : 0;
    });
    return { example, score: scores.reduce((sum, score) => sum + score, 0) };
  });
  const found = scored.filter(({ score }) => score > 0).toSorted((a, b) => b.score - a.score);
  return found.map(({ example }) => example);
}

function tokens(text: string): string[] {
  const words = text.toLowerCase().split(/[^a-z0-9]+/);
  return words.filter((word) => word.length > 1);
}

/** Whether a word matches one of several, as `cited` matches `citations`, or `prompt` matches `prompts`. */
function isAmong(words: readonly string[], word: string): boolean {
  return words.some((other) => {
    const length = Math.max(3, Math.min(word.length, other.length, 6) - 1);
    return word.slice(0, length) === other.slice(0, length);
  });
}
