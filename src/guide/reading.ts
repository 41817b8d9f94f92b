import { NOTHING, outputOf, Place, type Relation, withColumnNames } from './place.ts';
import { addingSentence, isAdditive } from '../warehouse/meaning.ts';
import * as doubts from './doubts.ts';
import { type BaseRelation, type Catalogue, isDivider, type Origin } from './relations.ts';
import * as ast from './statement.ts';
import type { Node } from './statement.ts';

/** The findings of reading a statement. */
export interface StatementReading {
  warnings: Set<string>;
  /** The range of days of the rows. */
  bounds: Bound[];
  /** The same for each FILTER and CASE. */
  cases: Bound[][];
  /** Columns of views and tables that the statement names, and the views that it reads. */
  used: Map<string, Origin>;
  views: Map<string, BaseRelation>;
  /** Columns compared with a constant for equality. */
  filters: { origin: Origin; values: string[]; isPattern: boolean }[];
  /** The columns by which sums and counts are grouped or fixed, and the conditions of their rows, over the columns of `calendar`. */
  periods: { names: Node[]; conditions: Node[] }[];
  /** Key columns of lists whose entries are counted. */
  counted: Set<Origin>;
  /** The expressions that order the rows, over the columns of `calendar`. */
  orders: Node[];
  /** Verdicts for which a share counts NULL as no, and the statement of its rows. */
  verdicts: { origin: Origin; rows: Node }[];
}

/** A first or last day; `isOpen` excludes the day itself. */
export interface Bound {
  side: 'from' | 'to';
  expression: Node;
  isOpen: boolean;
}

const ADDS: readonly string[] = ['sum', 'fsum', 'sum_no_overflow', 'kahan_sum', 'sumkahan'];
const MEANS = /^(favg|avg|mean|median|mode|quantile(_cont|_disc)?|stddev(_samp)?)$/;
const COUNTS: readonly string[] = ['count', 'count_star'];

/** Reads the syntax tree of a statement. */
export function readStatement(tree: Node, catalogue: Catalogue): StatementReading {
  const reading: StatementReading = {
    warnings: new Set(),
    bounds: [],
    cases: [],
    used: new Map(),
    views: new Map(),
    filters: [],
    periods: [],
    counted: new Set(),
    orders: [],
    verdicts: [],
  };
  const result = new Reader(catalogue, reading).query(tree, new Map());
  for (const [name, { view, column }] of result.open) {
    if (result.columns.has(name)) continue;
    reading.warnings.add(
      column === 'is_whole_day' || column === 'is_whole_window'
        ? `${view} holds periods that are not over: filter on ${column}, or read the view of main.`
        : `The rows mix every ${column} of ${view}: filter on one, or show ${column}.`,
    );
  }
  return reading;
}

/** What FROM offers, and the columns that are held to one value or grouped by. */
interface Told {
  place: Place;
  told: ReadonlySet<string>;
  /** Columns anywhere in what the rows are grouped by. */
  named: ReadonlySet<string>;
}

type Scope = ReadonlyMap<string, Relation>;

class Reader {
  readonly #catalogue: Catalogue;
  readonly #reading: StatementReading;

  constructor(catalogue: Catalogue, reading: StatementReading) {
    this.#catalogue = catalogue;
    this.#reading = reading;
  }

  query(node: Node, outer: Scope): Relation {
    const scope = new Map(outer);
    for (const entry of ast.nodesAt(ast.nodeAt(node, 'cte_map') ?? {}, 'map')) {
      const value = ast.nodeAt(entry, 'value') ?? {};
      const query = ast.nodeAt(ast.nodeAt(value, 'query') ?? {}, 'node');
      if (query === null) continue;
      const cte = withColumnNames(this.query(query, scope), ast.textsAt(value, 'aliases'));
      scope.set(ast.textAt(entry, 'key').toLowerCase(), cte);
    }
    if (ast.textAt(node, 'type') === 'SELECT_NODE') return this.#select(node, scope);
    const children = ast.nodesAt(node, 'left', 'right', 'children');
    const read = children.map((child) => this.query(child, scope));
    const [first] = read;
    if (first === undefined) return NOTHING;
    this.#judgeUnion(children, read);
    return { ...first, key: null, open: new Map(read.flatMap(({ open }) => [...open])) };
  }

