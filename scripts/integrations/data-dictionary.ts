import { type Column, type Relation, columnFacts } from './catalogue.ts';

const CHAPTERS = [
  ['main', 'Views for analysts (`main`)'],
  ['detail', 'The views with everything (`detail`)'],
  ['core', 'Facts (`core`)'],
  ['meta', 'The sync itself (`meta`)'],
] as const;

/** The data dictionary as Markdown: the page on the views, and a chapter for each schema. */
export function dataDictionary(page: string, catalogue: readonly Relation[]): string {
  const chapters = CHAPTERS.map(([schema, title]) => {
    const relations = catalogue.filter((relation) => relation.schema === schema);
    const list = relations.map(
      ({ name, comment }) => `- [\`${name}\`](#${schema}${name}): ${plain(firstSentence(comment))}`,
    );
    return `## ${title}\n\n${list.join('\n')}\n\n${relations.map((relation) => section(relation)).join('\n')}`;
  });
  return `${page.replace(/^# .*/, '# Data dictionary')}\n${chapters.join('\n')}`;
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

/** Text that Markdown shows unchanged. */
function plain(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('*', '\\*').replaceAll('\n', ' ');
}
