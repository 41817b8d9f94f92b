import type { Place } from './place.ts';
import type { Origin } from './relations.ts';
import { columnNames, type Node, nodesAt, textAt, walk, withoutCasts } from './statement.ts';

/** The column whose figure an expression gives in another dress: rounded, with a value for NULL, for some rows only, times a constant. */
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

/** One figure that adds up divided by another. */
export function isQuotient(argument: Node, place: Place): boolean {
  return [...walk(argument)].some((one) => {
    if (textAt(one, 'function_name') !== '/') return false;
    const sides = nodesAt(one, 'children').map((side) => place.origin(figureOf(side)));
    return sides.length === 2 && sides.every((origin) => origin !== null && /adds? up/i.test(origin.comment));
  });
}

/** Scores in a product that is added up, and their weights, where the comment of the score names another weight, or none. */
export function* wrongWeights(argument: Node, place: Place) {
  for (const one of walk(argument)) {
    if (textAt(one, 'function_name') !== '*') continue;
    const factors = nodesAt(one, 'children').flatMap((factor) => place.origin(figureOf(factor)) ?? []);
    for (const score of factors) {
      const weight = factors.find((other) => other !== score);
      const sentence = forbidden(score, 'mean')?.sentence;
      if (weight !== undefined && sentence !== undefined && !score.comment.includes(weight.column))
        yield { score, weight, sentence };
    }
  }
}

/** What a figure must not be added over, in the words of its comment, and the columns that keep it apart. */
const OVER: readonly (readonly [RegExp, readonly string[]])[] = [
  [
    /over brands/,
    ['brand_id', 'brand_name', 'competitor_brand_id', 'competitor_brand_name', 'is_own_brand', 'relation'],
  ],
  [/windows/, ['window_start', 'window_end']],
  [/over measures/, ['measure']],
];

/** The sentence of a comment that forbids a sum or a mean. */
export function forbidden({ comment }: Origin, what: 'sum' | 'mean') {
  const sentences = comment.split(/(?<=\.)\s+/);
  const pattern =
    what === 'sum'
      ? /\b(do not|never) (sum|add)\b|: do not sum\b/i
      : /\bdo not [^.]*\baverage\b|\bnever [^.]*average\b/i;
  const sentence = sentences.find(
    (one) => pattern.test(one) && !/^Filter on one|different (scopes|grains|measures)/.test(one),
  );
  if (sentence === undefined) return null;
  return { sentence, over: OVER.find(([words]) => words.test(sentence))?.[1] ?? [] };
}

/** `avg(visibility)`. */
export function labelOf(call: Node, argument: Node | undefined): string {
  const name = textAt(call, 'function_name');
  if (name === 'count_star') return 'count(*)';
  const names = argument === undefined ? null : columnNames(argument);
  return `${name}(${names?.join('.') ?? '…'})`;
}
