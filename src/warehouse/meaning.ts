import { z } from 'zod';

/** Columns that tell apart what a figure does not add up over: a sum over rows of one value of any of them is right. */
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

/** What a column means: its comment is printed from it, and `meta.columns` shows it to readers. */
export const meaningSchema = z.strictObject({
  /** Sentences for people; `{unit}` stands for the unit. */
  meaning: z.string().min(1),
  /** `percent`, `percentage points`, `days`; left out: as the type says (days, instants, whole numbers), or none. */
  unit: z.string().optional(),
  /** What its values may be added up over; left out: it is no measure, or nobody knows. */
  adds: z
    .union([
      z.literal('never'),
      z.templateLiteral(['over ', z.string()]),
      z.templateLiteral(['not over ', z.string()]),
    ])
    .optional(),
  /** Whether a mean of its values is right. Default: not for what adds up never. */
  averages: z.boolean().optional(),
  /** One value stands on several rows, and counts once. */
  repeated: z.boolean().optional(),
  /** What it tells apart and a query must never mix, in the plural: `scopes`. */
  divides: z.string().optional(),
  /** The column to weigh it by in a mean. */
  weigh: z.string().optional(),
  /** What to do in place of adding or averaging. */
  instead: z.string().optional(),
  /** Requests or tables that it comes from: `GET v1 prompts`. */
  source: z.array(z.string()).readonly().optional(),
});
export type Meaning = z.output<typeof meaningSchema>;

/** The facts beside the text of a meaning. */
export type Facts = Omit<Meaning, 'meaning'>;

export function isAdditive({ adds }: Facts): boolean {
  return adds?.startsWith('over ') === true;
}

/** Whether a sum of the values is right. */
export function hasSums({ adds }: Facts): boolean {
  return adds === undefined || isAdditive({ adds });
}

/** Whether a mean of the values is right. */
export function hasMeans({ adds, averages }: Facts): boolean {
  return averages ?? adds !== 'never';
}

/** The columns that tell apart what the values are not added over; any of them does. */
export function keptApartBy({ adds }: Facts): readonly string[] {
  return APART[adds?.replace(/^not over /, '') ?? ''] ?? [];
}

/** The sentence about sums and means; empty where there is nothing to say. */
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
  return `${method} ${path.replace(/^\/api\//, '').replace('/', ' ')}`;
}
