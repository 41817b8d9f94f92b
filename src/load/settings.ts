import type { Connection } from '../warehouse/connection.ts';

/** Keeps what views and later runs must know of the configuration and of the server, by name. */
export async function writeSettings(
  connection: Connection,
  settings: Readonly<Record<string, string>>,
): Promise<void> {
  for (const [name, value] of Object.entries(settings)) {
    await connection.run('delete from meta.settings where name = $1 and value is distinct from $2', [
      name,
      value,
    ]);
    await connection.run(
      'insert into meta.settings (name, value) select $1, $2 where not exists (from meta.settings where name = $1)',
      [name, value],
    );
  }
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
