import type { Column } from './catalogue.ts';

/** What a column's comment says, taken apart. */
export interface ColumnFacts {
  meaning: string;
  unit: string;
  /** Whether the values may be added up; '' where the column is no measure. */
  additivity: string;
  source: string;
}

const ADDITIVITY =
  /^(Do not|Adds up|Can be added|Never add|Repeated on every row|Minimum over|Maximum over|Windows overlap|Filter on one)/;

/** Takes the sentences of a comment apart: meaning, additivity, source. */
export function columnFacts({ name, type, comment }: Column): ColumnFacts {
  const [text = '', source = ''] = comment.split(/\s*Source: /, 2);
  const sentences = text.split(/(?<=\.)\s+(?=[A-Z])/);
  const isAdditivity = (sentence: string): boolean => ADDITIVITY.test(sentence);
  const additivity = sentences.filter(isAdditivity).join(' ');
  return {
    meaning: sentences.filter((sentence) => !isAdditivity(sentence)).join(' '),
    unit: unitOf({ name, type, text }),
    additivity,
    source: source.replace(/\.$/, ''),
  };
}

/** True for a count that may be added up along the rows of its view. */
export function isAdditive(column: Column): boolean {
  return /^(Adds up|Can be added)/.test(columnFacts(column).additivity);
}

function unitOf({ name, type, text }: { name: string; type: string; text: string }): string {
  if (type === 'DATE') return 'day (UTC)';
  if (type === 'TIMESTAMP') return 'instant (UTC)';
  if (type === 'BOOLEAN' || type.startsWith('VARCHAR')) return '';
  if (name.endsWith('_points') || /percentage points/.test(text)) return 'percentage points';
  if (name.endsWith('_pct') || /\bpercent\b/.test(text)) return 'percent';
  if (/_days(_|$)|^days_/.test(name) && type !== 'DOUBLE') return 'days';
  if (/rank/.test(name) && !/citations?_(count|with)/.test(name)) return 'rank, 1 is first';
  if (/scale as the API reports|in the unit of|[Mm]ean/.test(text)) return 'score of the API';
  return type === 'BIGINT' || /Citations less/.test(text) ? 'number' : '';
}
