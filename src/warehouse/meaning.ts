import { z } from 'zod';

/** Dimensions that a figure must not be added over; summing rows with one value of any of these columns is correct. */
const APART: Readonly<Record<string, readonly string[]>> = {
  brands: [
    'brand_id',
    'brand_name',
    'competitor_brand_id',
    'competitor_brand_name',
    'is_own_brand',
    'relation',
  ],
  measures: ['measure'],
  windows: ['window_start', 'window_end'],
};

/** The meaning of a column: its comment is generated from it, and `meta.columns` holds it for readers. */
export const meaningSchema = z.strictObject({
  /** Prose; `{unit}` is replaced by the unit. */
  meaning: z.string().min(1),
  /** `percent`, `percentage points`, `days`; left out: implied by the type (days, instants, whole numbers), or none. */
  unit: z.string().optional(),
  /** The dimension over which its values add up; left out: not a measure, or unknown. */
  adds: z
    .union([
      z.literal('never'),
      z.templateLiteral(['over ', z.string()]),
      z.templateLiteral(['not over ', z.string()]),
    ])
    .optional(),
  /** Whether the mean of its values is meaningful. Default: not if they never add up. */
  averages: z.boolean().optional(),
  /** The same value is repeated on several rows and counts once. */
  repeated: z.boolean().optional(),
  /** The categories that it distinguishes and a query must never mix, in the plural: `scopes`. */
  divides: z.string().optional(),
  /** The weight column for a mean. */
  weigh: z.string().optional(),
  /** The alternative to adding or averaging. */
  instead: z.string().optional(),
  /** Its source requests or tables: `GET v1 prompts`. */
  source: z.array(z.string()).readonly().optional(),
});
export type Meaning = z.output<typeof meaningSchema>;

/** The facts that accompany the prose of a meaning. */
export type Facts = Omit<Meaning, 'meaning'>;

export function isAdditive({ adds }: Facts): boolean {
  return adds?.startsWith('over ') === true;
}

/** Whether the sum of the values is meaningful. */
export function hasSums({ adds }: Facts): boolean {
  return adds === undefined || isAdditive({ adds });
}

/** Whether the mean of the values is meaningful. */
export function hasMeans({ adds, averages }: Facts): boolean {
  return averages ?? adds !== 'never';
}

/** The columns that separate values which must not be added; any one of them is enough. */
export function keptApartBy({ adds }: Facts): readonly string[] {
  return APART[adds?.replace(/^not over /, '') ?? ''] ?? [];
}

/** The sentence about sums and means; empty if none is needed. */
export function addingSentence(facts: Facts): string {
  const { adds, repeated = false, divides, weigh, instead } = facts;
  if (divides !== undefined) return `Filter on one; never add or average different ${divides}.`;
  const isMean = hasMeans(facts);
  const rule = adds === undefined ? (isMean ? '' : 'do not average') : ruleOf(adds, isMean);
  if (rule === '') return '';
  const said = repeated ? `repeated on every row: ${rule}` : rule;
  const tail = instead ?? (weigh === undefined ? undefined : `weigh it by ${weigh}`);
  return `${said.charAt(0).toUpperCase()}${said.slice(1)}${tail === undefined ? '' : `: ${tail}`}.`;
}

function ruleOf(adds: NonNullable<Meaning['adds']>, isMean: boolean): string {
  if (adds === 'never') return isMean ? 'do not sum' : 'do not sum or average';
  if (adds.startsWith('over ')) return isMean ? `adds up ${adds}` : `adds up ${adds}; do not average`;
  return `do not add ${adds.replace(/^not /, '')}${isMean ? '' : ', and do not average'}`;
}

/** The comment of a column. */
export function commentOf({ meaning, ...facts }: Meaning): string {
  const source = facts.source === undefined ? '' : `Source: ${facts.source.join(', ')}.`;
  const text = meaning.replaceAll('{unit}', facts.unit ?? '');
  return [text, addingSentence(facts), source].filter((part) => part !== '').join(' ');
}

/** The source that the answers of a path are: `GET v1 prompts` of `/api/v1/prompts`. */
export function sourceOf({ path, method = 'GET' }: { path: string; method?: string }): string {
  return `${method} ${path.replace(/^\/api\/([^/]+)\//, '$1 ')}`;
}
