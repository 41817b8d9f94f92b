import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Client } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { z } from 'zod';
import type { Secret } from '../../secret.ts';

const CONNECT_MS = 10_000;

/** One connection to the database of the target; all that it does is one transaction. */
export class TargetSession implements AsyncDisposable {
  readonly #client: Client;
  #lost: Error | null = null;

  private constructor(client: Client) {
    this.#client = client;
    // A connection that breaks between two statements would end the process.
    client.on('error', (error) => (this.#lost = error));
  }

  static async open(url: Secret): Promise<TargetSession> {
    const client = new Client({
      connectionString: url.reveal(),
      connectionTimeoutMillis: CONNECT_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: CONNECT_MS,
      application_name: 'answerlake target',
    });
    const session = new TargetSession(client);
    await client.connect();
    return session;
  }

  async rows<Row>(
    row: z.ZodType<Row>,
    sql: string,
    values: readonly (readonly string[])[] = [],
  ): Promise<Row[]> {
    const result = await this.#guard(() => this.#client.query(sql, [...values]));
    return z.array(row).parse(result.rows);
  }

  /** One or several statements. */
  async run(sql: string, values: readonly unknown[] = []): Promise<void> {
    await this.#guard(() =>
      values.length === 0 ? this.#client.query(sql) : this.#client.query(sql, [...values]),
    );
  }

  /** Rows in the text format of `copy`. */
  async copy(table: string, texts: AsyncIterable<string>): Promise<void> {
    await this.#guard(() =>
      pipeline(Readable.from(texts), this.#client.query(copyFrom(`copy ${table} from stdin`))),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client.end().catch(() => undefined);
  }

  async #guard<T>(work: () => Promise<T>): Promise<T> {
    if (this.#lost !== null) throw this.#lost;
    return await work();
  }
}
