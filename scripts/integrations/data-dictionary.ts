import { type Column, type Relation, columnFacts } from './catalogue.ts';

const INTRODUCTION = `# Data dictionary

Generated from the comments in the database; \`npx vitest run test/bi/data-dictionary.test.ts -u\` writes it again.

Start with the views in \`main\`: they carry people's words, hold whole projects, whole days and whole calendar months
only, and are what BI tools should use. \`detail\` has the same views under the same names with everything: filters
(\`scope\`), weeks and months (\`grain\`), rolling windows (\`window_kind\`), the running day, removed prompts; and the
helpers. Below, \`detail\` lists only the columns that \`main\` lacks, or that mean something else there. \`core\` holds the facts as the API reports them, \`meta\` what the sync knows about itself.

Rules that hold everywhere:

- Missing is NULL, never 0. A day that was covered and had nothing says 0.
- Days and instants are UTC. \`is_final\` is false while a figure may still change.
- In \`detail\` and \`core\`, filter on **one** value of \`scope\`, \`grain\` and \`window_kind\`: rows of different scopes,
  grains or windows are the same answers counted again.
- In views with \`measure\`, \`window_days\` or \`level\`, filter on one of them.

A **key** is the set of columns that no two rows share.

## Which visibility is which

| Words | What it is | Where |
| --- | --- | --- |
| \`visibility\`, \`average_visibility\`, \`own_average_visibility\` | the **score** that the API computes, 0 to 100 | \`daily_kpis\`, \`visibility_with_events\`, \`action_impact\`; of each brand in \`brand_visibility_trend\` and \`competitor_gap\`; of each prompt, over all answers since it was created, in \`prompt_catalog\` and \`prompt_trend\` |
| \`visibility_pct\`, \`own_visibility_pct\`, \`competitor_visibility_pct\` | the **share of responses** that name a brand, percent, prompts of every type | \`brand_visibility_trend\`, \`competitor_gap\`, and by model in \`competitor_heatmap_latest\` and \`competitor_heatmap_trend\` |
| \`share_of_voice_pct\` | the share of **organic** responses that name your brand, percent | \`daily_kpis\`, \`share_of_voice_trend\` |
| \`mention_share_pct\` | the share of a brand in the **mentions** of all brands that are not ignored, percent | \`brand_mention_share\` |

They differ, and none is wrong: a score can lie below the share of responses in every model. Compare like with like, and
say in a chart which one it shows. \`organic_responses\` and \`organic_brand_mentions\` are what share of voice is computed
from; \`all_responses\` and \`all_brand_mentions\` count prompts of every type. What the trade calls "share of voice among
brands" is \`brand_mention_share\`.

A gap is always own less other: positive means that your brand is ahead (\`gap_points\` of shares, \`score_gap\` of scores).

Sentiment has the same trap: \`net_sentiment_pct\` divides by all responses, those without a known sentiment included, and
so follows visibility; \`net_sentiment_known_pct\` divides by \`known_count\`.

## When is a change news

\`typical_change\` is how far a difference of two means varies anyway, measured over the last 365 whole days of the project's
own series (\`detail.typical_changes\`). \`is_clear\` says that a change is news: its interval leaves 0 out. The action in the same row
need not be its cause.
`;

const CHAPTERS = [
  ['main', 'Views for analysts (`main`)'],
  ['detail', 'The views with everything (`detail`)'],
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
    const sections = relations.map((relation) => section(relation, twinOf(catalogue, relation)));
    return `## ${title}\n\n${list.join('\n')}\n\n${sections.join('\n')}`;
  });
  return `${INTRODUCTION}\n${chapters.join('\n')}`;
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
  const { meaning, unit, additivity, source } = columnFacts(column);
  const cells = [`\`${column.name}\``, column.type, plain(meaning), unit, plain(additivity), plain(source)];
  return `| ${cells.join(' | ')} |`;
}

const firstSentence = (text: string): string => /^.*?\.(?=\s|$)/.exec(text)?.[0] ?? text;

/** Text that Markdown shows unchanged. */
function plain(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('*', '\\*').replaceAll('\n', ' ');
}
