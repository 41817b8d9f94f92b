import type { Column, Relation } from './catalogue.ts';
import { columnFacts } from './column-facts.ts';

const INTRODUCTION = `# Data dictionary

Generated from the comments in the database; \`npx vitest run test/bi/data-dictionary.test.ts -u\` writes it anew.

Start with the views in \`main\`: they carry people's words and are what BI tools should use. \`core\` holds the facts
as the API reports them, \`meta\` what the sync knows about itself.

Four rules that hold everywhere:

- Missing is NULL, never 0. A day that was covered and had nothing says 0.
- Days and instants are UTC. \`is_final\` is false while a figure may still change.
- Where a table has \`scope\` or \`grain\`, filter on **one** value of each. Rows of different scopes or grains are the same
  answers counted again.
- Rows with a \`window_kind\` answer for a whole window. Windows overlap; they are never added or averaged.

A **key** is the set of columns that no two rows share.
`;

const CHAPTERS = [
  ['main', 'Views for analysts (`main`)'],
  ['core', 'Facts (`core`)'],
  ['meta', 'The sync itself (`meta`)'],
] as const;

/** The data dictionary as Markdown. */
export function dataDictionary(catalogue: readonly Relation[]): string {
  const chapters = CHAPTERS.map(([schema, title]) => {
    const relations = catalogue.filter((relation) => relation.schema === schema);
    const list = relations.map(
      ({ name, comment }) => `- [\`${name}\`](#${schema}${name}): ${plain(firstSentence(comment))}`,
    );
    return `## ${title}\n\n${list.join('\n')}\n\n${relations.map((relation) => section(relation)).join('\n')}`;
  });
  return `${INTRODUCTION}\n${chapters.join('\n')}`;
}

function section({ schema, name, comment, key, columns }: Relation): string {
  const keyLine = key.length === 0 ? '' : `\nKey: ${key.map((column) => `\`${column}\``).join(', ')}\n`;
  const rows = columns.map((column) => row(column));
  return `### ${schema}.${name}

${plain(comment)}
${keyLine}
| Column | Type | Meaning | Unit | Adding up | Source |
| --- | --- | --- | --- | --- | --- |
${rows.join('\n')}
`;
}

function row(column: Column): string {
  const { meaning, unit, additivity, source } = columnFacts(column);
  const cells = [`\`${column.name}\``, column.type, plain(meaning), unit, plain(additivity), plain(source)];
  return `| ${cells.join(' | ')} |`;
}

const firstSentence = (text: string): string => /^.*?\.(?=\s|$)/.exec(text)?.[0] ?? text;

/** Text that Markdown shows as it is. */
function plain(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('*', '\\*').replaceAll('\n', ' ');
}
