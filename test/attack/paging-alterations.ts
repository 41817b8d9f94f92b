import { isPaged, type Alteration } from './alteration.ts';

type Fields = Record<string, unknown>;

/** Alters the fields that count a list in pages; only fields of one that counts something. */
function counting(name: string, change: (body: Fields) => Fields): Alteration {
  return {
    name,
    effect: (endpoint) => (isPaged(endpoint) ? 'seen' : null),
    alter: ({ body }) => {
      const fields = body as Fields;
      return Number(fields['total']) === 0 ? undefined : { body: change(fields) };
    },
  };
}

/** What a list in pages says about itself; each field that cannot be read has a test of its own. */
export const pagingAlterations: readonly Alteration[] = [
  counting('total is null', (body) => ({ ...body, total: null })),
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
