import type { Config } from '../config/config.ts';
import { openCatalogue } from '../endpoints/catalogue.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { readAnswers, type ArchivedRun } from '../load/read-archive.ts';
import { declarationSchema, type OwnDeclaration } from '../own/declaration.ts';
import { defineOwn } from '../own/define-own.ts';
import type { ArchivedAnswer } from '../slice.ts';
import type { Connection } from '../warehouse/connection.ts';
import { declareTables } from '../warehouse/declared-tables.ts';

export type ArchivedEndpoints = ReturnType<typeof archivedEndpoints>;

/**
 * The endpoints for reading archived answers: today's, and own ones without a file, in their last declared form.
 * @param runs in order
 */
export function archivedEndpoints(config: Config, connection: Connection, runs: readonly ArchivedRun[]) {
  const { catalogue, own } = config;
  const read = new Map<string, Endpoint | 'other' | null>();
  const gone = new Map<string, OwnDeclaration | undefined>();
  const goneEndpoints = (): Endpoint[] =>
    [...gone.values()].flatMap((one) => (one === undefined ? [] : [defineOwn(one)]));
  /** The last declaration of an endpoint without a file, with its tables created. */
  const goneOf = async (name: string): Promise<OwnDeclaration | undefined> => {
    if (gone.has(name)) return gone.get(name);
    let newest: string | undefined;
    for (const { path } of runs.toReversed()) {
      for await (const { answer } of readAnswers(path, () => undefined))
        if (answer.slice.endpoint === name) newest = answer.declared ?? newest;
      if (newest !== undefined) break;
    }
    gone.set(name, newest === undefined ? undefined : parsed(name, newest));
    const declared = own.declarations.map((one) => defineOwn(one));
    const { tables } = openCatalogue([...declared, ...goneEndpoints()]);
    await declareTables(connection, tables, [name]);
    return gone.get(name);
  };
  return {
    all: (): readonly Endpoint[] => [...catalogue.all, ...goneEndpoints()],
    /**
     * The endpoint of an answer, with its tables created; null if no declaration is known, `other` if the answer is to a question of
     * another kind, or for other parents.
     */
    of: async ({
      slice: { endpoint: name },
      declared,
    }: ArchivedAnswer): Promise<Endpoint | 'other' | null> => {
      const today = own.declarations.find((one) => one.name === name);
      if (declared === undefined || (today === undefined && catalogue.has(name)))
        return catalogue.has(name) ? catalogue.named(name) : null;
      const key = `${name} ${declared}`;
      const known = read.get(key);
      if (known !== undefined) return known;
      const declaration = today ?? (await goneOf(name));
      const then = parsed(name, declared);
      const former = then?.rows === undefined ? {} : { rows: then.rows };
      const endpoint = declaration === undefined ? null : defineOwn({ ...declaration, former });
      const isOther = then !== undefined && declaration !== undefined && !isAskedAlike(then, declaration);
      read.set(key, isOther ? 'other' : endpoint);
      return isOther ? 'other' : endpoint;
    },
  };
}

/** Whether the rows of one declaration can be rows of the other. */
function isAskedAlike(one: OwnDeclaration, other: OwnDeclaration): boolean {
  return one.ask === other.ask && one.parents?.of === other.parents?.of;
}

function parsed(name: string, declared: string): OwnDeclaration | undefined {
  return declarationSchema(name).safeParse(JSON.parse(declared)).data;
}
