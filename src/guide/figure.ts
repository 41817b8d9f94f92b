import { hasMeans, hasSums, isAdditive } from '../warehouse/meaning.ts';
import type { Place } from './place.ts';
import type { Origin } from './relations.ts';
import { columnNames, type Node, nodesAt, textAt, walk, withoutCasts } from './statement.ts';

/** The column whose figure an expression transforms: rounded, with a value for NULL, for some rows only, or times a constant. */
export function figureOf(expression: Node): Node {
  const inner = withoutCasts(expression);
  const isDressed =
    textAt(inner, 'type') === 'OPERATOR_COALESCE' || DRESSES.includes(textAt(inner, 'function_name'));
  const chosen = nodesAt(inner, 'case_checks').flatMap((check) => nodesAt(check, 'then_expr'));
  const parts = [...chosen, ...nodesAt(inner, 'else_expr', ...(isDressed ? ['children'] : []))];
  const [figure, ...others] = parts.filter(hasColumn);
  return figure === undefined || others.length > 0 ? inner : figureOf(figure);
}

const DRESSES: readonly string[] = ['round', 'ifnull', 'nullif', '+', '-', '*', '/'];

export function hasColumn(expression: Node): boolean {
  return [...walk(expression)].some((one) => columnNames(one) !== null);
}

/** A quotient of two figures that add up. */
export function isQuotient(argument: Node, place: Place): boolean {
  return [...walk(argument)].some((one) => {
    if (textAt(one, 'function_name') !== '/') return false;
    const sides = nodesAt(one, 'children').map((side) => place.origin(figureOf(side)));
    return sides.length === 2 && sides.every((origin) => origin !== null && isAdditive(origin.facts));
  });
}

/** The scores and weights in a sum of products whose score must be weighted by another column, or by none. */
export function* wrongWeights(argument: Node, place: Place) {
  for (const one of walk(argument)) {
    if (textAt(one, 'function_name') !== '*') continue;
    const factors = nodesAt(one, 'children').flatMap((factor) => place.origin(figureOf(factor)) ?? []);
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
  const name = textAt(call, 'function_name');
  if (name === 'count_star') return 'count(*)';
  const names = argument === undefined ? null : columnNames(argument);
  return `${name}(${names?.join('.') ?? '…'})`;
}
