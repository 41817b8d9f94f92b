import { LineCounter, isAlias, isMap, isNode, isScalar, isSeq, parseDocument, visit } from 'yaml';
import type { Document, Node, Pair } from 'yaml';
import { messageOf } from '../errors.ts';

/** Something wrong at one place of a YAML file; the message says what is wrong and what to do. */
export interface YamlProblem {
  /** 1-based. */
  line: number;
  column: number;
  /** Dotted path of the setting; '' for the file as a whole. */
  path: string;
  message: string;
}

/** A parsed YAML file that knows where everything stands. */
export interface YamlSource {
  file: string;
  value: unknown;
  /** Syntax errors; `value` is then not to be trusted. */
  problems: readonly YamlProblem[];
  /** Place of the value at `path`, or of its nearest parent; of the key instead when `ofKey` is set. */
  positionOf(path: readonly PropertyKey[], ofKey?: boolean): { line: number; column: number };
}

/** What a parser says of a text follows a colon or stands in quotes; the text may be a key. */
function withoutText(message: string): string {
  const kept = message.replaceAll(/\s+/g, ' ').replace(/(?:: |["'`]).*$/, '');
  return kept.includes('tag') || kept.includes('scalar') || kept.includes('lain value')
    ? `${kept}; put the text in quotes`
    : kept;
}

/** Larger than the ids of 10,000 projects; the parser takes minutes for some larger ones. */
const MAX_CHARACTERS = 524_288;

/** Parses YAML 1.2; duplicate keys, unknown tags and `__proto__` are problems. */
export function parseYaml(text: string, file: string): YamlSource {
  if (text.length > MAX_CHARACTERS) return tooLarge(file);
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter, prettyErrors: false, version: '1.2' });
  const at = (offset: number): { line: number; column: number } => {
    const { line, col } = lineCounter.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const problems: YamlProblem[] = [...document.errors, ...document.warnings].map((error) => ({
    ...at(error.pos[0]),
    path: '',
    message: `not valid YAML: ${withoutText(error.message)}`,
  }));
  visit(document, {
    Alias: (_, alias) => {
      if (alias.resolve(document) !== undefined) return;
      const message =
        'an alias (*…) that is not defined: define it earlier in the file, or put the text in quotes';
      problems.push({ ...at(offsetOf(alias)), path: '', message });
    },
    Pair: (_, pair) => {
      if (isScalar(pair.key) && pair.key.value === '__proto__') {
        problems.push({
          ...at(offsetOf(pair.key)),
          path: '__proto__',
          message: 'unknown setting: remove it',
        });
      }
    },
  });
  const value = problems.length === 0 ? toPlain(document, problems) : undefined;
  return {
    file,
    value,
    problems,
    positionOf: (path, ofKey = false) => at(locate(document, path, ofKey)),
  };
}

function tooLarge(file: string): YamlSource {
  const start = { line: 1, column: 1 };
  const message = `is larger than ${String(MAX_CHARACTERS / 1024)} KiB: no configuration is; look which file this is`;
  return { file, value: undefined, problems: [{ ...start, path: '', message }], positionOf: () => start };
}

function toPlain(document: Document, problems: YamlProblem[]): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 });
  } catch (error) {
    problems.push({ line: 1, column: 1, path: '', message: `not usable YAML: ${messageOf(error)}` });
    return undefined;
  }
}

/** `accounts[0].api_key` */
export function dottedPath(path: readonly PropertyKey[]): string {
  return path
    .map((step, index) => {
      if (typeof step === 'number') return `[${step}]`;
      return index === 0 ? String(step) : `.${String(step)}`;
    })
    .join('');
}

function locate(document: Document, path: readonly PropertyKey[], ofKey: boolean): number {
  let node: unknown = document.contents;
  let offset = offsetOf(node);
  for (const [index, step] of path.entries()) {
    const current = isAlias(node) ? node.resolve(document) : node;
    const pair = isMap(current) ? current.items.find((item) => keyOf(item) === String(step)) : undefined;
    const item = isSeq(current) ? current.items[Number(step)] : pair?.value;
    if (pair === undefined && item === undefined) return offset;
    const isLast = index === path.length - 1;
    const useKey = pair !== undefined && (isLast ? ofKey || isEmpty(item) : true);
    offset = useKey ? offsetOf(pair.key) : offsetOf(item);
    node = item;
  }
  return offset;
}

function keyOf(pair: Pair): string | undefined {
  return isScalar(pair.key) ? String(pair.key.value) : undefined;
}

function isEmpty(node: unknown): boolean {
  return !isNode(node) || (isScalar(node) && node.value === null);
}

function offsetOf(node: unknown): number {
  return isNode(node) ? ((node as Node).range?.[0] ?? 0) : 0;
}
