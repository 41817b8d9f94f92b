/** Where the parenthesis at `open` is closed; quoted text counts for nothing. @throws Error when it is not closed */
export function closingParenthesis(sql: string, open: number): number {
  let depth = 0;
  let isText = false;
  for (let index = open; index < sql.length; index += 1) {
    const character = sql[index];
    if (character === "'") isText = !isText;
    if (isText) continue;
    if (character === '(') depth += 1;
    if (character === ')') depth -= 1;
    if (depth === 0) return index;
  }
  throw new Error(`a parenthesis is not closed: ${sql.slice(open, open + 80)}`);
}

/** The arguments of a call, without the spaces around them. */
export function splitArguments(given: string): string[] {
  const parts: string[] = [];
  let start = 0;
  for (let index = 0; index < given.length; index += 1) {
    if (given[index] === '(') index = closingParenthesis(given, index);
    if (given[index] === ',') {
      parts.push(given.slice(start, index).trim());
      start = index + 1;
    }
  }
  return [...parts, given.slice(start).trim()];
}
