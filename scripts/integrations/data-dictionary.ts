import { addingSentence } from '../../src/warehouse/meaning.ts';
import type { Column, Relation } from './catalogue.ts';

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
    const sections = relations.map((relation) => section(relation, twinOf(catalogue, relation)));
    return `## ${title}\n\n${list.join('\n')}\n\n${sections.join('\n')}`;
  });
  return `${page.replace(/^# .*/, '# Data dictionary')}\n${chapters.join('\n')}`;
}

/** The view of `main` with the name of one in `detail`. */
function twinOf(catalogue: readonly Relation[], { schema, name }: Relation): Relation | undefined {
  return schema === 'detail'
    ? catalogue.find((one) => one.schema === 'main' && one.name === name)
    : undefined;
}

/** @param twin whose columns are not repeated */
function section({ schema, name, comment, key, columns }: Relation, twin: Relation | undefined): string {
  const keyLine = key.length === 0 ? '' : `\nKey: ${key.map((column) => `\`${column}\``).join(', ')}\n`;
  const known = new Set(twin?.columns.map((column) => row(column)));
  const rows = columns.map((column) => row(column)).filter((line) => !known.has(line));
  const missing = (twin?.columns ?? []).filter((column) => columns.every((one) => one.name !== column.name));
  const without = missing.map((column) => `\`${column.name}\``).join(', ');
  const columnsOfTwin = `[\`main.${name}\`](#main${name})${without === '' ? '' : `, without ${without}`}`;
  const twinLine =
    twin === undefined ? '' : `\nThe columns of ${columnsOfTwin}${rows.length === 0 ? '' : ', and these'}.\n`;
  const table =
    '\n| Column | Type | Meaning | Unit | Adding up | Source |\n| --- | --- | --- | --- | --- | --- |\n';
  return `### ${schema}.${name}

${plain(comment)}
${keyLine}${twinLine}${rows.length === 0 ? '' : `${table}${rows.join('\n')}\n`}`;
}

function row(column: Column): string {
  const { name, type, meaning, unit = '', source } = column;
  const texts = [meaning, unit, addingSentence(column), source.join(', ')];
  const cells = [`\`${name}\``, type, ...texts.map(plain)];
  return `| ${cells.join(' | ')} |`;
}

const firstSentence = (text: string): string => /^.*?\.(?=\s|$)/.exec(text)?.[0] ?? text;

/** Text that Markdown shows unchanged. */
function plain(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('*', '\\*').replaceAll('\n', ' ');
}
