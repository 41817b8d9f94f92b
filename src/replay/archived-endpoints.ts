import type { Config } from '../config/config.ts';
import { openCatalogue } from '../endpoints/catalogue.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { readAnswers, type ArchivedRun } from '../load/read-archive.ts';
import { declarationSchema, type OwnDeclaration } from '../own/declaration.ts';
import { defineOwn } from '../own/define-own.ts';
import type { ArchivedAnswer } from '../slice.ts';
import type { Connection } from '../warehouse/connection.ts';
import { declareTables } from '../warehouse/declared-tables.ts';

/** The endpoints that read archived answers: those of today, and of somebody's own the ones whose file is gone, as they were declared last. */
export class ArchivedEndpoints {
  readonly #config: Config;
  readonly #connection: Connection;
  readonly #runs: readonly ArchivedRun[];
  readonly #read = new Map<string, Endpoint | null>();
  readonly #gone = new Map<string, OwnDeclaration | undefined>();

  /** @param runs in their order */
  constructor(config: Config, connection: Connection, runs: readonly ArchivedRun[]) {
    this.#config = config;
    this.#connection = connection;
    this.#runs = runs;
  }

  get all(): readonly Endpoint[] {
    return [...this.#config.catalogue.all, ...this.#goneEndpoints()];
  }

  /** The endpoint of an answer, whose tables are there; null where nothing says how to read it. */
  async of({ slice: { endpoint: name }, declared }: ArchivedAnswer): Promise<Endpoint | null> {
    const { catalogue, own } = this.#config;
    const today = own.declarations.find((one) => one.name === name);
    if (declared === undefined || (today === undefined && catalogue.has(name)))
      return catalogue.has(name) ? catalogue.named(name) : null;
    const key = `${name} ${declared}`;
    const known = this.#read.get(key);
    if (known !== undefined) return known;
    const declaration = today ?? (await this.#goneOf(name));
    const rows = parsed(name, declared)?.rows;
    const former = rows === undefined ? {} : { rows };
    const endpoint = declaration === undefined ? null : defineOwn({ ...declaration, former });
    this.#read.set(key, endpoint);
    return endpoint;
  }

  /** What a file that is gone declared last, whose tables are then there. */
  async #goneOf(name: string): Promise<OwnDeclaration | undefined> {
    if (this.#gone.has(name)) return this.#gone.get(name);
    let newest: string | undefined;
    for (const { path } of this.#runs.toReversed()) {
      for await (const { answer } of readAnswers(path, () => undefined))
        if (answer.slice.endpoint === name) newest = answer.declared ?? newest;
      if (newest !== undefined) break;
    }
    this.#gone.set(name, newest === undefined ? undefined : parsed(name, newest));
    const declared = this.#config.own.declarations.map((one) => defineOwn(one));
    const { tables } = openCatalogue([...declared, ...this.#goneEndpoints()]);
    await declareTables(this.#connection, tables, [name]);
    return this.#gone.get(name);
  }

  #goneEndpoints(): Endpoint[] {
    return [...this.#gone.values()].flatMap((one) => (one === undefined ? [] : [defineOwn(one)]));
  }
}

function parsed(name: string, declared: string): OwnDeclaration | undefined {
  return declarationSchema(name).safeParse(JSON.parse(declared)).data;
}
