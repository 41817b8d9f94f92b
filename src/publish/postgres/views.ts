import { quoteIdentifier } from '../../warehouse/quote.ts';
import { AnswerlakeError } from '../../errors.ts';
import { readSqlFiles } from '../../warehouse/sql-files.ts';
import { readViewFiles } from '../views.ts';
import { inPostgres } from './dialect.ts';
import type { Relation } from './picture.ts';
import { postgresType, quoted } from './tables.ts';

const VIEW = /^create view (main\.\w+) as\n([\s\S]*?);$/gm;

/** The functions that the views call. */
export function createFunctions(): string {
  return readSqlFiles('postgres')
    .map(({ sql }) => sql)
    .join('\n');
}

/** The queries of all views of `sql/views` by name, in order of dependency. */
export function viewQueries(): ReadonlyMap<string, string> {
  return new Map(
    readViewFiles().flatMap(({ sql }) =>
      [...sql.matchAll(VIEW)].map(([, name = '', query = '']) => [name, query] as const),
    ),
  );
}

/**
 * One statement for each view, in order of dependency. The columns have the names and types that they have in DuckDB.
 * @throws AnswerlakeError (bug) when the file has a view that `sql/views` lacks
 */
export function createViews(views: readonly Relation[]): string[] {
  const queries = viewQueries();
  const places = new Map([...queries.keys()].map((name, index) => [name, index]));
  const placed = views.map((view) => ({ view, place: places.get(`${view.schema}.${view.name}`) }));
  const lost = placed.find(({ place }) => place === undefined);
  if (lost !== undefined) {
    throw new AnswerlakeError(`sql/views has no view ${lost.view.schema}.${lost.view.name}`, {
      class: 'bug',
    });
  }
  return placed
    .sort((one, other) => (one.place ?? 0) - (other.place ?? 0))
    .map(({ view }) => createView(view, queries.get(`${view.schema}.${view.name}`) ?? ''));
}

function createView(view: Relation, query: string): string {
  const columns = view.columns.map(({ name, type }) => {
    const column = quoteIdentifier(name);
    return `cast(v.${column} as ${postgresType(type)}) as ${column}`;
  });
  return `create or replace view ${quoted(view)} as select ${columns.join(', ')} from (\n${inPostgres(query)}\n) v`;
}
