import type { Config } from '../config/config.ts';
import { openCatalogue } from '../endpoints/catalogue.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { declarationSchema } from '../own/declaration.ts';
import { defineOwn } from '../own/define-own.ts';
import type { ArchivedAnswer } from '../slice.ts';
import type { Connection } from '../warehouse/connection.ts';
import { declareTables } from '../warehouse/declared-tables.ts';

/** The endpoints that read archived answers: those of today, and of somebody's own the ones whose file is gone. */
export class ArchivedEndpoints {
  readonly #config: Config;
  readonly #connection: Connection;
  readonly #read = new Map<string, Endpoint | null>();
  readonly #gone = new Map<string, Endpoint>();

  constructor(config: Config, connection: Connection) {
    this.#config = config;
    this.#connection = connection;
  }

  get all(): readonly Endpoint[] {
    return [...this.#config.catalogue.all, ...this.#gone.values()];
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
    const archived = declarationSchema(name).safeParse(JSON.parse(declared)).data;
    const former = archived?.rows === undefined ? {} : { rows: archived.rows };
    const declaration = today === undefined ? archived : { ...today, former };
    const endpoint = declaration === undefined ? null : defineOwn(declaration);
    this.#read.set(key, endpoint);
    if (endpoint !== null && today === undefined) await this.#keep(endpoint);
    return endpoint;
  }

  async #keep(endpoint: Endpoint): Promise<void> {
    this.#gone.set(endpoint.name, endpoint);
    const declared = this.#config.own.declarations.map((one) => defineOwn(one));
    const { tables } = openCatalogue([...declared, ...this.#gone.values()]);
    await declareTables(this.#connection, tables, [endpoint.name]);
  }
}
