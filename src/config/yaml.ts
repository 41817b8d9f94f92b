import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { PACKAGE_ROOT } from '../files.ts';
import { AnswerlakeError, messageOf, suggestion } from '../errors.ts';
import * as yaml from 'yaml';
import { counted } from '../quantity.ts';

/** A problem at one place of a YAML file; the message contains the problem and the remedy. */
export interface YamlProblem {
  file: string;
  /** 1-based. */
  line: number;
  column: number;
  /** Dotted path of the setting; '' for the whole file. */
  path: string;
  message: string;
}

/** A parsed YAML file with the place of each value; if there are problems, `value` is not valid. */
export type YamlSource = ReturnType<typeof parseYaml>;

/** Parsers quote a text, or append it after a colon; it may be a key. */
function withoutText(message: string): string {
  const kept = message.replaceAll(/\s+/g, ' ').replace(/(?:: |["'`]).*$/, '');
  return kept.includes('tag') || kept.includes('scalar') || kept.includes('lain value')
    ? `${kept}; put the text in quotes`
    : kept;
}

const UNDEFINED_ALIAS =
  'an alias (*…) that is not defined: define it earlier in the file, or put the text in quotes';

/** Parses YAML 1.2; duplicate keys and unknown tags are problems. */
export function parseYaml(text: string, file: string) {
  const lineCounter = new yaml.LineCounter();
  const document = yaml.parseDocument(text, { lineCounter, prettyErrors: false, version: '1.2' });
  const at = (offset: number) => {
    const { line, col } = lineCounter.linePos(offset);
    return { file, line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const problems: YamlProblem[] = [...document.errors, ...document.warnings].map((error) => ({
    ...at(error.pos[0]),
    path: '',
    message: `not valid YAML: ${withoutText(error.message)}`,
  }));
  yaml.visit(document, {
    Alias: (_, alias) => {
      if (alias.resolve(document) === undefined)
        problems.push({ ...at(offsetOf(alias)), path: '', message: UNDEFINED_ALIAS });
    },
  });
  let value: unknown;
  try {
    if (problems.length === 0) value = document.toJS({ maxAliasCount: 100 });
  } catch (error) {
    problems.push({ ...at(0), path: '', message: `not usable YAML: ${messageOf(error)}` });
  }
  /** Place of the setting at `path` (its name, or the list item), or of its nearest parent. */
  const positionOf = (path: readonly PropertyKey[]) => at(locate(document, path));
  return { value, problems, positionOf };
}

function locate(document: yaml.Document, path: readonly PropertyKey[]): number {
  let node: unknown = document.contents;
  let offset = offsetOf(node);
  for (const step of path) {
    const pairs = yaml.isMap(node) ? node.items : [];
    const pair = pairs.find(({ key }) => yaml.isScalar(key) && key.value === step);
    const place = yaml.isSeq(node) ? node.items[Number(step)] : pair?.key;
    if (place === undefined) break;
    offset = offsetOf(place);
    node = pair === undefined ? place : pair.value;
  }
  return offset;
}

function offsetOf(node: unknown): number {
  return yaml.isNode(node) ? ((node as yaml.Node).range?.[0] ?? 0) : 0;
}

/** Every problem of a run's configuration files at once; nothing was touched. */
export class ConfigurationError extends AnswerlakeError {
  readonly problems: readonly YamlProblem[];
  /** One line per problem: place and cause. */
  readonly lines: readonly string[];

  constructor(problems: readonly YamlProblem[]) {
    const lines = problems.map(
      ({ file, line, column, path, message }) =>
        `${file}:${line}:${column} ${path === '' ? '' : `${path}: `}${message}`,
    );
    super(
      [`${counted(problems.length, 'problem')} in the configuration; nothing was touched.`, ...lines].join(
        '\n  ',
      ),
      {
        class: 'configuration',
      },
    );
    this.name = 'ConfigurationError';
    this.problems = problems;
    this.lines = lines;
  }
}

/** Checks a parsed file against its schema and reports every problem with its place. */
export function checkYaml<Schema extends z.ZodType>(source: YamlSource, schema: Schema) {
  if (source.problems.length > 0) return { problems: source.problems };
  const parsed = schema.safeParse(source.value, { reportInput: true, error: unknownNames });
  if (parsed.success) return { value: parsed.data };
  const problems = parsed.error.issues.flatMap((issue) => problemsOf(issue, source));
  return { problems: problems.sort((a, b) => a.line - b.line || a.column - b.column) };
}

function namesOf(schema: unknown): string[] | undefined {
  if (schema instanceof z.ZodObject) return Object.keys(schema.shape);
  const names = schema instanceof z.ZodRecord ? schema.keyType : undefined;
  return names instanceof z.ZodEnum ? names.options.map(String) : undefined;
}

/** A line for each name that a group of settings does not have, with what it may mean. */
const unknownNames: z.core.$ZodErrorMap = ({ code, inst, keys }) => {
  const known = code === 'unrecognized_keys' ? namesOf(inst) : undefined;
  if (known === undefined) return undefined;
  return z
    .array(z.string())
    .parse(keys)
    .map((key) => suggestion(key, known))
    .join('\n');
};

function problemsOf(issue: z.core.$ZodIssue, source: YamlSource): YamlProblem[] {
  const at = (path: PropertyKey[], message: string): YamlProblem => {
    return { ...source.positionOf(path), path: z.core.toDotPath(path), message };
  };
  if (issue.code !== 'unrecognized_keys') return [at(issue.path, messageFor(issue))];
  const meant = issue.message.split('\n');
  return issue.keys.map((key, index) => at([...issue.path, key], `unknown setting; ${meant[index] ?? ''}`));
}

function messageFor(issue: z.core.$ZodIssue): string {
  if (issue.code === 'custom') return issue.message;
  const setting = z.core
    .toDotPath(issue.path)
    .replaceAll(/\[\d+\]/g, '[]')
    .replace(/(?<=^sync\.endpoints\.)\w+/, '*');
  const meaning = readTexts('settings.yaml')[setting];
  const hint = meaning === undefined ? '' : ` (${meaning})`;
  if (issue.input === undefined) return `is missing: add it${hint}`;
  if (issue.input === null) return `is empty: give it a value or remove the line${hint}`;
  return `${issue.message}${hint}`;
}

/** Texts by name, from a file of `config`: `settings.yaml` has the meaning of each setting by its path, in which `[]` is a list item and `*` an endpoint. */
export function readTexts(file: string): Readonly<Record<string, string>> {
  const text = readFileSync(join(PACKAGE_ROOT, 'config', file), 'utf8');
  return z.record(z.string(), z.string()).parse(yaml.parse(text));
}
