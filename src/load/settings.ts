import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Connection } from '../warehouse/connection.ts';

/** Keeps what views and later runs must know of the configuration and of the server, by name. */
export async function writeSettings(
  connection: Connection,
  settings: Readonly<Record<string, string>>,
): Promise<void> {
  await connection.run(
    `merge into meta.settings s using (select unnest($1::varchar[]) as name, unnest($2::varchar[]) as value) n on s.name = n.name
     when matched and s.value is distinct from n.value then update set value = n.value
     when not matched then insert (name, value) values (n.name, n.value)`,
    [Object.keys(settings), Object.values(settings)],
  );
}

/** What the views need to know of the configuration. */
interface ViewedConfig {
  api: { baseUrl: string };
  sync: { startDate: string; lookbackDays: number; timezone: string };
  targets: readonly object[];
}

/** The settings that views read. */
export function viewSettings({ api, sync, targets }: ViewedConfig, syncDay: string): Record<string, string> {
  return {
    start_date: sync.startDate,
    lookback_days: String(sync.lookbackDays),
    timezone: sync.timezone,
    base_url: api.baseUrl,
    targets: JSON.stringify(targets),
    sync_day: syncDay,
  };
}

const WAREHOUSE_ID = 'warehouse_id';

/** The id of the warehouse; null before its first run. */
export async function readWarehouseId(connection: Connection): Promise<string | null> {
  const [found] = await connection.rowsAs(
    z.object({ value: z.string().nullable() }),
    'select value from meta.settings where name = $1',
    [WAREHOUSE_ID],
  );
  return found?.value ?? null;
}

/** The id of the warehouse, which its first run gives it. */
export async function warehouseId(connection: Connection): Promise<string> {
  const known = await readWarehouseId(connection);
  if (known !== null) return known;
  const id = randomUUID();
  await writeSettings(connection, { [WAREHOUSE_ID]: id });
  return id;
}
