import { z } from 'zod';
import { orNull } from '../errors.ts';
import { type Day, isDay, toDay } from '../day.ts';
import { isObject } from '../endpoints/field.ts';
import { MAX_WINDOW_DAYS } from '../endpoints/endpoint.ts';
import { SCOPES, WINDOW_KINDS } from '../slice.ts';
import { columnNameOf, fieldOf, OWN_TYPES, type OwnField } from './columns.ts';

const NAME = /^[a-z][a-z0-9_]*$/;

const field = z.string().min(1);
const fields = z.array(field).min(1);
const pair = z.tuple([field, field]);

export function whole(minimum: number, maximum: number): z.ZodInt {
  return z.int().min(minimum).max(maximum);
}

/** A rule returns the problem and the remedy; undefined if there is no problem. It never repeats a secret. */
export type Rule = (text: string) => string | undefined;

/** Text that follows a rule. */
export function text(rule: Rule): z.ZodString {
  return z.string().superRefine((value, context) => {
    const message = rule(value);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  });
}

/** A path of the API below the base URL. */
export const pathRule: Rule = (text) => {
  const decoded = orNull(() => decodeURIComponent(text));
  const isPath = decoded !== null && /^\/[^\s?#\\]*$/.test(decoded) && !decoded.includes('//');
  return isPath && !decoded.split('/').some((part) => part === '..' || part === '.')
    ? undefined
    : 'must be a path below the base URL that begins with /, without query, for example /api/v2/tags';
};

/** A calendar day as a person writes it. */
export const day = text((text) =>
  isDay(text) ? undefined : 'is not a calendar day: write it as YYYY-MM-DD, for example 2027-01-01',
).transform(toDay);

const pageWords = z.discriminatedUnion('by', [
  z.strictObject({
    by: z.literal('number'),
    size: whole(1, 10_000).default(100),
    names: z
      .strictObject({
        page: field.default('page'),
        size: field.default('size'),
        total: field.default('total'),
        totalPages: field.default('totalPages'),
      })
      .prefault({}),
  }),
  z.strictObject({
    by: z.literal('offset'),
    size: whole(1, 10_000).default(100),
    names: z
      .strictObject({
        offset: field.default('offset'),
        limit: field.default('limit'),
        total: field.default('total'),
      })
      .prefault({}),
  }),
  z.strictObject({
    by: z.literal('cursor'),
    size: whole(1, 10_000).exactOptional(),
    names: z
      .strictObject({ next: field.default('nextCursor'), cursor: field.default('cursor') })
      .prefault({}),
  }),
]);
export type OwnPages = z.output<typeof pageWords>;

const columnWords = Object.fromEntries(OWN_TYPES.map((type) => [type, fields.exactOptional()]));
const columns = z.strictObject(columnWords);
type ColumnWords = Partial<Record<string, readonly string[]>>;

const scalar = z.union([z.string(), z.number(), z.boolean()]);
const values = z.union([scalar, z.array(scalar).min(1)], { error: 'must be a value, or a list of values' });

const OWN_SCOPES = z.enum(SCOPES).exclude(['project', 'page', 'parent']);

const words = z.strictObject({
  path: text(pathRule),
  ask: z.enum(['list', 'dated', 'series', 'window']).default('list'),
  rows: field.exactOptional(),
  key: fields.exactOptional(),
  date: field.exactOptional(),
  days: pair.exactOptional(),
  instants: pair.exactOptional(),
  pages: z.preprocess((by) => (typeof by === 'string' ? { by } : by), pageWords).exactOptional(),
  query: z.record(field, values).default({}),
  columns: columns.default({}),
  each: z
    .record(
      field,
      z.union([z.enum(OWN_TYPES), z.strictObject({ count: field.exactOptional(), ...columnWords })], {
        error: `must be columns like those of columns: (with count: FIELD), or one type: ${OWN_TYPES.join(', ')}`,
      }),
    )
    .default({}),
  leave_out: z.array(field).default([]),
  rest: z.boolean().default(true),
  for: z.union([field, z.record(field, field)]).exactOptional(),
  at_most: whole(1, 10_000).exactOptional(),
  scopes: z.partialRecord(OWN_SCOPES, field).exactOptional(),
  limit: z.record(field, whole(1, 1_000_000)).exactOptional(),
  max_window_days: whole(1, MAX_WINDOW_DAYS).exactOptional(),
  end_date: z.enum(['inclusive', 'exclusive']).exactOptional(),
  lookback_days: whole(0, 3660).exactOptional(),
  windows: z.array(z.enum(WINDOW_KINDS)).min(1).exactOptional(),
  enabled: z.boolean().default(true),
  start_date: day.exactOptional(),
  keep_days: whole(1, 36_500).exactOptional(),
  volatile: z.array(field).default([]),
  most_requests: whole(1, 1_000_000).default(200),
  notes: z.record(field, z.string().min(1)).default({}),
});
type Words = z.output<typeof words>;

/** A list inside a row, with a table of its own. */
export interface OwnPart {
  /** Field of the list. */
  field: string;
  /** Column with the same name. */
  name: string;
  /** Field of the row with the length of the list; null: no such field. */
  count: string | null;
  /** Fields of its entries; plain values are one column `value`, whose path is ''. */
  fields: readonly OwnField[];
}

/** A valid declaration. */
export type OwnDeclaration = ReturnType<typeof declarationOf> & {
  /** Where the list was when an archived answer was requested. */
  former?: { rows?: string } | undefined;
};

function declarationOf(name: string, written: Words) {
  const { ask, date = 'date', limit } = written;
  const [[parameter, rows] = [null, 0]] = Object.entries(limit ?? {});
  return {
    ...written,
    ...tablesOf(written),
    name,
    /** As written in its file: archived with its answers. */
    written,
    /** The parent list, and the column with the parent's id. */
    parents: parentsOf(written),
    /** Field with the day of a row; null for `list` and `window`. */
    date: ask === 'dated' || ask === 'series' ? date : null,
    limit: parameter === null ? null : { parameter, rows },
  };
}

/** The settings that belong to each kind of request. */
const ONLY = {
  date: ['dated', 'series'],
  days: ['dated', 'series', 'window'],
  instants: ['dated', 'series', 'window'],
  scopes: ['series', 'window'],
  max_window_days: ['dated', 'series'],
  end_date: ['dated', 'series', 'window'],
  lookback_days: ['dated', 'series', 'window'],
  windows: ['window'],
  start_date: ['dated', 'series', 'window'],
  keep_days: ['dated'],
  for: ['list'],
} as const satisfies Partial<Record<keyof Words, readonly Words['ask'][]>>;

const SHARED = /^(?:project_id|date|grain|window_.*|scope|scope_id|position|value|rest|removed_at|_.*)$/;
/** Whether every table may have a column with that name. */
export function isSharedName(name: string): boolean {
  return SHARED.test(name);
}

const SECRET_NAME = /(?:key|token|secret|password|authorization|signature)$/i;
const UUID = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i;

type Refuse = (path: PropertyKey[], message: string) => void;

/** The schema of one file, whose name is the endpoint's. @param today refuses a later `start_date` */
export function declarationSchema(name: string, today?: Day) {
  return words.transform((written, context): OwnDeclaration => {
    const refuse: Refuse = (at, message) => context.addIssue({ code: 'custom', path: at, message });
    const declaration = declarationOf(name, written);
    refuseWords(written, refuse);
    if (today !== undefined && (written.start_date ?? today) > today)
      refuse(['start_date'], `is in the future (today is ${today} UTC): choose ${today} or an earlier day`);
    refuseTemplates(written, refuse);
    refuseQuery(written, refuse);
    refuseColumns(declaration, refuse);
    return declaration;
  });
}

function parentsOf({ for: asked, at_most: atMost = 25 }: Words) {
  if (asked === undefined) return null;
  const [of = '', column = ''] =
    typeof asked === 'string' ? [asked, `${asked.replace(/s$/, '')}_id`] : (Object.entries(asked)[0] ?? []);
  return { of, column, atMost };
}

function typedFields(columns: ColumnWords): OwnField[] {
  return OWN_TYPES.flatMap((type) => (columns[type] ?? []).map((one) => fieldOf(one, type)));
}

function tablesOf({ key = [], columns, each }: Words) {
  const typed = typedFields(columns);
  // A key field without a type is a text.
  const keys = key.map((one) => {
    const plain = fieldOf(one, 'text');
    return (
      typed.find(({ path, name }) => path === plain.path && (one === plain.path || name === plain.name)) ??
      plain
    );
  });
  const parts = Object.entries(each).map(([field, part]): OwnPart => {
    const named = { field, name: columnNameOf(field) };
    if (typeof part === 'string')
      return { ...named, count: null, fields: [{ path: '', name: 'value', type: part }] };
    const { count = null, ...types } = part;
    return { ...named, count, fields: typedFields(types) };
  });
  /** `fields`: its columns without the key. */
  return { key: keys, fields: typed.filter((one) => !keys.includes(one)), parts };
}

function refuseWords(written: Words, refuse: Refuse): void {
  const { ask, days, instants, pages, limit, at_most: atMost } = written;
  for (const [word, asks] of Object.entries(ONLY)) {
    const isOwn: boolean = asks.some((one) => one === ask);
    if (Object.hasOwn(written, word) && !isOwn)
      refuse([word], `belongs to ask: ${asks.join(' or ')}, but this is ask: ${ask}: remove it`);
  }
  if ((ask === 'list' || ask === 'dated') && written.key === undefined)
    refuse(['key'], `is missing: name the fields that identify a row of ask: ${ask}, for example key: [id]`);
  if (days !== undefined && instants !== undefined)
    refuse(['instants'], 'cannot be combined with days: keep one of the two');
  if (pages !== undefined && limit !== undefined)
    refuse(['limit'], 'is for an answer of one page, but pages has its own size: remove one of the two');
  for (const word of ['for', 'limit', 'scopes'] as const) {
    const value = written[word];
    const count = isObject(value) ? Object.keys(value).length : 1;
    if (word === 'scopes' && count === 0) refuse([word], `needs one of ${OWN_SCOPES.options.join(', ')}`);
    if (word !== 'scopes' && count !== 1) refuse([word], 'needs exactly one name');
  }
  if (atMost !== undefined && written.for === undefined) refuse(['at_most'], 'belongs to for: remove it');
}

/** The texts of a request that may have templates, and which: the id of a parent only with parents. */
function refuseTemplates({ path, query, for: parents }: Words, refuse: Refuse): void {
  const ofQuery = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((one) => ({ at: ['query', name], text: String(one), known: ['{first_day}', '{id}'] })),
  );
  const texts = [{ at: ['path'], text: path, known: ['{id}'] }, ...ofQuery];
  for (const { at, text, known } of texts) {
    const template = text.match(/\{[^}]*\}/g)?.find((one) => !known.includes(one));
    if (template !== undefined) refuse(at, `has ${template}, but can have only ${known.join(' and ')}`);
    if (parents === undefined && text.includes('{id}'))
      refuse(at, 'has {id}, but no for names the parent: add for, or remove it');
  }
  if (parents !== undefined && !texts.some(({ text }) => text.includes('{id}')))
    refuse(['for'], 'needs {id} in path or in query, where the id of the parent goes');
}

