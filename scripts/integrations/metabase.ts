import type { Example } from '../../src/guide/examples.ts';

/** Questions that are drawn, with a line or a group of bars for each project. */
const DISPLAYS: Readonly<Record<string, { display: string; x: string; y: string }>> = {
  month_over_month: { display: 'line', x: 'month_start', y: 'share_of_voice_pct' },
  weekday_pattern: { display: 'bar', x: 'day_name', y: 'share_of_voice_pct' },
  own_domain_citations: { display: 'line', x: 'month_start', y: 'own_citations_share_pct' },
  share_of_voice_by_model: { display: 'bar', x: 'model_id', y: 'share_of_voice_pct' },
};

/** A saved question as Metabase's `POST /api/card` takes it, without the numbers of database and collection. */
export interface MetabaseCard {
  name: string;
  description: string;
  display: string;
  visualization_settings: Record<string, unknown>;
  dataset_query: { type: 'native'; native: { query: string; 'template-tags': object } };
}

/** The questions of `sql/examples` as saved questions; charts tell two projects of one name apart. */
export function metabaseCards(examples: readonly Example[]): MetabaseCard[] {
  return examples.map(({ name, question, grain, caveat, key, sql }) => {
    const chart = DISPLAYS[name];
    const labelled = `select l.project_label, r.*
from (
${sql}
) r
join detail.project_labels l using (project_id)
order by l.project_label, ${key.slice(1).join(', ')}`;
    return {
      name: question,
      description: `Grain: ${grain}. Caveat: ${caveat}`,
      display: chart?.display ?? 'table',
      visualization_settings:
        chart === undefined
          ? {}
          : { 'graph.dimensions': [chart.x, 'project_label'], 'graph.metrics': [chart.y] },
      dataset_query: {
        type: 'native',
        native: { query: chart === undefined ? sql : labelled, 'template-tags': {} },
      },
    };
  });
}