  #select(node: Node, scope: Scope): Relation {
    const conditions = ast.conjuncts(ast.nodeAt(node, 'where_clause'));
    const usings: string[] = [];
    const from = ast.nodeAt(node, 'from_table');
    const relations = from === null ? [] : this.#relations(from, { scope, conditions, usings });
    const place = new Place(relations, usings);
    const list = ast.nodesAt(node, 'select_list');
    const groups = groupsOf(node, list, this.#catalogue.aggregates);
    const chosen = ast.nodesAt(node, 'having', 'qualify');
    for (const expression of [...list, ...conditions, ...chosen]) {
      for (const query of ast.queriesIn(expression)) this.query(query, scope);
      for (const one of ast.walk(expression)) this.#use(place.origin(one));
    }
    this.#reading.bounds.push(...boundsOf(conditions, place));
    this.#filters(conditions, place);
    for (const expression of list)
      for (const condition of doubts.casesOf(expression)) {
        const bounds = boundsOf(ast.conjuncts(condition), place);
        if (bounds.length > 0) this.#reading.cases.push(bounds);
      }
    const pinned = place.pins(conditions);
    const calls = [...list, ...chosen].flatMap((one) =>
      [...ast.walk(one)].filter((part) => this.#catalogue.aggregates.has(ast.textAt(part, 'function_name'))),
    );
    const isGrouped = groups !== null || calls.some((call) => ast.textAt(call, 'class') === 'FUNCTION');
    const grouped = place.references(groups ?? []);
    const named = new Set(place.references((groups ?? []).flatMap((group) => [...ast.walk(group)])));
    for (const call of calls) {
      const filter = place.pins(ast.conjuncts(ast.nodeAt(call, 'filter')));
      const isWindow = ast.textAt(call, 'class') === 'WINDOW';
      const apart = isWindow ? place.references(ast.nodesAt(call, 'partitions')) : grouped;
      this.#judge(call, { place, told: place.spread([...pinned, ...filter, ...apart]), named });
    }
    const isCount = (call: Node): boolean => COUNTS.includes(ast.textAt(call, 'function_name'));
    const countsRows = calls.some((call) => isCount(call) && call['distinct'] !== true);
    const sums = calls.some((call) =>
      isCount(call) ? call['distinct'] === true : ADDS.includes(ast.textAt(call, 'function_name')),
    );
    // Rows that are counted next to a sum reveal a short period themselves.
    if (sums !== countsRows) {
      const names = place.onCalendar([...(groups ?? []), ...conditions.flatMap((one) => heldTo(one, place))]);
      if (names.length > 0) this.#reading.periods.push({ names, conditions: place.onCalendar(conditions) });
    }
    if (!isGrouped) for (const expression of list) this.#judgeOrders(expression, place, pinned);
    const parts = { node, list, place, pinned, calls, isOneRow: isGrouped && groups === null };
    for (const warning of doubts.doubtsOf(parts)) this.#reading.warnings.add(warning);
    this.#reading.orders.push(...place.onCalendar(doubts.ordersOf(node, list)));
    for (const origin of doubts.verdictsOf(parts)) this.#reading.verdicts.push({ origin, rows: node });
    const output = outputOf(list, { place, pinned, grouped: isGrouped ? grouped : null });
    // The text does not show which columns separate the rows of a DISTINCT.
    const isUnknown = ast.nodesAt(node, 'group_expressions').length === 0 && isDistinct(node);
    return isUnknown ? { ...output, key: null } : output;
  }

  #relations(node: Node, parts: { scope: Scope; conditions: Node[]; usings: string[] }): Relation[] {
    const { scope, conditions, usings } = parts;
    const name = ast.textAt(node, 'table_name').toLowerCase();
    const alias = ast.textAt(node, 'alias').toLowerCase() || name;
    switch (ast.textAt(node, 'type')) {
      case 'BASE_TABLE': {
        const schema = ast.textAt(node, 'schema_name').toLowerCase();
        const known = schema === '' ? scope.get(name) : undefined;
        if (known !== undefined) return [{ ...known, alias }];
        const base = this.#catalogue.find(schema, name);
        if (base === undefined) return [{ ...NOTHING, alias }];
        this.#reading.views.set(base.view, base);
        const open = new Map([...base.columns].filter(([, origin]) => isDivider(origin)));
        return [{ alias, columns: base.columns, open, key: base.key }];
      }
      case 'SUBQUERY': {
        const query = ast.nodeAt(ast.nodeAt(node, 'subquery') ?? {}, 'node');
        if (query === null) return [];
        const read = withColumnNames(this.query(query, scope), ast.textsAt(node, 'column_name_alias'));
        return [{ ...read, alias }];
      }
      case 'JOIN': {
        usings.push(...ast.textsAt(node, 'using_columns').map((name) => name.toLowerCase()));
        conditions.push(...ast.conjuncts(ast.nodeAt(node, 'condition')));
        const read = ast.nodesAt(node, 'left', 'right').map((side) => this.#relations(side, parts));
        const [first, ...rest] = read.flat();
        const isCommon = (name: string): boolean => rest.some(({ columns }) => columns.has(name));
        if (ast.textAt(node, 'ref_type') === 'NATURAL')
          usings.push(...[...(first?.columns.keys() ?? [])].filter(isCommon));
        // Rows of the right side only filter.
        const isFilter = /SEMI|ANTI/.test(ast.textAt(node, 'join_type'));
        return isFilter ? (read[0] ?? []) : read.flat();
      }
      default:
        return [{ ...NOTHING, alias }];
    }
  }

  #use(origin: Origin | null): void {
    if (origin !== null) this.#reading.used.set(`${origin.view}.${origin.column}`, origin);
  }

