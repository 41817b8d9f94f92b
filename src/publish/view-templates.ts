/** What the files of `sql/views` share, from `sql/view-parts`. */
export interface ViewParts {
  /** Text for `{{name}}`. */
  texts: ReadonlyMap<string, string>;
  /** Comment on a column, as an SQL literal, by the name a `-- comments:` line gives it. */
  comments: ReadonlyMap<string, string>;
}

const REPEATED = /^-- for (\w+) in (.*)\n/m;
const BLOCK = /^ *-- for ([\w|]+) in (.*)\n((?:(?! *-- for ).*\n)*?) *-- end for\n/gm;
const COMMENTS = /^-- comments: (.*)$/gm;
const PLACE = /\{\{(\w+)((?: \w+=\w+)*)\}\}/g;
const GIVEN = /(\w+)=(\w+)/g;

/**
 * The SQL of one view file. `-- for measure in visibility, sentiment` makes the rest of the file once for each word, and
 * with a line `-- end for` the lines between; there a word may have companions: `-- for days|before in 7|6, 28|27`.
 * `{{name}}` is a part, `{{name only=other}}` one in which `{{only}}` is the part `other`; `-- comments: project_id, date = day` puts the shared comments on columns of the view.
 * @throws Error on a part or a comment that does not exist
 */
export function expandView(file: string, parts: ViewParts): string {
  const sql = expandBlocks(file);
  const [line, name = '', words = ''] = REPEATED.exec(sql) ?? [];
  if (line === undefined) return expandOnce(sql, parts.texts, parts.comments);
  const text = sql.replace(line, '');
  return words
    .split(', ')
    .map((word) => expandOnce(text, new Map([...parts.texts, [name, word]]), parts.comments))
    .join('\n');
}

function expandBlocks(sql: string): string {
  return sql.replaceAll(BLOCK, (...match: string[]) => {
    const [, names = '', words = '', text = ''] = match;
    return words
      .split(', ')
      .map((word) => fillBlock(text, names.split('|'), word.split('|')))
      .join('');
  });
}

function fillBlock(text: string, names: readonly string[], words: readonly string[]): string {
  return text.replaceAll(PLACE, (place, name: string) => words[names.indexOf(name)] ?? place);
}

function expandOnce(sql: string, texts: ViewParts['texts'], comments: ViewParts['comments']): string {
  const filled = fill(sql, texts);
  const view = /create view main\.(\w+)/.exec(filled)?.[1] ?? '';
  return filled.replaceAll(COMMENTS, (_, columns: string) =>
    columns
      .split(', ')
      .map((entry) => {
        const [column = '', shared = column] = entry.split(' = ');
        return `comment on column main.${view}.${column} is ${found(comments, shared, 'comment')};`;
      })
      .join('\n'),
  );
}

function fill(text: string, texts: ViewParts['texts']): string {
  return text.replaceAll(PLACE, (_, name: string, given: string) => {
    const own = [...given.matchAll(GIVEN)].map(
      ([, word = '', part = '']) => [word, found(texts, part, 'part')] as const,
    );
    return fill(expandBlocks(found(texts, name, 'part')).trim(), new Map([...texts, ...own]));
  });
}

function found(map: ReadonlyMap<string, string>, name: string, kind: string): string {
  const text = map.get(name);
  if (text === undefined) throw new Error(`sql/view-parts has no ${kind} ${name}`);
  return text;
}
