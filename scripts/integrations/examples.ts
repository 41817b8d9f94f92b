import { readdirSync, readFileSync } from 'node:fs';

/** One question of `sql/examples`, with what its header says. */
export interface Example {
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

const FOLDER = new URL('../../sql/examples/', import.meta.url);

/** Every question in the order of its number. */
export function readExamples(): Example[] {
  return readdirSync(FOLDER)
    .toSorted()
    .map((file) => readExample(file, readFileSync(new URL(file, FOLDER), 'utf8')));
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
    name: file.replace(/^\d+_|\.sql$/g, ''),
    question: said('Question'),
    grain: said('Grain'),
    key: said('Key').split(', '),
    columns: said('Columns').split(', '),
    caveat: said('Caveat'),
    sql: lines.slice(end).join('\n').trim().replace(/;$/, ''),
  };
}
