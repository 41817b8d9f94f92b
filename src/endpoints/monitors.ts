import type { Table } from './table.ts';

interface Monitor {
  id: string;
  name: string | null;
}

/** Monitors as prompts name them. */
export const monitorsTable: Table<Monitor> = {
  table: 'monitors',
  shape: 'project',
  key: { monitor_id: ({ id }) => id },
  columns: { name: ({ name }) => name },
  lastKnown: ['name'],
  ownedId: 'monitor_id',
};

/** Monitors as events name them: a past event may have the name of its day, so it does not rename a monitor that has prompts. */
export const monitorsOfEvents: Table<Monitor> = {
  ...monitorsTable,
  secondHand: { columns: ['name'], table: 'prompts' },
};
