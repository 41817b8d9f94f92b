import { hasMeans, hasSums, isAdditive } from '../warehouse/meaning.ts';
import { GOVERNED } from './governed.ts';
import type { Place } from './place.ts';
import type { Origin } from './relations.ts';
import * as ast from './statement.ts';
import type { Node } from './statement.ts';

/** A SELECT and the facts read from it. */
interface Selected {
  node: Node;
  list: readonly Node[];
  place: Place;
  pinned: ReadonlySet<string>;
  /** Its aggregates. */
  calls: readonly Node[];
  /** Whether it always returns one row. */
  isOneRow: boolean;
}

/** Columns that separate the rows of a key by time. */
export function isDay(column: string): boolean {
  return column === 'date' || column === 'window_start';
}

/** Whether the figure for several days is the mean of its days. */
export function isMeanOfDays({ view, column }: Origin): boolean {
  return GOVERNED.some(({ kind, source, parts }) => {
    const sources = [source, ...Object.values(parts)];
    return kind === 'mean' && sources.some((one) => one.view === view && one.numerator === column);
  });
}

/** The conditions in an expression: those of an aggregate's FILTER, and of each WHEN of a CASE. */
export function casesOf(expression: Node): Node[] {
  return [...ast.walk(expression)].flatMap((one) => [
    ...ast.nodesAt(one, 'filter'),
    ...ast.nodesAt(one, 'case_checks').flatMap((check) => ast.nodesAt(check, 'when_expr')),
  ]);
}

/** The result column that a number or a name refers to; any other expression is itself. */
export function meantBy(expression: Node, list: readonly Node[]): Node {
  const place = ast.constantOf(expression);
  if (typeof place === 'number') return list[place - 1] ?? expression;
  const name = ast.columnNames(expression)?.join('.');
  return list.find((item) => ast.textAt(item, 'alias').toLowerCase() === name) ?? expression;
}

/** The expressions that order the rows. */
export function ordersOf(node: Node, list: readonly Node[]): Node[] {
  const orders = ast.nodesAt(node, 'modifiers').flatMap((modifier) => ast.nodesAt(modifier, 'orders'));
  return orders.map((order) => meantBy(ast.nodeAt(order, 'expression') ?? {}, list));
}

/** The misleading parts of a SELECT, except its aggregates. */
export function* doubtsOf(selected: Selected): Generator<string> {
  const { node, list, place, calls, isOneRow } = selected;
  for (const expression of [...list, ...ast.nodesAt(node, 'having')])
    for (const quotient of quotientsIn(expression)) {
      const [above, below] = quotient.map((side) => populationsOf(side, place));
      if (above?.length === 1 && below?.length === 1 && above[0] !== below[0])
        yield `A share divides ${above[0] ?? ''} by ${below[0] ?? ''}: take both of one kind.`;
    }
  const orders = [
    ordersOf(node, list),
    ...list.flatMap((item) => [...ast.walk(item)].map((one) => ordersInside(one))),
  ];
  for (const order of orders) yield* mixedUnits(order, selected);
  const modifiers = ast.nodesAt(node, 'modifiers').map((one) => ast.textAt(one, 'type'));
  const isCut = modifiers.includes('LIMIT_MODIFIER') && !modifiers.includes('ORDER_MODIFIER');
  const hasFigure = calls.length > 0 || list.some((item) => place.origin(item)?.facts.adds !== undefined);
  if (isCut && hasFigure && !isOneRow)
    yield 'LIMIT without ORDER BY takes any of the rows, not the largest: order them first.';
}

/** The orders of a window function. */
function ordersInside(call: Node): Node[] {
  return ast.textAt(call, 'class') === 'WINDOW'
    ? ast.nodesAt(call, 'orders').flatMap((order) => ast.nodesAt(order, 'expression'))
    : [];
}

/** Rows ranked by a figure whose unit differs from row to row. */
function* mixedUnits(orders: readonly Node[], { place, pinned }: Selected): Generator<string> {
  for (const order of orders) {
    // A comparison splits rows into two groups, whatever the units.
    if (/COMPARISON|CONJUNCTION/.test(ast.textAt(order, 'class'))) continue;
    const origins = [...ast.walk(order)].map((one) => ({ origin: place.origin(one), one }));
    // Within one measure, all units are the same.
    if (origins.some(({ origin }) => origin?.facts.divides === 'measures')) return;
    for (const { origin, one } of origins) {
      if (origin?.facts.unit !== 'as the measure') continue;
      const [relation] = place.relationsOf(one);
      const divider = [...(relation?.open ?? [])].find(([, { facts }]) => facts.divides === 'measures');
      if (relation === undefined || divider === undefined) continue;
      if (!pinned.has(`${relation.alias}.${divider[0]}`))
        yield `The rows are ranked by ${origin.view}.${origin.column}, whose unit is that of its ${divider[0]}: filter on one, or rank by multiples of the typical change.`;
    }
  }
}

