import { z } from 'zod';
import { suggestion } from '../text.ts';
import { AnswerlakeError } from '../errors.ts';
import { dottedPath, type YamlProblem, type YamlSource } from './yaml-source.ts';

/** Every problem of the files a run is set up by, at once; nothing was touched. */
export class ConfigurationError extends AnswerlakeError {
  readonly problems: readonly (YamlProblem & { file: string })[];

  constructor(problems: readonly (YamlProblem & { file: string })[]) {
    const lines = problems.map(
      ({ file, line, column, path, message }) =>
        `  ${file}:${line}:${column} ${path === '' ? '' : `${path}: `}${message}`,
    );
    const count = problems.length === 1 ? '1 problem' : `${problems.length} problems`;
    super([`${count} in the configuration; nothing was touched.`, ...lines].join('\n'), {
      class: 'configuration',
    });
    this.name = 'ConfigurationError';
    this.problems = problems;
  }
}

export type Checked<Value> = { value: Value } | { problems: readonly YamlProblem[] };

/** Checks a parsed file against its schema and names every problem with its place. */
export function checkYaml<Schema extends z.ZodType>(
  source: YamlSource,
  schema: Schema,
): Checked<z.output<Schema>> {
  if (source.problems.length > 0) return { problems: source.problems };
  const parsed = schema.safeParse(source.value);
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
  description?: string;
  properties?: Readonly<Record<string, JsonSchema>>;
  additionalProperties?: JsonSchema | boolean;
  items?: JsonSchema;
}

function problemsOf(issue: z.core.$ZodIssue, source: YamlSource, shape: JsonSchema): YamlProblem[] {
  if (issue.code === 'unrecognized_keys') {
    const known = Object.keys(schemaAt(shape, issue.path)?.properties ?? {});
    return issue.keys.map((key) => {
      const path = [...issue.path, key];
      const message = `unknown setting; ${suggestion(key, known)}`;
      return { ...source.positionOf(path, true), path: dottedPath(path), message };
    });
  }
  const value = valueAt(source.value, issue.path);
  const message = messageFor(issue, value, schemaAt(shape, issue.path));
  const isName = issue.code === 'custom' && issue.params?.['isName'] === true;
  return [{ ...source.positionOf(issue.path, isName), path: dottedPath(issue.path), message }];
}

function messageFor(issue: z.core.$ZodIssue, value: unknown, shape: JsonSchema | undefined): string {
  if (issue.code === 'custom') return issue.message;
  const hint = hintOf(shape);
  if (value === undefined) return `is missing: add it${hint}`;
  if (value === null) return `is empty: give it a value or remove the line${hint}`;
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${KIND_WORDS[issue.expected] ?? issue.expected}, not ${kindOf(value)}${hint}`;
    case 'invalid_value':
      return `must be ${issue.values.map(String).join(' or ')}${near(value, issue.values)}`;
    case 'too_small':
      return `must be at least ${issue.minimum}${unitOf(issue.origin)}${hint}`;
    case 'too_big':
      return `must be at most ${issue.maximum}${unitOf(issue.origin)}${hint}`;
    default:
      return `${issue.message}${hint}`;
  }
}

const KIND_WORDS: Readonly<Record<string, string>> = {
  string: 'text (put it in quotes if it looks like a number)',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a group of settings',
  record: 'a group of settings',
};

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a group of settings';
  if (typeof value === 'string') return 'text';
  return typeof value === 'number' ? 'this number' : 'true or false';
}

function unitOf(origin: string): string {
  if (origin === 'array') return ' entry long';
  return origin === 'string' ? ' letter long' : '';
}

function near(value: unknown, values: readonly unknown[]): string {
  if (typeof value !== 'string' || values.length < 2) return '';
  const hint = suggestion(value, values.map(String));
  return hint.startsWith('did') ? `; ${hint}` : '';
}

function hintOf(shape: JsonSchema | undefined): string {
  return shape?.description === undefined ? '' : ` (${shape.description})`;
}

function schemaAt(shape: JsonSchema, path: readonly PropertyKey[]): JsonSchema | undefined {
  let current: JsonSchema | undefined = shape;
  for (const step of path) {
    const more: JsonSchema | boolean | undefined = current?.additionalProperties;
    const fallback: JsonSchema | undefined = typeof more === 'object' ? more : undefined;
    current = typeof step === 'number' ? current?.items : (current?.properties?.[String(step)] ?? fallback);
  }
  return current;
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let current = value;
  for (const step of path) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, step)) return undefined;
    current = Reflect.get(current, step);
  }
  return current;
}
