import type { Connection } from '../warehouse/connection.ts';
import { quoteIdentifier } from '../warehouse/sql.ts';
import { readViewFiles } from './published-file.ts';

/** A view in the files that the build renders: its name and its query. */
export const VIEW = /^create view (\w+\.\w+) as\n([^]*?);$/gm;
const NAME = /\b(?:core|own|meta|detail|main)\.\w+/g;

/** Some rows of tables, and of the views that read them. */
export interface SomeRows {
  /** Sets these rows apart from all rows. */
  prefix: string;
  /** The query of a table's rows; null: all. */
  ofTable: (name: string) => string | null;
}

const ALL_ROWS: SomeRows = { prefix: '', ofTable: () => null };

/** The rows of our views in the current database, each computed once, from the rows of those that it reads. @param answersFrom the value of `ANSWERS_SETTING` */
export function computedViews(connection: Connection, answersFrom?: string) {
  /** Each after those that it reads. */
  const views = new Map(
    readViewFiles(answersFrom).flatMap(({ sql }) =>
      [...sql.matchAll(VIEW)].map(([, name = '', text = '']) => {
        const query = text.replaceAll(/--.*/g, '');
        return [name, { query, reads: new Set(query.match(NAME)) }] as const;
      }),
    ),
  );
  /** The view of each temporary table. */
  const made = new Map<string, string>();
  const temporary = (name: string): string => `temp.main.${quoteIdentifier(name)}`;
  const queryOf = async (name: string, some: SomeRows): Promise<string | null> => {
    const view = views.get(name);
    if (view === undefined) return some.ofTable(name);
    const places = new Map<string, string>();
    for (const read of view.reads) places.set(read, await rowsOf(read, some));
    return view.query.replaceAll(NAME, (read) => places.get(read) ?? read);
  };
  const rowsOf = async (name: string, some: SomeRows = ALL_ROWS): Promise<string> => {
    const own = some.prefix + name;
    if (made.has(own)) return temporary(own);
    const query = await queryOf(name, some);
    if (query === null) return name;
    await connection.run(`create temp table ${quoteIdentifier(own)} as ${query}`);
    made.set(own, name);
    return temporary(own);
  };
  return {
    /** The names of the views, each after those that it reads. */
    order: [...views.keys()],
    /** The names that a view reads; undefined if it is not one of our views. */
    readsOf: (name: string): ReadonlySet<string> | undefined => views.get(name)?.reads,
    /** A query of a view, which reads temporary tables instead of other views; null if it is not one of our views. */
    queryOf: (name: string): Promise<string | null> => queryOf(name, ALL_ROWS),
    /** The place of the rows of a view or table. */
    rowsOf,
    /** Frees the memory of rows that the views to come do not read. */
    dropUnread: async (toCome: readonly string[]): Promise<void> => {
      const needed = new Set<string>();
      const need = (name: string): void => {
        if (needed.has(name)) return;
        needed.add(name);
        for (const read of views.get(name)?.reads ?? []) need(read);
      };
      for (const name of toCome) need(name);
      for (const [own] of [...made].filter(([, name]) => !needed.has(name))) {
        made.delete(own);
        await connection.run(`drop table ${temporary(own)}`);
      }
    },
  };
}