/** Both sides of each division. */
function quotientsIn(expression: Node): Node[][] {
  return [...ast.walk(expression)].flatMap((one) => {
    const sides = ast.textAt(one, 'function_name') === '/' ? ast.nodesAt(one, 'children') : [];
    return sides.length === 2 ? [sides] : [];
  });
}

/** The populations of answers that an expression counts. */
function populationsOf(expression: Node, place: Place): string[] {
  const units = [...ast.walk(expression)].map((one) => place.origin(one)?.facts.unit ?? '');
  return [...new Set(units.filter((unit) => POPULATIONS.includes(unit)))];
}

const POPULATIONS: readonly string[] = ['organic answers', 'answers of every type'];

/** Verdicts in the numerator of a share whose denominator counts all rows: NULL verdicts count as no. */
export function* verdictsOf({ list, place, calls }: Selected): Generator<Origin> {
  const verdictsIn = (conditions: readonly Node[]): Origin[] =>
    conditions.flatMap((condition) =>
      [...ast.walk(condition)].flatMap((one) => {
        const origin = place.origin(one);
        return origin?.type === 'BOOLEAN' ? [origin] : [];
      }),
    );
  for (const [above = {}, below = {}] of list.flatMap(quotientsIn)) {
    const counts = [...ast.walk(below)].filter((one) => calls.includes(one));
    const isAll = counts.some((one) => !hasColumn(one));
    if (isAll) yield* verdictsIn(casesOf(above));
  }
  for (const call of calls) {
    const [argument] = ast.nodesAt(call, 'children');
    const isMean = ast.textAt(call, 'function_name') === 'avg' && argument !== undefined;
    const other = isMean ? ast.nodesAt(ast.withoutCasts(argument), 'else_expr') : [];
    if (other.some((one) => ast.constantOf(one) === 0)) yield* verdictsIn(casesOf(argument ?? {}));
  }
}

/** The column whose figure an expression transforms: rounded, with a value for NULL, for some rows only, or times a constant. */
export function figureOf(expression: Node): Node {
  const inner = ast.withoutCasts(expression);
  const isDressed =
    ast.textAt(inner, 'type') === 'OPERATOR_COALESCE' || DRESSES.includes(ast.textAt(inner, 'function_name'));
  const chosen = ast.nodesAt(inner, 'case_checks').flatMap((check) => ast.nodesAt(check, 'then_expr'));
  const parts = [...chosen, ...ast.nodesAt(inner, 'else_expr', ...(isDressed ? ['children'] : []))];
  const [figure, ...others] = parts.filter(hasColumn);
  return figure === undefined || others.length > 0 ? inner : figureOf(figure);
}

const DRESSES: readonly string[] = ['round', 'ifnull', 'nullif', '+', '-', '*', '/'];

export function hasColumn(expression: Node): boolean {
  return [...ast.walk(expression)].some((one) => ast.columnNames(one) !== null);
}

/** A quotient of two figures that add up. */
export function isQuotient(argument: Node, place: Place): boolean {
  return [...ast.walk(argument)].some((one) => {
    if (ast.textAt(one, 'function_name') !== '/') return false;
    const sides = ast.nodesAt(one, 'children').map((side) => place.origin(figureOf(side)));
    return sides.length === 2 && sides.every((origin) => origin !== null && isAdditive(origin.facts));
  });
}

/** The scores and weights in a sum of products whose score must be weighted by another column, or by none. */
export function* wrongWeights(argument: Node, place: Place) {
  for (const one of ast.walk(argument)) {
    if (ast.textAt(one, 'function_name') !== '*') continue;
    const factors = ast.nodesAt(one, 'children').flatMap((factor) => place.origin(figureOf(factor)) ?? []);
    for (const score of factors) {
      const weight = factors.find((other) => other !== score);
      if (weight !== undefined && isForbidden(score, 'mean') && score.facts.weigh !== weight.column)
        yield { score, weight };
    }
  }
}

/** Whether a sum or a mean of a column is wrong; columns that separate rows are judged separately. */
export function isForbidden({ facts }: Origin, what: 'sum' | 'mean'): boolean {
  return facts.divides === undefined && !(what === 'sum' ? hasSums(facts) : hasMeans(facts));
}

/** `avg(visibility)`. */
export function labelOf(call: Node, argument: Node | undefined): string {
  const name = ast.textAt(call, 'function_name');
  if (name === 'count_star') return 'count(*)';
  const names = argument === undefined ? null : ast.columnNames(argument);
  return `${name}(${names?.join('.') ?? '…'})`;
}
