import { formatPercent, formatScore, formatShortCount, withSign } from './text.ts';
import type { Kpi } from './report-data.ts';

/** A measure of `main.kpi_changes`, in words. */
export interface Measure {
  key: string;
  title: string;
  hint: string;
  format: (value: number, like?: number) => string;
  /** How a change is said: in the measure's own unit, in points, or relative to before. */
  change: 'own' | 'points' | 'relative';
  /** Null: neither more nor less is better. */
  better: 'more' | null;
}

export const MEASURES: readonly Measure[] = [
  {
    key: 'visibility',
    title: 'Visibility score',
    hint: 'the API’s score, 0 to 100',
    format: formatScore,
    change: 'own',
    better: 'more',
  },
  {
    key: 'share_of_voice',
    title: 'Share of voice',
    hint: 'organic answers that name the brand',
    format: formatPercent,
    change: 'points',
    better: 'more',
  },
  {
    key: 'sentiment',
    title: 'Sentiment score',
    hint: 'the API’s score, 0 to 100',
    format: formatScore,
    change: 'own',
    better: 'more',
  },
  {
    key: 'net_sentiment_known',
    title: 'Net sentiment',
    hint: 'positive less negative, of known answers',
    format: formatPercent,
    change: 'points',
    better: 'more',
  },
  {
    key: 'citations',
    title: 'Citations',
    hint: 'a day, in AI answers',
    format: formatShortCount,
    change: 'relative',
    better: 'more',
  },
  {
    key: 'crawler_requests',
    title: 'AI crawler requests',
    hint: 'a day, to your site',
    format: formatShortCount,
    change: 'relative',
    better: null,
  },
  {
    key: 'ai_visits',
    title: 'Visits from AI',
    hint: 'a day, to your site',
    format: formatShortCount,
    change: 'relative',
    better: 'more',
  },
];

/** Title of a measure and how its values are written. */
export function measureWords(key: string): Pick<Measure, 'title' | 'format'> {
  return (
    MEASURES.find((measure) => measure.key === key) ?? {
      title: key.replaceAll('_', ' '),
      format: formatScore,
    }
  );
}

/** A change in words: how much, whether that is clear, and how to colour it. */
export interface ChangeWords {
  text: string;
  tone: 'good' | 'bad' | 'flat';
  /** Only where the change is clear. */
  arrow: '▲' | '▼' | null;
  /** The change compared with the usual variation of the series. */
  usual: string;
}

/** Null: there is nothing to compare with. */
export function changeWords(measure: Measure, kpi: Kpi): ChangeWords | null {
  const { change, previous, typical } = kpi;
  if (change === null || previous === null) return null;
  const sized = (size: number): string => {
    switch (measure.change) {
      case 'own':
        return measure.format(size, previous);
      case 'points':
        return `${size.toFixed(1)} pts`;
      case 'relative':
        return previous === 0 ? measure.format(size) : formatPercent((100 * size) / previous);
      default:
        return measure.change satisfies never;
    }
  };
  const text = withSign(change, sized);
  // A slow trend may make a small change clear against the trend; beside the usual size it would read as a mistake.
  const isClear = kpi.isClear && typical !== null && Math.abs(change) > typical && !text.startsWith('±');
  const tone = !isClear || measure.better === null ? 'flat' : change > 0 ? 'good' : 'bad';
  const usual =
    typical === null
      ? 'usual not known yet'
      : isClear
        ? `clear, usual ±${sized(typical)}`
        : `usual ±${sized(typical)}`;
  return { text, tone, arrow: isClear ? (change > 0 ? '▲' : '▼') : null, usual };
}
