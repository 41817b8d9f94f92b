import { z } from 'zod';
import { catalogue, coreKeys } from '../../src/endpoints/catalogue.ts';
import { doubledKeys } from '../../src/publish/checks.ts';
import { openDatabase } from '../../src/warehouse/database.ts';
import { readSqlFiles } from '../../src/warehouse/sql.ts';

/** Column → value as JSON. */
export type Cells = Readonly<Record<string, string>>;
/** Key → cells, of one table. */
export type Rows = ReadonlyMap<string, Cells>;

const ledgerRow = z.object({
  endpoint: z.string(),
  project_id: z.string().nullable(),
  scope: z.string(),
  scope_id: z.string(),
  window_kind: z.string().nullable(),
  window_start: z.string().nullable(),
  window_end: z.string().nullable(),
  status: z.string(),
  error_class: z.string().nullable(),
  rows_rejected: z.number(),
});
export type LedgerRow = z.output<typeof ledgerRow>;

/** What a warehouse file says. */
export interface Picture {
  tables: ReadonlyMap<string, Rows>;
  /** Entries of the last run. */
  ledger: readonly LedgerRow[];
  /** What the checks before a publish refuse. */
  offences: readonly string[];
  /** Every text of `core` and of what is recorded about answers. */
  texts: string;
}

/** They change with every call. */
const MOVING: Readonly<Record<string, string>> = {
  api_keys: ', last_used_at',
  prompts: ', updated_at',
};

export function tablesOf(endpoint: string): string[] {
  const found = catalogue.find(({ name }) => name === endpoint);
  return found?.outputs.map(({ table }) => table) ?? [];
}

export async function pictureOf(
  path: string,
  { runId, endpoints }: { runId: string; endpoints: readonly string[] },
): Promise<Picture> {
  await using database = await openDatabase({ path, readOnly: true });
  const connection = await database.connect();
  const tables = new Map<string, Rows>();
  const texts: string[] = [];
  const wanted = new Set(endpoints.flatMap(tablesOf));
  for (const [table, key] of [...coreKeys].filter(([name]) => wanted.has(name))) {
    const removed = table === 'prompts' ? ' replace (removed_at is not null as removed_at)' : '';
    const rows = await connection.rows(
      `select * exclude (_run_id, _changed_at${MOVING[table] ?? ''})${removed} from core."${table}"`,
    );
    texts.push(JSON.stringify(rows));
    tables.set(
      table,
      new Map(rows.map((row) => [JSON.stringify(key.map((name) => row[name])), cellsOf(row)])),
    );
  }
  for (const table of ['slices', 'rejects', 'drift', 'restatements', 'runs'])
    texts.push(JSON.stringify(await connection.rows(`from meta.${table}`)));
  const ledger = await connection.rowsAs(
    ledgerRow,
    `select endpoint, project_id, scope, scope_id, window_kind, cast(window_start as varchar) as window_start,
       cast(window_end as varchar) as window_end, status, error_class, rows_rejected
     from meta.slices where run_id = $1`,
    [runId],
  );
  const offences: string[] = [];
  for (const sql of [...doubledKeys(coreKeys, 5), ...metaKeyChecks()]) {
    const found = await connection.rows(`select * from (${sql.trim().replace(/;$/, '')}\n) limit 5`);
    offences.push(...found.map((row) => JSON.stringify(row)));
  }
  return { tables, ledger, offences, texts: texts.join('\n') };
}

/** Rows of one project; of no project: of tables that are not about projects. */
export function rowsOf(picture: Picture | undefined, table: string, projectId: string | null): Rows {
  const rows = picture?.tables.get(table) ?? new Map<string, Cells>();
  const wanted = projectId === null ? undefined : JSON.stringify(projectId);
  return new Map([...rows].filter(([, cells]) => cells['project_id'] === wanted));
}

/** Only of tables: the working file has no views. */
function metaKeyChecks(): string[] {
  return readSqlFiles('checks/tables').flatMap(({ name, sql }) =>
    name === 'unique_meta_keys' ? [sql.replaceAll('{{touched}}', 'true')] : [],
  );
}

function cellsOf(row: Record<string, unknown>): Cells {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, JSON.stringify(value) ?? 'null']),
  );
}
