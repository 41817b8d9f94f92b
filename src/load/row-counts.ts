/** What a merge does with a row. */
export const ACTIONS = ['insert', 'fill', 'update', 'unchanged', 'delete', 'remove', 'keep'] as const;
export type Action = (typeof ACTIONS)[number];

/**
 * What happened to the rows of a slice. Of every received row exactly one is true:
 * `received = inserted + updated + unchanged + deduplicated + rejected + held`.
 */
export class RowCounts {
  /** Rows that reached the staging tables. */
  staged = 0;
  inserted = 0;
  updated = 0;
  deleted = 0;
  unchanged = 0;
  deduplicated = 0;
  /** Rows of an answer that was held back as suspicious. */
  held = 0;

  add(action: Action, rows: number): void {
    switch (action) {
      case 'insert':
      case 'fill':
        this.inserted += rows;
        break;
      case 'update':
        this.updated += rows;
        break;
      case 'unchanged':
        this.unchanged += rows;
        break;
      case 'delete':
      case 'remove':
        this.deleted += rows;
        break;
      case 'keep':
        break;
      default:
        action satisfies never;
    }
  }

  get changed(): number {
    return this.inserted + this.updated + this.deleted;
  }
}
