import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { PACKAGE_ROOT } from '../files.ts';
import { AnswerlakeError, messageOf, suggestion } from '../errors.ts';
import * as yaml from 'yaml';

/** Something wrong at one place of a YAML file; the message says what is wrong and what to do. */
export interface YamlProblem {
  file: string;
  /** 1-based. */
  line: number;
  column: number;
  /** Dotted path of the setting; '' for the file as a whole. */
  path: string;
  message: string;
}

/** A parsed YAML file that knows where everything stands; with problems, its `value` is not to be trusted. */
type YamlSource = ReturnType<typeof parseYaml>;

/** What a parser says of a text follows a colon or stands in quotes; the text may be a key. */
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
  /** Place of the setting at `path` (its name, or the item of a list), or of its nearest parent. */
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

/** Every problem of the files a run is set up by, at once; nothing was touched. */
export class ConfigurationError extends AnswerlakeError {
  readonly problems: readonly YamlProblem[];
  /** A line for each problem: its place and what is wrong. */
  readonly lines: readonly string[];

  constructor(problems: readonly YamlProblem[]) {
    const lines = problems.map(
      ({ file, line, column, path, message }) =>
        `${file}:${line}:${column} ${path === '' ? '' : `${path}: `}${message}`,
    );
    const count = problems.length === 1 ? '1 problem' : `${problems.length} problems`;
    super([`${count} in the configuration; nothing was touched.`, ...lines].join('\n  '), {
      class: 'configuration',
    });
    this.name = 'ConfigurationError';
    this.problems = problems;
    this.lines = lines;
  }
}

/** Checks a parsed file against its schema and names every problem with its place. */
export function checkYaml<Schema extends z.ZodType>(source: YamlSource, schema: Schema) {
  if (source.problems.length > 0) return { problems: source.problems };
  const parsed = schema.safeParse(source.value, { reportInput: true });
  if (parsed.success) return { value: parsed.data };
  const shape = describeSchema(schema);
  const problems = parsed.error.issues.flatMap((issue) => problemsOf(issue, source, shape));
  return { problems: problems.sort((a, b) => a.line - b.line || a.column - b.column) };
}

/** The JSON Schema of what a person writes. */
export function describeSchema(schema: z.ZodType): JsonSchema {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- ours is the part of zod's type that is read
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
}

/** The part of JSON Schema that is read back here. */
export interface JsonSchema {
  properties?: Readonly<Record<string, JsonSchema>>;
  additionalProperties?: JsonSchema | boolean;
  items?: JsonSchema;
  anyOf?: readonly JsonSchema[];
  oneOf?: readonly JsonSchema[];
}

function problemsOf(issue: z.core.$ZodIssue, source: YamlSource, shape: JsonSchema): YamlProblem[] {
  if (issue.code === 'unrecognized_keys') {
    const known = Object.keys(propertiesOf(schemaAt(shape, issue.path)));
    return issue.keys.map((key) => {
      const path = [...issue.path, key];
      const message = `unknown setting; ${suggestion(key, known)}`;
      return { ...source.positionOf(path), path: z.core.toDotPath(path), message };
    });
  }
  const path = z.core.toDotPath(issue.path);
  return [{ ...source.positionOf(issue.path), path, message: messageFor(issue, path) }];
}

function messageFor(issue: z.core.$ZodIssue, path: string): string {
  if (issue.code === 'custom') return issue.message;
  const setting = path.replaceAll(/\[\d+\]/g, '[]').replace(/(?<=^sync\.endpoints\.)\w+/, '*');
  const meaning = readTexts('settings.yaml')[setting];
  const hint = meaning === undefined ? '' : ` (${meaning})`;
  if (issue.input === undefined) return `is missing: add it${hint}`;
  if (issue.input === null) return `is empty: give it a value or remove the line${hint}`;
  return `${issue.message}${hint}`;
}

/** Texts by name, from a file of `config`: of `settings.yaml`, what each setting means, by its path in which `[]` is an item of a list and `*` an endpoint. */
export function readTexts(file: string): Readonly<Record<string, string>> {
  const text = readFileSync(join(PACKAGE_ROOT, 'config', file), 'utf8');
  return z.record(z.string(), z.string()).parse(yaml.parse(text));
}

function schemaAt(shape: JsonSchema, path: readonly PropertyKey[]): JsonSchema | undefined {
  let current: JsonSchema | undefined = shape;
  for (const step of path) {
    const properties: Readonly<Record<string, JsonSchema>> = propertiesOf(current);
    const more: JsonSchema | boolean | undefined = current?.additionalProperties;
    const fallback: JsonSchema | undefined = typeof more === 'object' ? more : undefined;
    current = typeof step === 'number' ? current?.items : (properties[String(step)] ?? fallback);
  }
  return current;
}

/** The settings of a group; of alternatives, those of all. */
function propertiesOf(schema: JsonSchema | undefined): Readonly<Record<string, JsonSchema>> {
  const alternatives = [...(schema?.anyOf ?? []), ...(schema?.oneOf ?? [])];
  if (alternatives.length === 0) return schema?.properties ?? {};
  const named = new Map<string, JsonSchema[]>();
  for (const [name, part] of alternatives.flatMap((one) => Object.entries(propertiesOf(one))))
    named.set(name, [...(named.get(name) ?? []), part]);
  return Object.fromEntries(Array.from(named, ([name, anyOf]) => [name, { anyOf }]));
}
