import type { Table } from './table.ts';

interface Monitor {
  id: string;
  name: string | null;
}

/** Monitors as prompts and events name them. */
export const monitorsTable: Table<Monitor> = {
  table: 'monitors',
  shape: 'project',
  key: { monitor_id: ({ id }) => id },
  columns: { name: ({ name }) => name },
  lastKnown: ['name'],
};
