import { isObject } from '../endpoints/field.ts';
import type { Origin } from './relations.ts';
import * as ast from './statement.ts';

/** The facts about a query, a view or a table that decide what its rows allow. */
export interface Relation {
  alias: string;
  /** By lower-case name; null if the column is computed. */
  columns: ReadonlyMap<string, Origin | null>;
  /** Columns whose values must not be mixed and are not fixed to one value yet. */
  open: ReadonlyMap<string, Origin>;
  key: readonly string[] | null;
}

/** Values that an expression, a column if there is one, is compared with; `isOpen` excludes the value itself. */
interface Comparison {
  column: ast.Node;
  kind: 'equal' | 'like' | 'from' | 'to';
  values: ast.Node[];
  isOpen: boolean;
}

/** For a table function, or a name that the file does not have. */
export const NOTHING: Relation = { alias: '', columns: new Map(), open: new Map(), key: null };

/** The relations of the FROM clause, and their joins. */
export class Place {
  readonly relations: readonly Relation[];
  readonly #joined = new Set<string>();
  /** Columns that the joins equate. */
  readonly #equal: [string, string][] = [];

  constructor(relations: readonly Relation[], usings: readonly string[]) {
    this.relations = relations;
    for (const column of usings) {
      const both = relations
        .filter(({ columns }) => columns.has(column))
        .map(({ alias }) => `${alias}.${column}`);
      for (const one of both) {
        this.#joined.add(one);
        for (const other of both) this.#equal.push([one, other]);
      }
    }
    // Two names of one window: fixing either fixes the other.
    for (const { alias, columns } of relations)
      for (const [name, origin] of columns)
        for (const [twin, other] of columns)
          if (
            origin?.facts.divides !== undefined &&
            origin.facts.divides === other?.facts.divides &&
            name < twin
          )
            this.#equal.push([`${alias}.${name}`, `${alias}.${twin}`]);
  }

  /** `relation.column` of a plain column; null for any other expression. */
  reference(expression: ast.Node): string | null {
    const names = ast.columnNames(ast.withoutCasts(expression));
    if (names === null) return null;
    const column = names.at(-1) ?? '';
    const alias = names.at(-2);
    const relation = this.relations.find((one) =>
      alias === undefined ? one.columns.has(column) : one.alias === alias && one.columns.has(column),
    );
    return relation === undefined ? null : `${relation.alias}.${column}`;
  }

  references(expressions: readonly ast.Node[]): string[] {
    return expressions.map((one) => this.reference(one)).filter((one) => one !== null);
  }

  #found(reference: string | null): { relation: Relation; origin: Origin | null } | null {
    const relation = this.relations.find((one) => reference?.startsWith(`${one.alias}.`) === true);
    if (reference === null || relation === undefined) return null;
    return { relation, origin: relation.columns.get(reference.slice(relation.alias.length + 1)) ?? null };
  }

  origin(expression: ast.Node): Origin | null {
    return this.#found(this.reference(expression))?.origin ?? null;
  }

  /** The same expressions over the columns of `calendar`, without those about anything except days. */
  onCalendar(expressions: readonly ast.Node[]): ast.Node[] {
    const ofDays = expressions.filter((expression) => {
      const columns = [...ast.walk(expression)].filter((one) => ast.columnNames(one) !== null);
      const origins = columns.map((one) => this.origin(one));
      return origins.length > 0 && origins.every((one) => one?.view === 'calendar' || one?.column === 'date');
    });
    const written: unknown = JSON.parse(JSON.stringify({ ofDays }), (_, value: unknown) => {
      const origin = isObject(value) && ast.columnNames(value) !== null ? this.origin(value) : null;
      return isObject(value) && origin !== null ? { ...value, column_names: [origin.column] } : value;
    });
    return isObject(written) ? ast.nodesAt(written, 'ofDays') : [];
  }

  relationsOf(expression: ast.Node): Relation[] {
    const found = [...ast.walk(expression)].flatMap(
      (one) => this.#found(this.reference(one))?.relation ?? [],
    );
    return [...new Set(found)];
  }

  /** What a condition compares. */
  comparisons(condition: ast.Node): Comparison[] {
    const type = ast.textAt(condition, 'type');
    if (type === 'COMPARE_BETWEEN') {
      const [column = {}, lower = {}, upper = {}] = ast.nodesAt(condition, 'input', 'lower', 'upper');
      return [
        { column, kind: 'from', values: [lower], isOpen: false },
        { column, kind: 'to', values: [upper], isOpen: false },
      ];
    }
    const isPattern = /^~~\*?$/.test(ast.textAt(condition, 'function_name'));
    const sides = ast.nodesAt(condition, 'left', 'right');
    const isTurned = sides.length > 0 && this.origin(ast.withoutCasts(sides[0] ?? {})) === null;
    const compared = isTurned ? sides.toReversed() : sides;
    const isList = isPattern || type === 'COMPARE_IN';
    const [column, ...values] = isList ? ast.nodesAt(condition, 'children') : compared;
    if (column === undefined) return [];
    const isOpen = type.endsWith('THAN');
    if (isPattern) return [{ column, kind: 'like', values, isOpen }];
    if (/^COMPARE_(EQUAL|NOT_DISTINCT_FROM|IN)$/.test(type))
      return [{ column, kind: 'equal', values, isOpen }];
    if (!/^COMPARE_(GREATER|LESS)THAN/.test(type)) return [];
    return [{ column, kind: /GREATER/.test(type) === isTurned ? 'to' : 'from', values, isOpen }];
  }

  /** Columns that the conditions fix to one value, with those equated to them. */
  pins(conditions: readonly ast.Node[]): Set<string> {
    const pinned = new Set(this.references(conditions));
    for (const { column, kind, values } of conditions.flatMap((one) => this.comparisons(one))) {
      const [one, other] = [column, ...values].map((side) => this.reference(side));
      const found = this.#found(one ?? null);
      // Days with a fixed end do not continue.
      if (kind === 'to' && found?.origin?.column === 'date')
        pinned.add(`${found.relation.alias}.is_whole_day`);
      if (kind !== 'equal' || values.length !== 1) continue;
      if (one && other) {
        this.#equal.push([one, other]);
        this.#joined.add(one).add(other);
      } else if (one ?? other) pinned.add(one ?? other ?? '');
    }
    // A name identifies one project.
    for (const one of pinned) if (one.endsWith('.project_name')) pinned.add(one.replace(/name$/, 'id'));
    return this.spread(pinned);
  }

  /** These columns with all that equal one of them. */
  spread(columns: Iterable<string>): Set<string> {
    const found = new Set(columns);
    for (let size = -1; size < found.size;) {
      size = found.size;
      for (const [one, other] of this.#equal) {
        if (found.has(one)) found.add(other);
        if (found.has(other)) found.add(one);
      }
    }
    return found;
  }

  /** Columns of a relation's key that are neither fixed nor grouped by; for an entity, its id, its name or a mark of it suffices. */
  freeKeys({ alias, key }: Relation, told: ReadonlySet<string>): string[] {
    const stemOf = (column: string): string => column.replace(/_(id|name)$/, '');
    const names = [...told].flatMap((one) =>
      one.startsWith(`${alias}.`) ? [one.slice(alias.length + 1)] : [],
    );
    return (key ?? []).filter((column) => {
      const stem = stemOf(column);
      // `competitor_brand_id` and `competitor_name` identify each other.
      const isTwin = (name: string): boolean =>
        /_(id|name)$/.test(column) &&
        /_(id|name)$/.test(name) &&
        (name.startsWith(`${stem}_`) || column.startsWith(`${stemOf(name)}_`));
      return !names.some((name) => stemOf(name) === stem || name.endsWith(`_${stem}`) || isTwin(name));
    });
  }

  isJoined(relation: Relation, column: string): boolean {
    return this.#joined.has(`${relation.alias}.${column}`);
  }

  /** Whether the dimension that a figure does not add up over is fixed or grouped by. */
  isToldBy(argument: ast.Node, { of }: Origin, told: ReadonlySet<string>): boolean {
    const { alias, columns } = this.#found(this.reference(argument))?.relation ?? NOTHING;
    return of.some((column) => columns.has(column) && told.has(`${alias}.${column}`));
  }
}

