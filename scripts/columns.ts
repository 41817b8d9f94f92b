import { z } from 'zod';
import { openCatalogue } from '../src/endpoints/catalogue.ts';
import { readSqlData } from '../src/files.ts';
import { commentOf, hasMeans, keptApartBy, meaningSchema, sourceOf } from '../src/warehouse/meaning.ts';
import { quoteIdentifier, quoteLiteral } from '../src/warehouse/sql.ts';

const entry = z.union([
  z.string().transform((meaning): z.output<typeof meaningSchema> => ({ meaning })),
  meaningSchema.extend({
    source: z.union([z.string().transform((source) => [source]), meaningSchema.shape.source]),
  }),
]);
const entries = z.record(z.string(), entry);
type Entry = z.output<typeof entry>;

/** A column as DuckDB has it. */
interface Column {
  schema: string;
  relation: string;
  name: string;
  type: string;
}

/** What columns mean, as the files of `sql/columns` and the declarations of endpoints say it. */
export class Meanings {
  readonly #files = new Map(
    ['views', 'meta'].map((name) => [
      name,
      z
        .strictObject({ shared: entries, relations: z.record(z.string(), entries) })
        .parse(readSqlData(`columns/${name}`)),
    ]),
  );
  readonly #used = new Set<Entry>();
  readonly #catalogue = openCatalogue();
  readonly #sources = new Map(
    this.#catalogue.all.map((endpoint) => [endpoint.name, sourceOf(endpoint)] as const),
  );

  /** Each column with what it means in its relation, of which all columns are given. @throws Error where `sql/columns` does not say it */
  of(columns: readonly Column[]) {
    const places = new Set(columns.map(placeOf));
    return columns.map((column) => {
      const found = this.#find(column);
      this.#used.add(found);
      const source = found.source?.map((one) => this.#sources.get(one) ?? one);
      const endpoints = [...this.#sources].filter(([, one]) => source?.includes(one) === true);
      return {
        ...column,
        endpoints: endpoints.map(([name]) => name),
        meaning: {
          ...inRelation(found, (name) => places.has(placeOf({ ...column, name }))),
          ...(source && { source }),
        },
      };
    });
  }

  #find({ schema, relation, name }: Column): Entry {
    const file = this.#files.get(schema) ?? this.#files.get('views');
    const declared = this.#catalogue.tables.find(
      (table) => table.schema === schema && table.name === relation,
    );
    const found =
      declared?.columns.find((column) => column.name === name)?.meaning ??
      file?.relations[relation]?.[name] ??
      file?.shared[name];
    if (found === undefined) throw new Error(`sql/columns has no meaning of ${relation}.${name}`);
    return found;
  }

  /** @throws Error where an entry is about no column */
  requireAllUsed(): void {
    for (const { shared, relations } of this.#files.values()) {
      for (const [relation, found] of [...Object.entries(relations), ['shared', shared] as const])
        for (const [name, one] of Object.entries(found))
          if (!this.#used.has(one)) throw new Error(`sql/columns: no column takes ${relation}.${name}`);
    }
  }
}

type MeantColumn = ReturnType<Meanings['of']>[number];

/** What a column means among the others of its relation: periods are days where there is no grain, and windows that overlap do not add up as months do. */
function inRelation(meaning: Entry, has: (column: string) => boolean): Entry {
  const hasGrain = has('grain');
  const [day, period] = hasGrain ? ['First day of the period', 'period'] : ['Day', 'day'];
  const periods = hasGrain ? '$1over periods of one grain' : '$1over days';
  const { adds } = meaning;
  const overlaps = adds === 'over months' && has('window_kind');
  return {
    ...meaning,
    meaning: meaning.meaning.replaceAll('{day}', day).replaceAll('{period}', period),
    ...(adds && {
      adds: overlaps
        ? 'not over windows'
        : meaningSchema.shape.adds.parse(adds.replace(/^(not )?over periods/, periods)),
    }),
  };
}

const placeOf = ({ schema, relation, name }: Column): string =>
  `${schema}.${relation}.${quoteIdentifier(name)}`;

/** The statements that put the comments on columns. */
export function commentsSql(columns: readonly MeantColumn[]): string {
  const lines = columns.map(
    (column) => `comment on column ${placeOf(column)} is ${quoteLiteral(commentOf(column.meaning))};\n`,
  );
  return lines.join('');
}

const UNITS: Readonly<Record<string, string>> = {
  BIGINT: 'number',
  DATE: 'day (UTC)',
  INTEGER: 'number',
  TIMESTAMP: 'instant (UTC)',
};

const listed = (texts: readonly string[]): string | null => (texts.length === 0 ? null : texts.join(', '));

/** The rows of `meta.columns`. */
export function columnRows(columns: readonly MeantColumn[]) {
  const places = new Set(columns.map(placeOf));
  return columns.map((column) => {
    const { schema, relation, name, type, meaning, endpoints } = column;
    const apart = keptApartBy(meaning).filter((other) => places.has(placeOf({ ...column, name: other })));
    const isFigure = meaning.adds !== undefined || meaning.averages !== undefined;
    return {
      schema_name: schema,
      view_name: relation,
      column_name: name,
      meaning: meaning.meaning.replaceAll('{unit}', meaning.unit ?? ''),
      unit: meaning.unit ?? UNITS[type] ?? null,
      adds: meaning.adds ?? null,
      weigh_by: meaning.weigh ?? null,
      of: listed(apart),
      source: listed(meaning.source ?? []),
      endpoints: listed(endpoints),
      divides: meaning.divides ?? null,
      instead: meaning.instead ?? null,
      has_means: isFigure ? hasMeans(meaning) : null,
      is_repeated: meaning.repeated === true,
    };
  });
}