  /** Values that the rows are fixed to. */
  #filters(conditions: readonly Node[], place: Place): void {
    for (const { column, kind, values } of conditions.flatMap((one) => place.comparisons(one))) {
      const origin = place.origin(ast.withoutCasts(column));
      const texts = values.map(ast.constantOf).filter((one) => typeof one === 'string');
      if ((kind === 'equal' || kind === 'like') && origin !== null && texts.length > 0)
        this.#reading.filters.push({ origin, values: texts, isPattern: kind === 'like' });
    }
  }

  /** Whether the parts of a union count the same thing in two ways; a constant next to the figures separates them. */
  #judgeUnion(parts: readonly Node[], read: readonly Relation[]): void {
    const shown = parts.flatMap((part) => ast.nodesAt(part, 'select_list'));
    if (shown.some((one) => ast.constantOf(one) !== undefined)) return;
    const seen = new Map<string, string>();
    for (const origin of read.flatMap(({ columns }) => [...columns.values()])) {
      if (origin === null || !isAdditive(origin.facts)) continue;
      const other = seen.get(origin.column) ?? origin.view;
      seen.set(origin.column, other);
      if (other !== origin.view)
        this.#reading.warnings.add(
          `The union holds ${origin.column} of ${other} and of ${origin.view}, which count the same in two ways: read one of them.`,
        );
    }
  }

  /** Whether a window that moves from day to day stays in one series. */
  #judgeOrders(expression: Node, place: Place, pinned: ReadonlySet<string>): void {
    for (const call of ast.walk(expression)) {
      const orders = ast.nodesAt(call, 'orders').map((order) => ast.nodeAt(order, 'expression') ?? {});
      if (ast.textAt(call, 'class') !== 'WINDOW' || !orders.some((one) => place.origin(one)?.type === 'DATE'))
        continue;
      const apart = place.references([...ast.nodesAt(call, 'partitions'), ...orders]);
      const told = place.spread([...pinned, ...apart]);
      const [argument] = ast.nodesAt(call, 'children').map(ast.withoutCasts);
      for (const relation of argument === undefined ? place.relations : place.relationsOf(argument)) {
        const free = place.freeKeys(relation, told);
        if (free.length > 0)
          this.#reading.warnings.add(
            `${doubts.labelOf(call, argument)} goes from one ${free.join(', ')} to another: add it to PARTITION BY, or filter on one.`,
          );
      }
    }
  }

  /** The subject of a count: entries of lists, each once instead of once per day. */
  #judgeCount(
    argument: Node | undefined,
    involved: readonly Relation[],
    { place, told }: Omit<Told, 'named'>,
  ): void {
    for (const relation of involved) {
      const { columns } = relation;
      const free = place.freeKeys(relation, told);
      const period = free.find(doubts.isDay);
      const entities = free.filter(
        (column) => /_(id|name)$|^domain$/.test(column) && !/^project_(id|name)$/.test(column),
      );
      const named = argument === undefined ? entities : [ast.columnNames(argument)?.at(-1) ?? ''];
      for (const column of named) {
        const origin = free.includes(column) ? columns.get(column) : null;
        if (origin) this.#reading.counted.add(origin);
      }
      if (argument === undefined && period !== undefined && entities.length > 0)
        this.#reading.warnings.add(
          `count(*) counts each ${entities.join(', ')} once for each ${period}: take count(distinct ${entities[0] ?? ''}), or filter on one.`,
        );
    }
  }

  /** Whether an aggregate is valid: over one kind of rows, of a figure that allows it, and with each row once. */
  #judge(call: Node, { place, told, named }: Told): void {
    const name = ast.textAt(call, 'function_name');
    const isCount = COUNTS.includes(name);
    const isSum = ADDS.includes(name);
    const [argument] = ast.nodesAt(call, 'children').map(ast.withoutCasts);
    const involved = argument === undefined ? place.relations : place.relationsOf(argument);
    const warn = (what: string): void => {
      this.#reading.warnings.add(doubts.labelOf(call, argument) + what);
    };
    if (isCount) this.#judgeCount(argument, involved, { place, told });
    if ((!isCount && !isSum && !MEANS.test(name)) || call['distinct'] === true) return;
    for (const relation of involved) {
      for (const [open, { view, column }] of relation.open) {
        if (told.has(`${relation.alias}.${open}`)) continue;
        warn(
          column === 'is_whole_day' || column === 'is_whole_window'
            ? ` includes periods that are not over: filter on ${column} of ${view}, or read the view of main.`
            : ` mixes every ${column} of ${view}: filter on one, or group by it.`,
        );
      }
    }
    if (argument === undefined) return;
    const origin = place.origin(doubts.figureOf(argument));
    const says = ({ view, column, facts }: Origin): string =>
      `the comment of ${view}.${column} says "${addingSentence(facts)}"`;
    const [relation] = place.relationsOf(argument);
    // A mean of days is taken over days.
    const free = (relation === undefined ? [] : place.freeKeys(relation, told)).filter(
      (column) => !doubts.isDay(column) && (this.#catalogue.hasProjects || column !== 'project_id'),
    );
    const isMean = MEANS.test(name);
    const isWrong = origin !== null && !isCount && doubts.isForbidden(origin, isSum ? 'sum' : 'mean');
    const plain = place.origin(argument);
    const isGoverned = plain !== null && isMean && free.length === 0 && doubts.isMeanOfDays(plain);
    if (isWrong && !isGoverned && !place.isToldBy(argument, origin, told)) warn(`: ${says(origin)}`);
    else if (origin !== null && isMean && free.length > 0 && isAdditive(origin.facts))
      warn(
        ` is a mean over each ${free.join(' and ')}, not of a whole: add up first, or hold ${free.join(' and ')} to one.`,
      );
    // Of a list that the API cuts off, the rows are not all.
    const listed = /^over the (listed \w+)/.exec(origin?.facts.adds ?? '');
    const isOfAll =
      free.length > 0 && !free.some((column) => named.has(`${relation?.alias ?? ''}.${column}`));
    if (isSum && listed !== null && isOfAll && ast.textAt(call, 'class') !== 'WINDOW')
      warn(` counts the ${listed[1] ?? ''} alone: the total of all is in daily_kpis.`);
    for (const { score, weight } of isSum ? doubts.wrongWeights(argument, place) : [])
      warn(` weighs ${score.column} by ${weight.column}: ${says(score)}`);
    if (isMean && doubts.isQuotient(argument, place))
      warn(
        ' is a mean of quotients, in which small days count as much as large ones: divide one sum by the other.',
      );
    for (const other of involved.length === 0 ? [] : place.relations) {
      const { alias, key } = other;
      if (key === null || involved.includes(other)) continue;
      const free = key.filter((column) => !told.has(`${alias}.${column}`) && !place.isJoined(other, column));
      if (free.length > 0)
        warn(
          ` counts a row once for each row of ${alias} that it is joined with (its ${free.join(', ')} is not in the join): aggregate ${alias} first, or read daily_kpis.event_titles.`,
        );
    }
  }
}