interface SelectParts {
  place: Place;
  pinned: ReadonlySet<string>;
  /** Null: the rows are not grouped. */
  grouped: readonly string[] | null;
}

/** The columns of a query's result, and those that its rows still mix. */
export function outputOf(list: readonly ast.Node[], { place, pinned, grouped }: SelectParts): Relation {
  const columns = new Map<string, Origin | null>();
  const names = new Map<string, string>();
  for (const item of list) {
    if (ast.textAt(item, 'type') === 'STAR') {
      const relation = ast.textAt(item, 'relation_name').toLowerCase();
      const left = ast.textsAt(item, 'exclude_list').map((name) => name.toLowerCase());
      for (const one of place.relations) {
        if (relation !== '' && one.alias !== relation) continue;
        for (const [name, origin] of one.columns) {
          if (left.includes(name)) continue;
          columns.set(name, origin);
          names.set(`${one.alias}.${name}`, name);
        }
      }
      continue;
    }
    const reference = place.reference(item);
    const alias = ast.textAt(item, 'alias').toLowerCase();
    const name = alias === '' ? (ast.columnNames(item)?.at(-1) ?? ast.textAt(item, 'function_name')) : alias;
    columns.set(name, reference === null ? null : place.origin(item));
    if (reference !== null) names.set(reference, name);
  }
  const open = new Map<string, Origin>();
  for (const relation of place.relations) {
    for (const [column, origin] of relation.open) {
      const reference = `${relation.alias}.${column}`;
      if (pinned.has(reference)) continue;
      if (grouped !== null && !grouped.includes(reference)) continue;
      const [shown] = [...place.spread([reference])].flatMap((one) => names.get(one) ?? []);
      open.set(shown ?? reference, origin);
    }
  }
  const [only, ...others] = place.relations;
  const ownKey = others.length > 0 ? undefined : only?.key?.map((column) => `${only.alias}.${column}`);
  const keyed = grouped ?? ownKey?.filter((reference) => !pinned.has(reference));
  const key = keyed?.flatMap((reference) => names.get(reference) ?? []) ?? null;
  // After grouping, a figure is no longer repeated on several rows.
  for (const [name, origin] of grouped === null ? [] : columns)
    if (origin?.facts.repeated === true) columns.set(name, { ...origin, facts: {} });
  return { alias: '', columns, open, key: key?.length === keyed?.length ? key : null };
}

/** A relation with renamed columns. */
export function withColumnNames(relation: Relation, aliases: readonly string[]): Relation {
  if (aliases.length === 0) return relation;
  const names = [...relation.columns.keys()];
  const nameOf = (name: string): string => aliases[names.indexOf(name)]?.toLowerCase() ?? name;
  return {
    ...relation,
    columns: new Map([...relation.columns].map(([name, origin]) => [nameOf(name), origin])),
    open: new Map([...relation.open].map(([name, origin]) => [nameOf(name), origin])),
    key: relation.key?.map(nameOf) ?? null,
  };
}
