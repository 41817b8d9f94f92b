import { closingParenthesis, splitArguments } from './calls.ts';

/*
 * The views are written in SQL that both databases understand; what is left is this table, and the functions in sql/postgres, which
 * have the names and meanings that DuckDB gives them.
 */

/** Words for words. */
const WORDS: readonly (readonly [RegExp, string])[] = [
  [/\bas double\b/g, 'as double precision'],
  // Whole numbers times such a literal are doubles in DuckDB's divisions, and exact numbers, which are slow, in PostgreSQL.
  [/\b(\d+\.\d+) \*/g, "double precision '$1' *"],
  // PostgreSQL puts NULL first where the largest comes first.
  [/\bdesc\b(?! nulls)/g, 'desc nulls last'],
  // Wherever the views ask for any value, all of them are the same; PostgreSQL 16 is the first to know any_value.
  [/\bany_value\(/g, 'min('],
  [/\blower\(/g, 'meta.lower_case('],
];

/** Calls that need more than another name. */
const CALLS: Readonly<Record<string, (given: string) => string>> = {
  try_cast: (given) => {
    const [, value = '', type = ''] = /^([\s\S]*)\bas (\w+)\s*$/.exec(given) ?? [];
    return `meta.try_${type}(${value.trim()})`;
  },
  max_by: (given) => {
    const [value = '', by = ''] = splitArguments(given);
    return `(array_agg(${value} order by ${by} desc) filter (where ${value} is not null and ${by} is not null))[1]`;
  },
};

const FILTER = /^\s*filter \(/;
/** How the only rewritten call that may be filtered ends. */
const FILTERED_END = '))[1]';

/** A query of `sql/views` in the words of PostgreSQL. */
export function inPostgres(query: string): string {
  const called = Object.entries(CALLS).reduce((sql, [name, write]) => rewriteCalls(sql, name, write), query);
  return WORDS.reduce((sql, [word, other]) => outsideTexts(sql, (part) => part.replace(word, other)), called);
}

function rewriteCalls(sql: string, name: string, write: (given: string) => string): string {
  const start = new RegExp(`\\b${name}\\(`).exec(sql);
  if (start === null) return sql;
  const open = start.index + name.length;
  const close = closingParenthesis(sql, open);
  const rest = sql.slice(close + 1);
  const written = write(rewriteCalls(sql.slice(open + 1, close), name, write));
  const filter = written.endsWith(FILTERED_END) ? FILTER.exec(rest) : null;
  const before = sql.slice(0, start.index);
  if (filter === null) return before + written + rewriteCalls(rest, name, write);
  // The filter of the call joins the one that it brings.
  const end = closingParenthesis(rest, filter[0].length - 1);
  const condition = rest.slice(filter[0].length, end).replace(/^where /, '');
  const joined = `${written.slice(0, -FILTERED_END.length)} and ${condition}${FILTERED_END}`;
  return before + joined + rewriteCalls(rest.slice(end + 1), name, write);
}

/** Changes what is not inside quotes or comments. */
function outsideTexts(sql: string, change: (part: string) => string): string {
  return sql
    .split(/('(?:[^']|'')*'|"[^"]*"|--.*)/)
    .map((part, index) => (index % 2 === 0 ? change(part) : part))
    .join('');
}