/** The usual parameters of the first and the last day. */
export const DAYS = ['startDate', 'endDate'] as const;

/** The parameters that each word sends; those of scopes are sent one at a time. */
function parametersOf({ ask, days, instants, pages, limit = {}, scopes = {} }: Words) {
  return Object.entries({
    [instants === undefined ? 'days' : 'instants']: instants ?? days ?? (ask === 'list' ? [] : DAYS),
    pages: pages === undefined ? [] : pageParameters(pages),
    limit: Object.keys(limit),
    scopes: [...new Set(Object.values(scopes))],
  });
}

/** Of the names of a kind of pages, those of parameters; the others are fields of the answer. */
const PARAMETERS = ['page', 'size', 'offset', 'limit', 'cursor'];

function pageParameters({ by, size, names }: OwnPages): string[] {
  const sent = Object.entries(names).filter(([word]) => PARAMETERS.includes(word));
  const limit = by === 'cursor' && size !== undefined ? ['limit'] : [];
  return [...sent.map(([, name]) => name), ...limit];
}

/** Keys come from the account, never from a file. */
function refuseQuery(written: Words, refuse: Refuse): void {
  const sent = new Set<string>();
  for (const [word, names] of parametersOf(written))
    for (const name of names) {
      if (sent.has(name)) refuse([word], `sends ${name}, which is sent already: write another parameter`);
      sent.add(name);
      if (Object.hasOwn(written.query, name))
        refuse(['query', name], 'is sent by another setting of this file: remove it');
    }
  for (const [name, value] of Object.entries(written.query)) {
    if (SECRET_NAME.test(name))
      refuse(['query', name], 'looks like a key or password: remove it; keys come from the account');
    for (const text of [value].flat().map(String)) {
      const isMixed = text.length >= 24 && /[a-z]/i.test(text) && /\d/.test(text) && !UUID.test(text);
      if (isMixed)
        refuse(['query', name], 'has a value that looks like a key: remove it; keys come from the account');
    }
  }
}

