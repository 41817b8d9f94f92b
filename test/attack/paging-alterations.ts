import { isPaged, type Alteration } from './alteration.ts';

type Fields = Record<string, unknown>;

/** Alters the fields that count a list in pages; only fields of one that counts something. */
function counting(name: string, change: (body: Fields) => Fields | undefined): Alteration {
  return {
    name,
    effect: (endpoint) => (isPaged(endpoint) ? 'seen' : null),
    alter: ({ body }) => {
      const fields = body as Fields;
      if (Number(fields['total']) === 0) return undefined;
      const changed = change(fields);
      return changed === undefined ? undefined : { body: changed };
    },
  };
}

const without = (fields: Fields, ...names: string[]): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));

const COUNTERS = ['total', 'totalPages'] as const;

/** What a list in pages says about itself. */
export const pagingAlterations: readonly Alteration[] = [
  ...COUNTERS.flatMap((name) => [
    counting(`${name} as text`, (body) => ({ ...body, [name]: String(body[name]) })),
    counting(`${name} is null`, (body) => ({ ...body, [name]: null })),
    counting(`${name} is missing`, (body) => without(body, name)),
    counting(`${name} has another name`, (body) => ({
      ...without(body, name),
      [`${name}Count`]: body[name],
    })),
  ]),
  counting('the counters are nested', (body) => ({
    ...without(body, ...COUNTERS),
    pagination: { total: body['total'], totalPages: body['totalPages'] },
  })),
  counting('total is smaller than the list', (body) => ({ ...body, total: 1, totalPages: 1 })),
  counting('total lags behind', (body) => ({ ...body, total: Number(body['total']) - 1 })),
  counting('total runs ahead', (body) => ({ ...body, total: Number(body['total']) + 1 })),
  {
    name: 'the first page comes again',
    effect: (endpoint) => (isPaged(endpoint) ? 'seen' : null),
    alter: ({ query, ask }) =>
      Number(query.get('page') ?? 1) > 1 ? { body: ask({ query: { page: '1' } }) } : undefined,
  },
];
