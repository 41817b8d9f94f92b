import { z } from 'zod';
import { isObject } from '../endpoints/field.ts';
import type { PublishedFile } from '../publish/published-file.ts';
import { quoteLiteral } from '../warehouse/sql.ts';

/** A node of the tree that DuckDB's parser produces. */
export type Node = Readonly<Record<string, unknown>>;

const tree = z.object({
  error: z.boolean(),
  statements: z.array(z.object({ node: z.record(z.string(), z.unknown()) })).default([]),
});

/** The tree of a single SELECT; null for any other statement, and for text that cannot be parsed. */
export async function parseSelect(file: PublishedFile, sql: string): Promise<Node | null> {
  const serialize = `select json_serialize_sql(${quoteLiteral(sql)})::varchar`;
  const [text = '{}'] = await file.values(z.string(), serialize);
  // An expression without a position in the text has the position 2^64 - 1, which exceeds JavaScript's numbers.
  const parsed = tree.safeParse(JSON.parse(text.replaceAll(/"query_location":\d+/g, '"query_location":0')));
  return parsed.success && !parsed.data.error ? (parsed.data.statements[0]?.node ?? null) : null;
}

/** A table function with the value of each expression, `value_0` and so on, over the rows of a relation. */
export async function valuesOf(file: PublishedFile, expressions: readonly Node[], from = '') {
  const select = await parseSelect(file, `select 1 ${from}`);
  const list = expressions.map((expression, place) => ({ ...expression, alias: `value_${String(place)}` }));
  return executed({ ...select, select_list: list });
}

/** A table function that returns the rows of a statement. */
export function executed(node: Node): string {
  const statements = [{ node, named_param_map: [] }];
  return `json_execute_serialized_sql(${quoteLiteral(JSON.stringify({ error: false, statements }))})`;
}

/** The value of an expression that needs no table, as a day; null if it is not one. */
export async function dayOfExpression(file: PublishedFile, expression: Node): Promise<string | null> {
  try {
    const day = `select try_cast(value_0 as date)::varchar from ${await valuesOf(file, [expression])}`;
    return (await file.values(z.string().nullable(), day))[0] ?? null;
  } catch {
    // An expression that cannot be computed sets no bound.
    return null;
  }
}

export function nodeAt(node: Node, name: string): Node | null {
  const value = node[name];
  return isObject(value) ? value : null;
}

/** The nodes at these names, each of which may contain one node or a list. */
export function nodesAt(node: Node, ...names: readonly string[]): Node[] {
  return names.flatMap((name) => node[name]).filter(isObject);
}

export function textAt(node: Node, name: string): string {
  const value = node[name];
  return typeof value === 'string' ? value : '';
}

export function textsAt(node: Node, name: string): string[] {
  const value: unknown = node[name];
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}

/** The names of a column: `column`, or `relation.column`; null for any other expression. */
export function columnNames(expression: Node | null): string[] | null {
  return expression !== null && textAt(expression, 'class') === 'COLUMN_REF'
    ? textsAt(expression, 'column_names').map((name) => name.toLowerCase())
    : null;
}

/** The value of a constant, through casts; undefined for any other expression. */
export function constantOf(expression: Node | null): unknown {
  if (expression === null) return undefined;
  const kind = textAt(expression, 'class');
  if (kind === 'CAST') return constantOf(nodeAt(expression, 'child'));
  return kind === 'CONSTANT' ? nodeAt(expression, 'value')?.['value'] : undefined;
}

/** An expression without casts. */
export function withoutCasts(expression: Node): Node {
  const child = textAt(expression, 'class') === 'CAST' ? nodeAt(expression, 'child') : null;
  return child === null ? expression : withoutCasts(child);
}

/** The conditions that must all hold. */
export function conjuncts(condition: Node | null): Node[] {
  if (condition === null) return [];
  return textAt(condition, 'type') === 'CONJUNCTION_AND'
    ? nodesAt(condition, 'children').flatMap(conjuncts)
    : [condition];
}

/** An expression and all its descendants, except queries inside it. */
export function* walk(expression: Node): Generator<Node> {
  yield expression;
  for (const [name, value] of Object.entries(expression)) {
    if (name === 'subquery' || name === 'value') continue;
    for (const child of Array.isArray(value) ? value : [value]) if (isObject(child)) yield* walk(child);
  }
}

/** Queries inside an expression. */
export function queriesIn(expression: Node): Node[] {
  return [...walk(expression)].flatMap((node) => nodesAt(nodeAt(node, 'subquery') ?? {}, 'node'));
}
