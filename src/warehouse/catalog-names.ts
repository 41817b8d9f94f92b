/** What attached files are called beside the working file: names that no file of a user is likely to have, because DuckDB names a file's catalog after it. */
export const CATALOGS = {
  published: 'published',
  publishing: 'publishing',
  template: 'answerlake_template',
  compacted: 'answerlake_compacted',
  lake: 'published_lake',
} as const;