/** The range of days set by conditions. */
function boundsOf(conditions: readonly Node[], place: Place): Bound[] {
  const comparisons = conditions.flatMap((condition) => place.comparisons(condition));
  return comparisons.flatMap(({ column, kind, values: [expression, ...others], isOpen }): Bound[] => {
    const origin = place.origin(ast.withoutCasts(column));
    if (expression === undefined || others.length > 0 || origin?.type !== 'DATE' || kind === 'like')
      return [];
    if ([...ast.walk(expression)].some((one) => place.origin(one) !== null)) return [];
    const sides = kind === 'equal' ? (['from', 'to'] as const) : [kind];
    // A period extends beyond its first day.
    const isPeriod = origin.view === 'calendar' && origin.column !== 'date';
    return sides.filter((side) => side === 'from' || !isPeriod).map((side) => ({ side, expression, isOpen }));
  });
}

/** Columns that an equality fixes to a value. */
function heldTo(condition: Node, place: Place): Node[] {
  const [compared] = place.comparisons(condition);
  if (compared?.kind !== 'equal') return [];
  const columns = [compared.column, ...compared.values].filter(doubts.hasColumn);
  return columns.length === 1 ? columns : [];
}

function isDistinct(node: Node): boolean {
  return ast.nodesAt(node, 'modifiers').some((one) => ast.textAt(one, 'type') === 'DISTINCT_MODIFIER');
}

/** The columns that the rows are grouped by; null if they are not grouped. */
function groupsOf(node: Node, list: readonly Node[], aggregates: ReadonlySet<string>): Node[] | null {
  const isAll = ast.textAt(node, 'aggregate_handling') === 'FORCE_AGGREGATES';
  const isPlain = (item: Node): boolean =>
    ![...ast.walk(item)].some((one) => aggregates.has(ast.textAt(one, 'function_name')));
  if (isAll) return list.filter(isPlain);
  const given = ast.nodesAt(node, 'group_expressions');
  if (given.length === 0) return isDistinct(node) && list.every(isPlain) ? [...list] : null;
  return given.map((group) => doubts.meantBy(group, list));
}
