import { stringify } from 'yaml';
import type { Relation } from './catalogue.ts';

// The view with the time of the last stored answers; two missed nights are worth a warning, three an error.
const FRESHNESS: Readonly<Record<string, object>> = {
  sync_freshness: {
    config: {
      loaded_at_field: 'last_success_at',
      freshness: {
        warn_after: { count: 48, period: 'hour' },
        error_after: { count: 72, period: 'hour' },
      },
    },
  },
};

const ACCEPTED: Readonly<Record<string, readonly string[]>> = {
  grain: ['day', 'week', 'month'],
  scope: ['project', 'model', 'monitor', 'prompt', 'prompt_type', 'page'],
  window_kind: ['month', 'last_7_days', 'last_28_days', 'last_90_days', 'day'],
};
const IN_PROJECTS = {
  relationships: { arguments: { to: "source('answerlake', 'projects')", field: 'project_id' } },
};

function columnTests(schema: Relation['schema'], key: readonly string[], column: string): object {
  const values = schema === 'detail' ? ACCEPTED[column] : undefined;
  const isOfProject =
    schema === 'main' && column === 'project_id' && key.includes('date') && key[0] === column;
  const tests = [
    ...(key.length === 1 && key[0] === column ? ['unique', 'not_null'] : []),
    ...(values === undefined ? [] : [{ accepted_values: { arguments: { values: [...values] } } }]),
    ...(isOfProject ? [IN_PROJECTS] : []),
  ];
  return tests.length === 0 ? {} : { data_tests: tests };
}

/** dbt's `sources.yml`: every view and every core table, with descriptions, the key proven unique, and freshness. */
export function dbtSources(catalogue: readonly Relation[]): string {
  const source = (schema: Relation['schema'], name: string, description: string): object => ({
    name,
    description,
    database: "{{ var('answerlake_database') }}",
    schema,
    tables: catalogue
      .filter((relation) => relation.schema === schema)
      .map(({ name, comment, key, columns }) => ({
        name,
        description: key.length > 1 ? `${comment} Key: ${key.join(', ')}.` : comment,
        ...(schema === 'main' ? FRESHNESS[name] : {}),
        ...(key.length > 1 ? { data_tests: [{ unique_key: { arguments: { columns: [...key] } } }] } : {}),
        columns: columns.map((column) => ({
          name: column.name,
          description: column.comment,
          data_type: column.type,
          ...columnTests(schema, key, column.name),
        })),
      })),
  });
  const document = {
    version: 2,
    sources: [
      source(
        'main',
        'answerlake',
        'Views of the published file of answerlake: whole projects, whole days, whole months.',
      ),
      source(
        'detail',
        'answerlake_detail',
        'The same views with every filter, period, rolling window and running day: filter on one of each.',
      ),
      source(
        'core',
        'answerlake_core',
        'Typed facts of the published file of answerlake, as the API reports them.',
      ),
    ],
  };
  return stringify(document, { lineWidth: 0 });
}