function refuseColumns(declaration: OwnDeclaration, refuse: Refuse): void {
  const { key, fields, parts, parents, volatile, notes, rest } = declaration;
  const all = [...key, ...fields];
  const given = parts.flatMap(({ name, count }) => (count === null ? [] : [cutOffName(name)]));
  const others = parents === null ? given : [...given, parents.column];
  refuseNames(all, others, (message) => refuse(['columns'], message));
  if (parents !== null && (!NAME.test(parents.column) || SHARED.test(parents.column)))
    refuse(
      ['for'],
      `has the column ${parents.column}, which is taken or not a valid name: write { ${parents.of}: NAME }`,
    );
  const known = new Set([...all.map(({ path }) => path), ...parts.map(({ field }) => field)]);
  for (const part of parts) {
    const at = ['each', part.field];
    if (!NAME.test(part.name)) refuse(at, `gives the table name ${part.name}, which is not a valid name`);
    if (part.fields.length === 0) refuse(at, 'names no columns: add them by type, or write a single type');
    const ofKey = [...key.map(({ name }) => name), ...(parents === null ? [] : [parents.column])];
    const named = part.fields.filter((one) => one.path !== '');
    refuseNames(named, ofKey, (message) => refuse(at, message));
    for (const one of named) known.add(`${part.field}.${one.path}`);
    if (all.some(({ path }) => path === part.field || path.startsWith(`${part.field}.`)))
      refuse(at, 'is also a column: keep one of the two');
  }
  for (const one of volatile)
    if (!known.has(one)) refuse(['volatile'], `names ${one}, which is not a column: name a field of columns`);
    else if (key.some(({ path }) => path === one)) refuse(['volatile'], `names ${one}, which is in the key`);
  for (const one of Object.keys(notes))
    if (!known.has(one))
      refuse(['notes', one], 'is about a field that is not a column: name a field of columns or each');
  const { date, rows } = declaration;
  const read = [...known, ...parts.map(({ count }) => count), date, rows].filter(
    (one) => typeof one === 'string',
  );
  for (const one of declaration.leave_out) {
    const lost = read.find((path) => path === one || path.startsWith(`${one}.`));
    if (lost !== undefined)
      refuse(['leave_out'], `cuts out ${lost}, which is read: remove it from one of the two`);
  }
  if (all.length === 0 && parts.length === 0 && !rest)
    refuse(['columns'], 'is empty, and rest is false: nothing would be stored');
}

/** Name of the column that is true where the list is cut off. */
export function cutOffName(part: string): string {
  return `${part}_is_cut_off`;
}

/** Column names that are repeated, or reserved in every table. */
function refuseNames(
  fields: readonly OwnField[],
  others: readonly string[],
  refuse: (message: string) => void,
): void {
  const seen = new Set(others);
  for (const { path, name } of fields) {
    const wayOut = `write "${path} as NAME"`;
    if (/(?:^|\s)as(?:\s|$)/i.test(path)) refuse(`${path} is no FIELD as NAME`);
    else if (SHARED.test(name))
      refuse(`${path} would be the column ${name}, which every table may have: ${wayOut}`);
    else if (!NAME.test(name))
      refuse(`${path} would be the column ${name}, which is not a valid name: ${wayOut}`);
    else if (seen.has(name)) refuse(`${path} would be the column ${name}, which appears twice: ${wayOut}`);
    seen.add(name);
  }
}
