import { readFileSync } from 'node:fs';

/** A fenced block of a page and the comment right above it. */
export interface Block {
  language: string;
  text: string;
  /** Text of the comment above; empty without one. */
  note: string;
}

const BLOCK = /(?:<!-- ([^\n]*?) -->\n\n)?^```(\w*)\n([\s\S]*?)^```$/gm;

/** The fenced blocks of a Markdown file, in order. */
export function blocksOf(path: string): Block[] {
  return [...readFileSync(path, 'utf8').matchAll(BLOCK)].map(([, note = '', language = '', text = '']) => ({
    language,
    text,
    note,
  }));
}
