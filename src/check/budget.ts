import { DriftFindings } from '../believe/drift.ts';
import { DatesRead } from '../believe/instants.ts';
import { placedRows } from '../believe/placed-rows.ts';
import type { Config } from '../config/config.ts';
import { dayOf } from '../day.ts';
import type { Endpoint, Parameter } from '../endpoints/endpoint.ts';
import { ApiError } from '../extract/api-error.ts';
import type { ApiAnswer, ApiClient } from '../extract/client.ts';
import { fetchPage, requestOf } from '../extract/fetch-slice.ts';
import type { Slice } from '../slice.ts';
import { z } from 'zod';
import type { Catalogue } from '../endpoints/catalogue.ts';
import { isObject, own } from '../endpoints/field.ts';
import { varied, wholeOf, type Variation } from './variation.ts';

/** Maximum requests of one check, repeats included. */
export const MAX_REQUESTS = 40;
/** Attempts for one request. */
export const MAX_ATTEMPTS = 2;

/** One request of the check. */
export interface ApiQuestion extends Variation {
  endpoint: Endpoint;
  zone?: string;
  paging?: readonly Parameter[];
}

/** The content of a usable answer: the rows of the endpoint's first table; unknown paths are undocumented, and unreadable ones cannot be read by the program. */
export type ApiReply = ReturnType<typeof read>;

/** Sends the requests about one project. */
export type Questioner = ReturnType<typeof openQuestioner>;

/** The server refused the request. */
export type Refused = Exclude<Awaited<ReturnType<Questioner['ask']>>, ApiReply>;

/** The request limit is used up, which ends the check. */
export class NoneLeft extends Error {
  readonly endpoint: string;

  constructor({ endpoint }: ApiQuestion) {
    super('no requests were left');
    this.endpoint = endpoint.name;
  }
}

interface Questioned {
  config: Config;
  projectId: string;
  /** Sent only with an organization key. */
  projectHeader: string | undefined;
  signal: AbortSignal;
}

export function openQuestioner(client: ApiClient, { config, projectId, projectHeader, signal }: Questioned) {
  return {
    /** @throws NoneLeft */
    async ask(question: ApiQuestion) {
      if (client.totals.requests + MAX_ATTEMPTS > MAX_REQUESTS) throw new NoneLeft(question);
      const { endpoint, paging = [], zone: timezone = 'UTC' } = question;
      const target = { endpoint: endpoint.name, projectId, scope: 'project', scopeId: projectId } as const;
      const whole = wholeOf(endpoint, target, question.window ?? null);
      const { slice, asked } = varied(whole.slice, question, whole);
      const planned = { endpoint, slice, asked, limit: endpoint.limit, projectHeader, signal };
      const request = requestOf({ sync: { ...config.sync, timezone } }, planned);
      try {
        return read(endpoint, slice, await fetchPage(client, request, paging));
      } catch (error) {
        // Every other failure ends the check.
        const isRefusal = error instanceof ApiError && (error.class === 'contract' || error.status === 403);
        if (!isRefusal) throw error;
        const { code, isBadQuestion, serverMessage: message } = error;
        return { kind: 'refused', isBadQuestion, code, message } as const;
      }
    },
  };
}

function read(endpoint: Endpoint, slice: Slice, { body, fetchedAt, status }: ApiAnswer) {
  const context = { slice, syncDay: dayOf(fetchedAt), fetchedAt, status, page: 1 };
  const drift = new DriftFindings();
  const unreadable = new Set<string>();
  const all = endpoint.emptyRows();
  const dates = new DatesRead({ instants: 'utc' });
  const reading = endpoint.readBody(body, context);
  if (!reading.success) unreadable.add('the whole answer');
  for (const item of reading.success ? reading.data.items : []) {
    if (endpoint.documented.item !== null) drift.compare(endpoint.documented.item, item.value, item.path);
    const date = own(item.value, 'date');
    if (typeof date === 'string') dates.dayOf(date);
    const into = item.problem === undefined ? all : endpoint.emptyRows();
    const error = endpoint.readItem(item.value, context, into);
    if (error === null && item.problem === undefined) continue;
    const field = error?.issues[0]?.path ?? [];
    unreadable.add([item.path(), ...field].join('.').replaceAll(/\[?\b\d+\b\]?/g, '[]'));
  }
  for (const { unreadColumns } of all) for (const column of unreadColumns) unreadable.add(column);
  drift.compare(endpoint.documented.body, body);
  const unknown = drift.list().map(({ kind, path }) => `${path} (${kind.replaceAll('_', ' ')})`);
  const shiftedDay = dates.clock === null ? null : dates.newestShifted(context.syncDay);
  const placed = placedRows(endpoint, context, { rows: all, shiftedDay });
  return {
    kind: 'answered',
    endpoint,
    slice,
    body,
    placed,
    rows: all[0].all(),
    days: all[0].days().toSorted(),
    unknown,
    unreadable: [...unreadable],
  } as const;
}

/** Path of a field → the types of its values. */
export type Shape = Readonly<Record<string, readonly string[]>>;

/** Documented field names; every other key of an object may be a name of the account. */
function documentedNames({ asked }: Catalogue): ReadonlySet<string> {
  const names = new Set<string>();
  for (const schema of asked.flatMap(({ documented }) => [documented.body, documented.item ?? []].flat()))
    JSON.stringify(
      z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }),
      (word, value: unknown) => {
        if (word === 'properties' && isObject(value)) for (const name of Object.keys(value)) names.add(name);
        return value;
      },
    );
  return names;
}

/** The fields and types of a body, without any value; an undocumented key is `*`. */
export function shapeOf(body: unknown, catalogue: Catalogue): Shape {
  const known = documentedNames(catalogue);
  const types = new Map<string, Set<string>>();
  const visit = (path: string, value: unknown): void => {
    const type = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
    types.set(path, (types.get(path) ?? new Set()).add(type));
    if (Array.isArray(value)) for (const one of value as readonly unknown[]) visit(`${path}[]`, one);
    if (!isObject(value)) return;
    for (const [name, one] of Object.entries(value)) visit(`${path}.${known.has(name) ? name : '*'}`, one);
  };
  visit('$', body);
  return Object.fromEntries([...types].map(([path, found]) => [path, [...found].toSorted()]));
}
